; Any comment right above a definition.
(comment) @doc
; Doxygen ignores blank lines; but a command may name another subject: a file, a group.
((comment) @doc.spaced
  (#match? @doc.spaced "^(///[^/]|/\\*\\*[^*/])")
  (#not-match? @doc.spaced "[@\\\\](file|defgroup|addtogroup|ingroup|name|page|mainpage|copyright|license|[{}])"))
