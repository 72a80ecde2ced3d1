(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.value
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.value
(enum_entry name: (simple_identifier) @name) @definition.value
