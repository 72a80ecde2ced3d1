; #define LIMIT 8; a macro without a value only guards a header
(preproc_def name: (identifier) @name value: (_)) @definition.value
(enumerator name: (identifier) @name) @definition.value
(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator (field_identifier) @name)
  (pointer_declarator (pointer_declarator (field_identifier) @name))
  (array_declarator declarator: (field_identifier) @name)
  (array_declarator declarator: (pointer_declarator (field_identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator (field_identifier) @name)))
]) @definition.member
(declaration declarator: [
  (identifier) @name
  (pointer_declarator (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator (identifier) @name)
    (array_declarator declarator: (identifier) @name)
  ])
]) @definition.value
