(program (variable_assignment name: (variable_name) @name) @definition.value)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.value)
