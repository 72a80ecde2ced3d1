(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.value
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.value
(property_declaration name: (identifier) @name) @definition.value
(enum_member_declaration name: (identifier) @name) @definition.value
