(function_call name: (_) @callee arguments: (_) @arguments) @call

(variable_declaration (assignment_statement (variable_list) @target (expression_list) @value))
(assignment_statement (variable_list) @assigned (expression_list) @value)
(for_generic_clause (variable_list) @target (expression_list) @value)
(for_numeric_clause name: (_) @target)

; At the top level, the value of the module.
(return_statement (expression_list (_) @return))

; A function in a table: function M.open() ... end
(function_declaration name: (dot_index_expression) @assigned) @value
