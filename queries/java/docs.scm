((block_comment) @doc (#match? @doc "^/\\*\\*"))
; Javadoc ignores blank lines.
((block_comment) @doc.spaced (#match? @doc.spaced "^/\\*\\*[^*/]"))
