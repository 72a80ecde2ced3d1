((comment) @doc (#match? @doc "^/\\*\\*"))
; phpDocumentor ignores blank lines; a comment with one of these tags at the top is about the file.
((comment) @doc.spaced
  (#match? @doc.spaced "^/\\*\\*[^*/]")
  (#not-match? @doc.spaced "@(package|subpackage|copyright|license|file|category|link)\\b"))
