; Adds what queries/c does not cover.
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.member
(declaration declarator: (init_declarator declarator: (reference_declarator (identifier) @name))) @definition.value
