((comment) @doc (#match? @doc "^/\\*\\*"))
