(call_expression function: (_) @callee) @call @arguments

(variable_declaration . (identifier) @target type: (_) @type)
(variable_declaration !type . (identifier) @target . (_) @value .)
(variable_declaration . (identifier) @target . type: (_) . (_) @value .)
(assignment_expression left: (_) @assigned right: (_) @value)
(struct_declaration (container_field name: (identifier) @target type: (_) @type))
(union_declaration (container_field name: (identifier) @target type: (_) @type))
(source_file (container_field name: (identifier) @target type: (_) @type))

; for (items) |item| ...; if (found) |session| ...; while (next()) |session| ...
(for_statement . (_) @each . (payload . (identifier) @target))
(for_expression . (_) @each . (payload . (identifier) @target))
(if_statement condition: (_) @value (payload . (identifier) @target))
(if_expression condition: (_) @value (payload . (identifier) @target))
(while_statement condition: (_) @value (payload . (identifier) @target))
(catch_expression (payload (identifier) @target))
(switch_case (payload (identifier) @target))

(return_expression (_) @return)
