([(line_comment) (block_comment)] @doc (#match? @doc "^(///|//!|/\\*\\*|/\\*!)"))
