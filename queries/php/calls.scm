(function_call_expression function: (_) @callee arguments: (_) @arguments) @call
; The node of a method call has object and member.
(member_call_expression arguments: (_) @arguments) @call @callee
(nullsafe_member_call_expression arguments: (_) @arguments) @call @callee
(scoped_call_expression arguments: (_) @arguments) @call @callee
(object_creation_expression . [(name) (qualified_name) (variable_name) (relative_scope)] @callee (arguments)? @arguments) @call

(assignment_expression left: (_) @target right: (_) @value)
(augmented_assignment_expression left: (_) @target right: (_) @value)
(foreach_statement . (_) @value . [(variable_name) (by_ref) (list_literal)] @target)
(foreach_statement . (_) @value . (pair (_) . (_) @target))
(catch_clause type: (_) @type name: (variable_name) @target)
(static_variable_declaration name: (variable_name) @target value: (_) @value)

; Fields: the name in `$this->clock` has no `$`, the name in `self::$all` has one.
(property_declaration type: (_) @type (property_element name: (variable_name (name) @target)))
(property_declaration (static_modifier) type: (_) @type (property_element name: (variable_name) @target))
; /** @var Clock */ private $clock;
(declaration_list
  (comment) @type . (property_declaration !type (property_element name: (variable_name (name) @target))))
(property_element name: (variable_name (name) @target) default_value: (_) @value)
(property_promotion_parameter type: (_) @type name: (variable_name (name) @field))

(return_statement (_) @return)
(yield_expression (_) @return)
(arrow_function body: (_) @return)

; #[Route('/users', methods: ['GET'])]
(attribute . [(name) (qualified_name)] @callee parameters: (_)? @arguments) @site
