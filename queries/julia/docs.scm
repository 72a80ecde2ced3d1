; Comments above a definition, where it has no string.
(line_comment) @doc
(block_comment) @doc
