(function_item
  name: (_) @name
  parameters: (parameters) @parameters
  return_type: (_)? @returns
  body: (block) @body) @definition.function

(function_signature_item
  name: (_) @name
  parameters: (parameters) @parameters
  return_type: (_)? @returns) @definition.function

(struct_item name: (type_identifier) @name body: (_)? @body) @definition.struct
(union_item name: (type_identifier) @name body: (_)? @body) @definition.struct
(enum_item name: (type_identifier) @name body: (_)? @body) @definition.enum
(trait_item name: (type_identifier) @name body: (_) @body) @definition.trait
(trait_item bounds: (trait_bounds (_) @base)) @definition.trait
; Not in traits and impls: `type Item = X` there is a binding (calls.scm).
(source_file (type_item name: (type_identifier) @name) @definition.type)
(mod_item body: (declaration_list (type_item name: (type_identifier) @name) @definition.type))
(block (type_item name: (type_identifier) @name) @definition.type)
(mod_item name: (identifier) @name body: (declaration_list) @body) @definition.module
(macro_definition name: (identifier) @name . (macro_rule)? @body) @definition.macro

; impl Type { ... }, impl Trait for Type { ... }: the members belong to the type, and the trait is a base of the type.
(impl_item type: (_) @name body: (_) @body) @definition.extension
(impl_item trait: (_) @base type: (_) @name body: (_) @body) @definition.extension

(let_declaration
  pattern: (identifier) @name
  value: (closure_expression parameters: (closure_parameters) @parameters body: (_) @body)) @definition.function

(closure_expression) @definition.anonymous

(parameters (self_parameter (self) @name) @parameter)
(parameters (parameter pattern: (identifier) @name type: (_) @type) @parameter)
(parameters (parameter pattern: (mut_pattern (identifier) @name) type: (_) @type) @parameter)
(closure_parameters (identifier) @parameter @name)
(closure_parameters (reference_pattern (identifier) @name) @parameter)
(closure_parameters (mut_pattern (identifier) @name) @parameter)
; Each name of a tuple counts as a parameter of its own.
(closure_parameters (tuple_pattern (identifier) @parameter @name))
(closure_parameters (tuple_pattern (reference_pattern (identifier) @name) @parameter))
(closure_parameters (tuple_pattern (tuple_pattern (identifier) @parameter @name)))
(closure_parameters (parameter pattern: (identifier) @name type: (_) @type) @parameter)

((attribute_item (attribute (identifier) @_name)) @test (#match? @_name "^(test|bench|rstest|proptest|test_case)$"))
((attribute_item (attribute (scoped_identifier name: (identifier) @_name))) @test (#eq? @_name "test"))
((attribute_item (attribute (identifier) @_name arguments: (token_tree (identifier) @_what))) @test
  (#eq? @_name "cfg") (#eq? @_what "test"))
