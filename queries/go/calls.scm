(call_expression function: (_) @callee arguments: (_) @arguments) @call
; The grammar reads a call with type arguments and one argument as a conversion: cache.New[string, int](size).
(type_conversion_expression type: (generic_type type: (_) @callee)) @call

(short_var_declaration left: (_) @target right: (_) @value)
(assignment_statement left: (_) @assigned right: (_) @value)
(var_spec name: (identifier) @target type: (_) @type)
(var_spec . name: (identifier) @target value: (expression_list . (_) @value))
(const_spec . name: (identifier) @target value: (expression_list . (_) @value))
(range_clause left: (_) @target right: (_) @value)
(type_switch_statement alias: (_) @target value: (_) @value)
; In a clause with one type, the name has that type.
(type_switch_statement alias: (_) @target (type_case . type: (_) @type . (statement_list)) @visible)
(receive_statement left: (_) @target right: (_) @value)
(type_spec type: (struct_type (field_declaration_list (field_declaration name: (_) @target type: (_) @type))))
; In structs without a name, only if a literal has such a type.
(composite_literal type: [
  (struct_type (field_declaration_list (field_declaration name: (_) @target type: (_) @type)))
  (slice_type (struct_type (field_declaration_list (field_declaration name: (_) @target type: (_) @type))))
  (array_type (struct_type (field_declaration_list (field_declaration name: (_) @target type: (_) @type))))
  (implicit_length_array_type (struct_type (field_declaration_list (field_declaration name: (_) @target type: (_) @type))))
  (map_type value: (struct_type (field_declaration_list (field_declaration name: (_) @target type: (_) @type))))
])
(field_declaration name: (_) @ordered type: (_) @type)
(field_declaration !name) @ordered
; A type has the members of its underlying type.
(type_spec name: (_) @target type: [(type_identifier) (qualified_type) (generic_type)] @value)
(type_alias name: (_) @target type: (_) @value)

(type_spec type: [
  (slice_type element: (_) @elements)
  (array_type element: (_) @elements)
  (map_type value: (_) @elements)
  (channel_type value: (_) @elements)
])

; Named results.
(function_declaration result: (parameter_list (parameter_declaration name: (_) @target type: (_) @type)))
(method_declaration result: (parameter_list (parameter_declaration name: (_) @target type: (_) @type)))
(func_literal result: (parameter_list (parameter_declaration name: (_) @target type: (_) @type)))

(return_statement (expression_list (_) @return))

; A value of a type parameter has the types that limit it.
(type_parameter_declaration name: (identifier) @type.parameter type: (type_constraint (_) @value))

; &cobra.Command{Use: "serve", RunE: serve}
(composite_literal type: (_) @callee body: (_) @arguments) @site
