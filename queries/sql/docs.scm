; Any comment directly above a definition.
(comment) @doc
