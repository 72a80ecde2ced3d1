; session |> renew(1): the first argument is before the function.
(binary_operator left: (_) @argument operator: "|>" right: (call target: (_) @callee (arguments) @arguments) @call)
(call target: (dot left: (alias)) @callee (arguments)? @arguments) @call
(call target: [(identifier) (dot)] @callee (arguments) @arguments) @call
; &age/1, &Clock.read/1
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @callee operator: "/")) @call
(unary_operator operator: "&" operand: (binary_operator left: (call target: (dot left: (alias)) @callee) operator: "/")) @call

(binary_operator left: (_) @target operator: "=" right: (_) @value)
(binary_operator left: (_) @target operator: "<-" right: (_) @each)
(stab_clause left: (arguments (_) @target))

(do_block (_) @return .)
(body (_) @return .)
