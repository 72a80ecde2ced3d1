((comment) @doc (#match? @doc "^/\\*\\*"))
; phpDocumentor ignores blank lines. A comment that starts with one of these tags describes the file.
((comment) @doc.spaced
  (#match? @doc.spaced "^/\\*\\*[^*/]")
  (#not-match? @doc.spaced "@(package|subpackage|copyright|license|file|category|link)\\b"))
