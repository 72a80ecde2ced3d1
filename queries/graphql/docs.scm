; A description, or any comment directly above a definition.
(description (string_value) @doc)
(comment) @doc
