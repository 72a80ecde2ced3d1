(function_definition body: (block . (expression_statement (string (string_content) @doc))))
(class_definition body: (block . (expression_statement (string (string_content) @doc))))
(module . (comment)* . (expression_statement (string (string_content) @doc)))
