((block_comment) @doc (#match? @doc "^/\\*\\*"))
; KDoc ignores blank lines.
((block_comment) @doc.spaced (#match? @doc.spaced "^/\\*\\*[^*/]"))
