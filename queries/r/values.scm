((program (binary_operator lhs: (identifier) @name operator: _ @_arrow rhs: (_) @_value) @definition.value)
  (#any-of? @_arrow "<-" "=") (#not-kind-eq? @_value "function_definition"))
