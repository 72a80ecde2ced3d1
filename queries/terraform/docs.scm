; Any comment directly above a definition, and its description.
(comment) @doc
((attribute . (identifier) @_description . (expression (literal_value (string_lit (template_literal) @doc))))
  (#eq? @_description "description"))
