(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.value)
(chunk (assignment_statement (variable_list name: (dot_index_expression field: (identifier) @name))) @definition.value)
; self.name = name
((assignment_statement (variable_list name: (dot_index_expression table: (identifier) @_self field: (identifier) @name))) @definition.member
  (#eq? @_self "self"))
; local Color = { red = 1 }; return { red = 1 }
(chunk (variable_declaration (assignment_statement (expression_list . value: (table_constructor (field name: (identifier) @name) @definition.value) .))))
(chunk (return_statement (expression_list . (table_constructor (field name: (identifier) @name) @definition.value) .)))
