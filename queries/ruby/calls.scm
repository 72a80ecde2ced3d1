; The node of a call has receiver and method.
(call method: (_) arguments: (_)? @arguments) @call @callee

; A bare name is a call if no variable has that name. These are the places where a value can occur.
(body_statement [(identifier) (super)] @call @callee)
(block_body (identifier) @call @callee)
(then (identifier) @call @callee)
(else (identifier) @call @callee)
(method body: (identifier) @call @callee)
(assignment right: [(identifier) (super)] @call @callee)
(operator_assignment right: (identifier) @call @callee)
(call receiver: (identifier) @call @callee)
(argument_list (identifier) @call @callee)
(pair value: (identifier) @call @callee)
(interpolation (identifier) @call @callee)
(binary (identifier) @call @callee)
(conditional (identifier) @call @callee)
(if condition: (identifier) @call @callee)
(unless condition: (identifier) @call @callee)
(if_modifier (identifier) @call @callee)
(unless_modifier (identifier) @call @callee)

(assignment left: (_) @target right: (_) @value)
(operator_assignment left: (_) @target right: (_) @value)
(for pattern: (_) @target value: (in (_) @value))
(rescue exceptions: (exceptions (_) @type) variable: (exception_variable (_) @target))

(return (argument_list (_) @return))
; The last expression of a body.
(method body: (body_statement [(call) (identifier) (constant) (instance_variable) (self) (conditional) (binary) (if) (case) (assignment) (operator_assignment)] @return .))
(singleton_method body: (body_statement [(call) (identifier) (constant) (instance_variable) (self) (conditional) (binary) (if) (case) (assignment) (operator_assignment)] @return .))
(method body: [(call) (identifier) (instance_variable) (binary) (conditional)] @return)
(singleton_method body: [(call) (identifier) (instance_variable) (binary) (conditional)] @return)
(block_body [(call) (identifier) (instance_variable)] @return .)
(do_block body: (body_statement [(call) (identifier) (instance_variable)] @return .))
