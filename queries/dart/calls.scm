(method_invocation function: (_) @callee arguments: (argument_part (arguments) @arguments)) @call
(new_expression . (type_identifier) @callee (arguments) @arguments) @call
(const_object_expression (type_identifier) @callee (arguments) @arguments) @call
; Session(String user) : super(user); Session.named(user) : this(user)
(initializer_list_entry (super) @callee . (arguments) @arguments) @call
(redirection (this) @callee . (arguments) @arguments) @call

; A getter is called by its name.
(unconditional_assignable_selector (identifier) .) @access
(conditional_assignable_selector (identifier) .) @access
(unconditional_assignable_selector . (identifier) @access)
(conditional_assignable_selector . (identifier) @access)
(argument (identifier) @access)
(return_statement (identifier) @access)
(template_substitution [(identifier) (identifier_dollar_escaped)] @access)
(function_body (identifier) @access)
(parenthesized_expression (identifier) @access)

(declaration [(type_identifier) (function_type)] @type (initialized_identifier_list (initialized_identifier . (identifier) @target)))
(initialized_identifier . (identifier) @target . (_) @value)
(static_final_declaration . (identifier) @target . (_) @value)
(initialized_variable_definition (type_identifier) @type name: (identifier) @target)
(initialized_variable_definition name: (identifier) @target value: (_) @value)
(assignment_expression left: (assignable_expression) @assigned right: (_) @value)
(field_initializer (identifier) @assigned . (_) @value)
; Session(this.clock)
(constructor_param (identifier) @field .)
(for_loop_parts (type_identifier) @type name: (identifier) @target)
(for_loop_parts name: (identifier) @target value: (_) @each)
(try_statement (type_identifier) @type . (catch_clause (catch_parameters . (identifier) @target)))
(catch_parameters (identifier) @target)
(variable_pattern (type_identifier) @type (identifier) @target)
; A value that was compared with a type has that type.
(type_test_expression . (identifier) @assigned (type_test (type_identifier) @type))
; A value of an enum is an object of the enum.
(enum_declaration name: (identifier) @type body: (enum_body (enum_constant name: (identifier) @target)))

(return_statement (_) @return)
((function_body (_) @return) (#not-kind-eq? @return "block"))
((function_expression_body (_) @return) (#not-kind-eq? @return "block"))

; A value of a type parameter has the types that limit it.
(type_parameter . (type_identifier) @type.parameter)
(type_parameter . (type_identifier) @type.parameter (type_bound (type_identifier) @value))
