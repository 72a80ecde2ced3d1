(const_statement (assignment . [(identifier) @name (typed_expression . (identifier) @name)])) @definition.value
(source_file (assignment . (identifier) @name) @definition.value)
(module_definition (assignment . (identifier) @name) @definition.value)
(struct_definition (identifier) @name @definition.value)
(struct_definition (typed_expression . (identifier) @name) @definition.value)
(struct_definition (assignment . [(identifier) @name (typed_expression . (identifier) @name)]) @definition.value)
; @enum Mode open closed
((macrocall_expression (macro_identifier (identifier) @_enum) (macro_argument_list (identifier) @name)) @definition.value
  (#eq? @_enum "enum"))
