; find key sessions is ((find key) sessions): the innermost application has the function.
(apply function: [(variable) (constructor) (qualified)] @callee argument: (_) @argument) @call
(infix operator: [(operator) @callee (infix_id [(variable) (qualified)] @callee) (qualified) @callee]) @call
(left_section operator: [(operator) @callee (infix_id [(variable) (qualified)] @callee)]) @call
(right_section [(operator) @callee (infix_id [(variable) (qualified)] @callee)]) @call
; foldr (<+>) 0
(apply function: (prefix_id (operator) @callee) argument: (_) @argument) @call
(apply argument: (prefix_id (operator) @call @callee))
(match expression: (prefix_id (operator) @call @callee))
(parens expression: (prefix_id (operator) @call @callee))

; A name is a use of its function wherever it is: map close sessions, age = limit . started
(match expression: [(variable) (qualified)] @call @callee)
(apply argument: [(variable) (qualified)] @call @callee)
(infix left_operand: [(variable) (qualified)] @call @callee)
(infix right_operand: [(variable) (qualified)] @call @callee)
(left_section left_operand: [(variable) (qualified)] @call @callee)
(right_section right_operand: [(variable) (qualified)] @call @callee)
(parens expression: [(variable) (qualified)] @call @callee)
(list element: [(variable) (qualified)] @call @callee)
(tuple element: [(variable) (qualified)] @call @callee)
(conditional if: [(variable) (qualified)] @call @callee)
(conditional then: [(variable) (qualified)] @call @callee)
(conditional else: [(variable) (qualified)] @call @callee)
(bind expression: [(variable) (qualified)] @call @callee)
(generator expression: [(variable) (qualified)] @call @callee)
(pattern_guard expression: [(variable) (qualified)] @call @callee)
(boolean [(variable) (qualified)] @call @callee)
(exp [(variable) (qualified)] @call @callee)
(case [(variable) (qualified)] @call @callee)
(let_in expression: [(variable) (qualified)] @call @callee)
(lambda expression: [(variable) (qualified)] @call @callee)
(list_comprehension expression: [(variable) (qualified)] @call @callee)
(field_update expression: [(variable) (qualified)] @call @callee)
(record expression: [(variable) (qualified)] @call @callee)
(negation expression: [(variable) (qualified)] @call @callee)
(view_pattern expression: [(variable) (qualified)] @call @callee)

; Names that patterns declare.
((function patterns: (patterns (_) @target)) (#not-kind-eq? @target "variable"))
(lambda patterns: (patterns (_) @target))
(alternative pattern: (_) @target)
(bind pattern: (_) @target expression: (_) @value)
(bind pattern: (_) @target match: (match expression: (_) @value))
(local_binds (bind name: (variable) @target match: (match expression: (_) @value)))
(generator pattern: (_) @target)
(pattern_guard pattern: (_) @target expression: (_) @value)
