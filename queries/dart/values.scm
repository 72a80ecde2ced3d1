(initialized_identifier . (identifier) @name) @definition.value
(static_final_declaration . (identifier) @name) @definition.value
(enum_constant name: (identifier) @name) @definition.value
