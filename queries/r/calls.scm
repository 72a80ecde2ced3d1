(call function: (_) @callee arguments: (_) @arguments) @call
; left %+% right
(binary_operator lhs: (_) @argument operator: "special" @callee rhs: (_)) @call
; do.call("renew", arguments), match.fun("renew")
((call function: (identifier) @_takes arguments: (arguments . argument: (argument value: (string content: (_) @call @callee))))
  (#any-of? @_takes "do.call" "match.fun" "Reduce" "Filter" "Map"))
; sapply(sessions, "renew")
((call function: (identifier) @_takes arguments: (arguments . argument: (_) argument: (argument value: (string content: (_) @call @callee))))
  (#any-of? @_takes "lapply" "sapply" "vapply" "tapply" "outer"))

((binary_operator lhs: (_) @target operator: _ @_arrow rhs: (_) @value)
  (#any-of? @_arrow "<-" "="))
((binary_operator lhs: (_) @assigned operator: _ @_arrow rhs: (_) @value)
  (#eq? @_arrow "<<-"))
(for_statement variable: (identifier) @target sequence: (_) @each)
(braced_expression body: (call) @return .)
((call function: (identifier) @_return arguments: (arguments . argument: (argument value: (_) @return)))
  (#eq? @_return "return"))
