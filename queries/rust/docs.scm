; The grammar itself marks `///`, `//!`, `/**` and `/*!`.
(line_comment doc: (_)) @doc
(block_comment doc: (_)) @doc
; The compiler ignores blank lines after `///` and `/**`.
(line_comment outer: (_) doc: (_)) @doc.spaced
(block_comment outer: (_) doc: (_)) @doc.spaced
; A plain comment, except tasks, directives, reasons for `unsafe`, frames and commented-out code.
((line_comment) @doc.note
  (#match? @doc.note "^//[^/!]")
  (#not-match? @doc.note "^//\\s*(TODO|FIXME|XXX|HACK|SAFETY|NOTE|ignore-|[a-z-]+:|[^\\w\\s]{3})")
  (#not-match? @doc.note "[;{}]\\s*$"))
