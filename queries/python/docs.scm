(function_definition body: (block . (expression_statement (string (string_content) @doc))))
(class_definition body: (block . (expression_statement (string (string_content) @doc))))
(module . (comment)* . (expression_statement (string (string_content) @doc)))

; x: Annotated[str, Doc("..")]
(call
  function: [(identifier) @_doc (attribute attribute: (identifier) @_doc)]
  arguments: (argument_list . [(string (string_content) @doc.part) (concatenated_string (string (string_content) @doc.part))] .)
  (#eq? @_doc "Doc"))
