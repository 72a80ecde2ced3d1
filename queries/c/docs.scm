; Any comment directly above a definition.
(comment) @doc
; Doxygen ignores blank lines. A command can name another subject: a file, a group.
((comment) @doc.spaced
  (#match? @doc.spaced "^(///[^/]|/\\*\\*[^*/])")
  (#not-match? @doc.spaced "[@\\\\](file|defgroup|addtogroup|ingroup|name|page|mainpage|copyright|license|[{}])"))
