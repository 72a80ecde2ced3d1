((block_comment) @doc (#match? @doc "^/\\*\\*"))
