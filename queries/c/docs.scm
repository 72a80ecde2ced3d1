; Any comment right above a definition.
(comment) @doc
