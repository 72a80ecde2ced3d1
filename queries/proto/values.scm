(field (identifier) @name) @definition.value
(map_field (identifier) @name) @definition.value
(oneof_field (identifier) @name) @definition.value
(enum_field . (identifier) @name) @definition.value
