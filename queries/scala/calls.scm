; f(a) { b }: the second list of arguments
(call_expression
  function: (call_expression function: (_) @callee arguments: (arguments) @arguments) @call
  arguments: [(block) (case_block)] @argument)
(call_expression function: [(identifier) (field_expression) (generic_function)] @callee arguments: (arguments) @arguments) @call
(call_expression
  function: [(identifier) (field_expression) (generic_function)] @callee
  arguments: [(block) (case_block) (colon_argument)] @argument) @call
(instance_expression . (_) @callee arguments: (_)? @arguments) @call
(extends_clause . type: (_) @callee arguments: (arguments) @arguments) @call
; session shorten 3
(infix_expression operator: (_) right: (_) @argument) @call @callee

; type Alias = Session; type Alias[A] = Session[A]
(type_definition name: (_) @assigned type: [(type_identifier) (stable_type_identifier)] @value)
(type_definition name: (_) @assigned type: (generic_type type: (_) @value))

; A method without parameters is called by its name.
((field_expression field: (identifier) @_name) @access (#match? @_name "^[a-z]"))
((field_expression value: (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((arguments (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((infix_expression left: (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((infix_expression right: (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((block (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((indented_block (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((function_definition body: (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((val_definition value: (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((case_clause body: (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((if_expression consequence: (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((if_expression alternative: (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((match_expression value: (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((interpolation (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))
((parenthesized_expression (identifier) @access) (#match? @access "^[a-z]") (#not-match? @access "^(this|super)$"))

(val_definition pattern: (identifier) @target type: (_) @type)
(val_definition pattern: (_) @target value: (_) @value)
(var_definition pattern: (identifier) @target type: (_) @type)
(var_definition pattern: (_) @target value: (_) @value)
(val_declaration name: (_) @target type: (_) @type)
(var_declaration name: (_) @target type: (_) @type)
; The parameters of a class are its fields.
(class_parameter name: (_) @field type: (_) @type)
(assignment_expression left: (_) @assigned right: (_) @value)
(enumerator . (identifier) @target "<-" . (_) @each)
(enumerator . (identifier) @target "=" . (_) @value)
(typed_pattern pattern: (identifier) @target type: (_) @type)
(case_class_pattern pattern: (identifier) @target)
(capture_pattern name: (_) @target pattern: (case_class_pattern type: (_) @type))
(case_clause pattern: (identifier) @target)
(case_clause pattern: (tuple_pattern (identifier) @target))
; A case of an enum is an object of the enum.
(enum_definition name: (_) @type body: (enum_body (enum_case_definitions (simple_enum_case name: (_) @target))))

(return_expression (_) @return)
((function_definition body: (_) @return) (#not-kind-eq? @return "block" "indented_block"))
(function_definition body: (block (_) @return .))
(function_definition body: (indented_block (_) @return .))
(lambda_expression (_) @return .)

; A value of a type parameter has the types that limit it.
(type_parameters name: (_) @type.parameter)
(type_parameters name: (_) @type.parameter bound: (upper_bound type: (_) @value))
