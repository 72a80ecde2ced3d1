(call function: (_) @callee arguments: (_) @arguments) @call

((binary_operator lhs: (_) @target operator: _ @_arrow rhs: (_) @value)
  (#any-of? @_arrow "<-" "="))
((binary_operator lhs: (_) @assigned operator: _ @_arrow rhs: (_) @value)
  (#eq? @_arrow "<<-"))
(for_statement variable: (identifier) @target sequence: (_) @each)
(braced_expression body: (call) @return .)
((call function: (identifier) @_return arguments: (arguments . argument: (argument value: (_) @return)))
  (#eq? @_return "return"))
