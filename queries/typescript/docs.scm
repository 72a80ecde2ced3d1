((comment) @doc (#match? @doc "^/\\*\\*"))
; JSDoc ignores blank lines. A tag can name another subject: the file, or a type that only the comment declares.
((comment) @doc.spaced
  (#match? @doc.spaced "^/\\*\\*[^*/]")
  (#not-match? @doc.spaced "@(fileoverview|file|overview|license|licence|copyright|module|namespace|typedef|callback|import)\\b"))
