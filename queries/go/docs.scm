; Any comment right above a definition, but for directives (`//go:noinline`).
((comment) @doc (#not-match? @doc "^//[a-z]+:"))
