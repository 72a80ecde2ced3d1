(field name: (field_name (variable) @name)) @definition.value
(data_constructor [(prefix name: (constructor) @name) (record name: (constructor) @name)]) @definition.value
(newtype_constructor name: (constructor) @name) @definition.value
(gadt_constructor name: (constructor) @name) @definition.value
