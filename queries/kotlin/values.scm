(property_declaration (variable_declaration . (identifier) @name)) @definition.value
(class_parameter ["val" "var"] (identifier) @name) @definition.value
(enum_entry (identifier) @name) @definition.value
