(field_definition (name) @name) @definition.value
(input_fields_definition (input_value_definition (name) @name) @definition.value)
(enum_value_definition (enum_value (name) @name)) @definition.value
