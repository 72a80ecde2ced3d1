(property_declaration (struct_declaration (struct_declarator [
  (identifier) @name
  (pointer_declarator (identifier) @name)
  (function_declarator (parenthesized_declarator (block_pointer_declarator (identifier) @name)))
]))) @definition.value
(instance_variable (struct_declaration (struct_declarator [
  (identifier) @name
  (pointer_declarator (identifier) @name)
]))) @definition.value
