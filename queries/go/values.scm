(const_spec name: (identifier) @name) @definition.value
(var_spec name: (identifier) @name) @definition.value
(field_declaration name: (field_identifier) @name) @definition.member
