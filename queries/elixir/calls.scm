; session |> renew(1): the first argument is before the function.
(binary_operator left: (_) @argument operator: "|>" right: (call target: (_) @callee (arguments) @arguments) @call)
; session |> renew
(binary_operator left: (_) @argument operator: "|>" right: (identifier) @call @callee)
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

; apply(Session, :renew, [1]), Task.async(Session, :renew, [1]), {Session, :renew, [1]}
((arguments . [(alias) (identifier)] @receiver . (atom) @call @callee . (list)) (#match? @receiver "^([A-Z]|__MODULE__$)"))
((tuple . [(alias) (identifier)] @receiver . (atom) @call @callee . (list) .) (#match? @receiver "^([A-Z]|__MODULE__$)"))
