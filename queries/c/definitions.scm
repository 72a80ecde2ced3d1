; The name of a function is inside its declarator, below one pointer for each `*` of the return type.
(function_definition
  type: (_) @returns
  declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (pointer_declarator (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name parameters: (_) @parameters)))
    ; void (*handler(int x))(int) { ... }
    (function_declarator (parenthesized_declarator (pointer_declarator
      (function_declarator declarator: (identifier) @name parameters: (_) @parameters))))
  ]
  body: (_) @body) @definition.function

; A macro in place of a function's head: TEST_IMPL(name) { ... }
(function_definition
  type: (type_identifier)
  declarator: (parenthesized_declarator (identifier) @name) @parameters
  body: (_) @body) @definition.function

(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum

; typedef struct tag { ... } name: one type with the name of its tag; calls.scm makes `name` an alias.
(type_definition type: (struct_specifier name: (_) body: (_))) @wrapper
(type_definition type: (union_specifier name: (_) body: (_))) @wrapper
(type_definition type: (enum_specifier name: (_) body: (_))) @wrapper

(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition
  type: [(type_identifier) (primitive_type) (sized_type_specifier)
         (struct_specifier !body) (union_specifier !body) (enum_specifier !body)]
  declarator: [
    (type_identifier) @name
    (pointer_declarator (type_identifier) @name)
    (array_declarator (type_identifier) @name)
    (function_declarator declarator: (type_identifier) @name)
    (pointer_declarator (function_declarator declarator: (type_identifier) @name))
    (function_declarator (parenthesized_declarator (type_identifier) @name))
    (function_declarator (parenthesized_declarator (pointer_declarator (type_identifier) @name)))
    (pointer_declarator (function_declarator (parenthesized_declarator (pointer_declarator (type_identifier) @name))))
  ]) @definition.type

; struct { int (*run)(int); } commands[] = ...: a type without a name
(declaration type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))] @object)

; A function that is only declared: its comment documents the definition.
(declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator (function_declarator declarator: (identifier) @name))
  (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name)))
]) @definition.declaration

(preproc_function_def name: (identifier) @name parameters: (_) @parameters value: (_)? @body) @definition.macro

(parameter_list (parameter_declaration type: (_) @type declarator: [
  (identifier) @name
  (pointer_declarator (identifier) @name)
  (pointer_declarator (pointer_declarator (identifier) @name))
  (array_declarator declarator: (identifier) @name)
  (function_declarator (parenthesized_declarator (pointer_declarator (identifier) @name)))
]) @parameter)
(preproc_params (identifier) @parameter @name)

; A call of a macro in place of a function's head: TEST_CASE("adds", "[math]") { ... }, Test(math, adds) { ... }
([(translation_unit
    (expression_statement (call_expression function: (identifier) @_macro))
    . (compound_statement) @definition.anonymous @test)
  (preproc_ifdef
    (expression_statement (call_expression function: (identifier) @_macro))
    . (compound_statement) @definition.anonymous @test)
  (preproc_if
    (expression_statement (call_expression function: (identifier) @_macro))
    . (compound_statement) @definition.anonymous @test)]
  (#match? @_macro "^(TEST|SCENARIO|Test|TEMPLATE_(PRODUCT_|LIST_)?TEST)"))
