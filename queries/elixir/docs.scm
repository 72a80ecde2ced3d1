; @moduledoc "Where sessions are kept."
((unary_operator
  operator: "@"
  operand: (call target: (identifier) @_name (arguments [(string (quoted_content) @doc) (sigil (quoted_content) @doc)])))
  (#eq? @_name "moduledoc"))
