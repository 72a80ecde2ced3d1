((block_comment) @doc (#match? @doc "^/\\*\\*"))
; Scaladoc ignores blank lines.
((block_comment) @doc.spaced (#match? @doc.spaced "^/\\*\\*[^*/]"))
