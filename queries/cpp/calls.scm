(new_expression type: (_) @callee arguments: (_)? @arguments) @call
(compound_literal_expression type: (_) @callee value: (_) @arguments) @call

; Session session("me"); Session session{"me"};
(declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @callee
  declarator: (init_declarator value: [(argument_list) (initializer_list)] @arguments) @call)
; Session session; Session all[3];
((declaration
  (storage_class_specifier)? @_storage
  type: [(type_identifier) (qualified_identifier) (template_type)] @callee
  declarator: [(identifier) @call (array_declarator declarator: (identifier) @call)])
  (#not-match? @_storage "extern"))
; A static member is only declared here.
((field_declaration
  (storage_class_specifier)? @_storage
  type: [(type_identifier) (qualified_identifier) (template_type)] @callee
  declarator: [(field_identifier) @call (array_declarator declarator: (field_identifier) @call)]
  !default_value)
  (#not-match? @_storage "static"))
; Session session{}; as a member
(field_declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @callee
  declarator: (field_identifier)
  default_value: (initializer_list) @call @arguments)
; Session(...) : Base(user), clock_(make_clock()) {}
(field_initializer . [(field_identifier) (qualified_identifier) (template_method)] @callee . (_) @arguments) @call
((field_initializer . (field_identifier) @assigned . [(argument_list . (_) @value .) (initializer_list . (_) @value .)])
  (#match? @assigned "_$|^m_"))

(declaration type: (_) @type declarator: (init_declarator declarator: (reference_declarator (identifier) @target)))
(field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @target))
(field_declaration declarator: (field_identifier) @target default_value: (_) @value)
(for_range_loop type: (_) @type declarator: [(identifier) @target (reference_declarator (identifier) @target)] right: (_) @value)
(for_range_loop declarator: (reference_declarator (structured_binding_declarator) @target) right: (_) @value)
(template_parameter_list [
  (type_parameter_declaration (type_identifier) @type.parameter)
  (variadic_type_parameter_declaration (type_identifier) @type.parameter)
  (optional_type_parameter_declaration name: (type_identifier) @type.parameter)
])
(catch_clause (parameter_list (parameter_declaration type: (_) @type declarator: [
  (identifier) @target
  (reference_declarator (identifier) @target)
])))

(co_return_statement (_) @return)
(co_yield_statement (_) @return)

; using Handler = Base::Handler;
(alias_declaration name: (_) @assigned type: (type_descriptor type: (_) @value))
(alias_declaration type: (type_descriptor type: (_) @elements))
