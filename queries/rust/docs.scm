; The grammar marks `///`, `//!`, `/**` and `/*!` itself.
(line_comment doc: (_)) @doc
(block_comment doc: (_)) @doc
; The compiler ignores blank lines after `///` and `/**`.
(line_comment outer: (_) doc: (_)) @doc.spaced
(block_comment outer: (_) doc: (_)) @doc.spaced
; A plain comment, but for tasks, directives, reasons of `unsafe`, frames and lines of code.
((line_comment) @doc.note
  (#match? @doc.note "^//[^/!]")
  (#not-match? @doc.note "^//\\s*(TODO|FIXME|XXX|HACK|SAFETY|NOTE|ignore-|[a-z-]+:|[^\\w\\s]{3})")
  (#not-match? @doc.note "[;{}]\\s*$"))
