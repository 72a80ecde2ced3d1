(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.value
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.value
(enum_constant name: (identifier) @name) @definition.value
; The components of a record are its fields.
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.value))
