; The grammar marks `///`, `//!`, `/**` and `/*!` itself.
(line_comment doc: (_)) @doc
(block_comment doc: (_)) @doc
