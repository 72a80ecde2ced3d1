((variable_declaration . (identifier) @name . (_) @_value .) @definition.value
  (#not-kind-eq? @_value "builtin_function" "field_expression"))
(variable_declaration . (identifier) @name type: (_)) @definition.value
(struct_declaration (container_field name: (identifier) @name) @definition.value)
(union_declaration (container_field name: (identifier) @name) @definition.value)
(enum_declaration (container_field name: (identifier) @name) @definition.value)
(error_set_declaration (identifier) @name @definition.value)
