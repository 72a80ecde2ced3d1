((comment) @doc (#match? @doc "^(///|/\\*\\*)"))
; The compiler ignores blank lines after a documentation comment.
((comment) @doc.spaced (#match? @doc.spaced "^(///[^/]|/\\*\\*[^*/])"))
