; f(a) { b }: the closure is the last argument. The pattern comes before the one for f(a).
(call_expression
  . (call_expression . (_) @callee (value_arguments) @arguments) @call
  (annotated_lambda (lambda_literal) @argument))
(call_expression . (_) @callee (value_arguments) @arguments) @call
(call_expression . [(identifier) (navigation_expression)] @callee (annotated_lambda (lambda_literal) @argument)) @call
; session shorten 3
(infix_expression . (_) @receiver . (identifier) @callee . (_) @argument) @call
; find<Session>(key): the grammar compares `find < Session` with `(key)`.
(binary_expression
  left: (binary_expression left: [(identifier) (navigation_expression)] @callee operator: "<")
  operator: ">"
  right: (parenthesized_expression) @arguments) @call
; 1 + find<Int>(key), !find<Boolean>(key)
(binary_expression
  left: (binary_expression left: [
    (binary_expression right: [(identifier) (navigation_expression)] @callee)
    (infix_expression [(identifier) (navigation_expression)] @callee .)
    (unary_expression argument: [(identifier) (navigation_expression)] @callee)
  ] operator: "<")
  operator: ">"
  right: (parenthesized_expression) @call @arguments)
; class Session : Base(user)
(delegation_specifier (constructor_invocation . (user_type) @callee (value_arguments) @arguments) @call)
(constructor_delegation_call ["this" "super"] @callee (value_arguments) @arguments) @call

; typealias Alias = Session
(type_alias type: (_) @assigned (user_type) @value)

(property_declaration (variable_declaration . (identifier) @target . (_) @type))
(property_declaration (variable_declaration . (identifier) @target) "=" . (_) @value)
; val session by lazy { Session() }
((property_declaration
  (variable_declaration . (identifier) @target)
  (property_delegate (call_expression . (identifier) @_lazy (annotated_lambda (lambda_literal (_) @value .)))))
  (#eq? @_lazy "lazy"))
(multi_variable_declaration (variable_declaration . (identifier) @target))
; The fields of a primary constructor.
(class_parameter ["val" "var"] (identifier) @field . (_) @type)
(assignment left: (_) @assigned right: (_) @value)
(for_statement (variable_declaration . (identifier) @target) . (_) @each)
(when_subject (variable_declaration . (identifier) @target) . (_) @value)
(catch_block . (identifier) @target . (_) @type)
; A value that was compared with a type has that type.
(is_expression left: (identifier) @assigned right: (_) @type)
(when_expression (when_subject (identifier) @assigned) (when_entry condition: (type_test (_) @type)))
; An entry of an enum is an object of the enum.
(class_declaration name: (identifier) @type (enum_class_body (enum_entry (identifier) @target)))

(return_expression !label (_) @return)
((function_body (_) @return) (#not-kind-eq? @return "block"))
(lambda_literal (_) @return .)

; A value of a type parameter has the types that limit it.
(type_parameter . (identifier) @type.parameter)
(type_parameter . (identifier) @type.parameter . (_) @value)

; @GetMapping("/users"), @PostMapping
(annotation (constructor_invocation . (user_type) @callee (value_arguments) @arguments)) @site
(annotation . (user_type) @callee) @site
