(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.value)
(chunk (assignment_statement (variable_list name: (dot_index_expression field: (identifier) @name))) @definition.value)
; self.name = name
((assignment_statement (variable_list name: (dot_index_expression table: (identifier) @_self field: (identifier) @name))) @definition.member
  (#eq? @_self "self"))
