; Any comment directly above a definition, except directives (`//go:noinline`).
((comment) @doc (#not-match? @doc "^//[a-z]+:"))
