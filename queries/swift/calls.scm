; let x = f(a) { b }: the grammar nests two calls. The closure is the last argument of the inner one. The patterns come
; before the one for f(a).
(call_expression
  . (call_expression . (_) @callee (call_suffix (value_arguments "(") @arguments)) @call
  (call_suffix (lambda_literal) @argument))
(call_expression
  . [
    (try_expression expr: (call_expression . (_) @callee (call_suffix (value_arguments "(") @arguments)) @call)
    (await_expression expr: (call_expression . (_) @callee (call_suffix (value_arguments "(") @arguments)) @call)
    (try_expression
      expr: (await_expression expr: (call_expression . (_) @callee (call_suffix (value_arguments "(") @arguments)) @call))
  ]
  (call_suffix (lambda_literal) @argument))
; items[0] is a call expression, too.
(call_expression . (_) @callee (call_suffix (value_arguments "(") @arguments)) @call
; The closure after the brackets is the last argument.
((call_expression . (_) @callee (call_suffix (lambda_literal) @argument)) @call
  (#not-kind-eq? @callee "call_expression") (#not-kind-eq? @callee "try_expression") (#not-kind-eq? @callee "await_expression"))
; left <+> right: an operator at the top of a file, or a member of the type of an operand
(infix_expression op: (custom_operator) @call @callee)
(infix_expression lhs: (_) @receiver op: (custom_operator) @callee rhs: (_) @argument) @call
; Session<Int>(user: "me")
(constructor_expression constructed_type: (_) @callee (constructor_suffix (value_arguments) @arguments)) @call
(constructor_expression constructed_type: (_) @callee (constructor_suffix (lambda_literal) @argument)) @call

(property_declaration name: (pattern bound_identifier: (simple_identifier) @target) (type_annotation (_) @type))
(property_declaration name: (pattern bound_identifier: (simple_identifier) @target) value: (_) @value)
; let (size, folder) = parts()
(property_declaration name: (pattern !bound_identifier . (pattern)) @target value: (_) @value)
(assignment target: (directly_assignable_expression (_) @assigned) result: (_) @value)
; if let session = find(user)
(if_statement bound_identifier: (simple_identifier) @target . "=" . (_) @value)
(guard_statement bound_identifier: (simple_identifier) @target . "=" . (_) @value)
(while_statement bound_identifier: (simple_identifier) @target . "=" . (_) @value)
(for_statement item: (pattern bound_identifier: (simple_identifier) @target) collection: (_) @each)
; case let visit as Visit
(pattern (pattern bound_identifier: (simple_identifier) @target) . (user_type) @type)
; case .open(let session)
(pattern (value_binding_pattern) . bound_identifier: (simple_identifier) @target)
; A case of an enum is an object of the enum.
(class_declaration name: (type_identifier) @type body: (enum_class_body (enum_entry name: (simple_identifier) @target)))

(control_transfer_statement result: (_) @return)
(lambda_literal (statements . (_) @return .))
(function_body (statements . (_) @return .))
(computed_property (statements . (_) @return .))

; A value of a type parameter has the types that limit it.
(type_parameter (type_identifier) @type.parameter)
(type_parameter (type_identifier) @type.parameter . (user_type) @value)
