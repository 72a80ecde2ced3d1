; Adds what queries/c does not cover.

; Members, operators and destructors, inside a type or with the path of the type: Session::name, app::Session::name.
(function_definition
  type: (_)? @returns
  declarator: [
    (function_declarator
      declarator: [(field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @name parameters: (_) @parameters)
    (reference_declarator (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier)] @name parameters: (_) @parameters))
    (pointer_declarator (function_declarator
      declarator: [(field_identifier) (operator_name) (qualified_identifier)] @name parameters: (_) @parameters))
    (pointer_declarator (pointer_declarator (function_declarator
      declarator: [(field_identifier) (operator_name) (qualified_identifier)] @name parameters: (_) @parameters)))
  ]
  body: (_) @body) @definition.function

; Constructors have no return type; `operator bool()` is its own declarator.
(field_declaration_list (function_definition
  !type
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
  body: (_) @body) @definition.function)
(field_declaration_list (template_declaration (function_definition
  !type
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
  body: (_) @body) @definition.function))
(field_declaration_list [
  (preproc_ifdef (function_definition
    !type
    declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    body: (_) @body) @definition.function)
  (preproc_if (function_definition
    !type
    declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    body: (_) @body) @definition.function)
  (preproc_ifdef (template_declaration (function_definition
    !type
    declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    body: (_) @body) @definition.function))
  (preproc_if (template_declaration (function_definition
    !type
    declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    body: (_) @body) @definition.function))
])
; static constexpr int (max)() { ... }: the parser takes the type for the name.
(field_declaration_list (function_definition
  !type
  declarator: (function_declarator
    declarator: (function_declarator
      declarator: (identifier) @returns
      parameters: (parameter_list . (parameter_declaration type: (type_identifier) @name !declarator) .))
    parameters: (_) @parameters)
  body: (_) @body) @definition.function)
(function_definition declarator: (operator_cast) @name body: (_) @body) @definition.function
; Session::operator bool() const { ... }
(function_definition !type declarator: (qualified_identifier) @name body: (_) @body) @definition.function
; template <> int twice<int>(int value) { ... }
(function_definition
  type: (_) @returns
  declarator: [
    (function_declarator declarator: (template_function name: (identifier) @name) parameters: (_) @parameters)
    (pointer_declarator (function_declarator declarator: (template_function name: (identifier) @name) parameters: (_) @parameters))
    (reference_declarator (function_declarator declarator: (template_function name: (identifier) @name) parameters: (_) @parameters))
  ]
  body: (_) @body) @definition.function

; A method that is only declared counts if no body can follow: virtual void close() = 0;
(field_declaration
  type: (_) @returns
  declarator: [
    (function_declarator declarator: (field_identifier) @name parameters: (_) @parameters)
    (pointer_declarator (function_declarator declarator: (field_identifier) @name parameters: (_) @parameters))
    (reference_declarator (function_declarator declarator: (field_identifier) @name parameters: (_) @parameters))
  ]
  default_value: (_)) @definition.method

; Other declared methods are defined elsewhere.
(declaration declarator: [
  (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
]) @definition.declaration
(field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (pointer_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  ]
  !default_value) @definition.declaration

; A macro with arguments in place of a function's head: TEST_F(SessionTest, Renews) { ... }
([(translation_unit (function_definition !type
     declarator: (function_declarator declarator: (identifier) @_macro
       parameters: (parameter_list . (parameter_declaration !declarator) @receiver . (parameter_declaration !declarator) @name .) @parameters)
     body: (_) @body) @definition.method)
  (declaration_list (function_definition !type
     declarator: (function_declarator declarator: (identifier) @_macro
       parameters: (parameter_list . (parameter_declaration !declarator) @receiver . (parameter_declaration !declarator) @name .) @parameters)
     body: (_) @body) @definition.method)]
  (#not-match? @_macro "^BOOST_"))
; TEST(Renews) { ... }, BOOST_FIXTURE_TEST_CASE(renews, Fixture) { ... }: the name is first.
([(translation_unit (function_definition !type
     declarator: (function_declarator declarator: (identifier) @_macro
       parameters: (parameter_list . (parameter_declaration !declarator) @name) @parameters)
     body: (_) @body) @definition.function)
  (declaration_list (function_definition !type
     declarator: (function_declarator declarator: (identifier) @_macro
       parameters: (parameter_list . (parameter_declaration !declarator) @name) @parameters)
     body: (_) @body) @definition.function)]
  (#match? @_macro "^BOOST_[A-Z_]*TEST_CASE"))
([(translation_unit (function_definition !type
     declarator: (function_declarator declarator: (identifier) @_macro
       parameters: (parameter_list . (parameter_declaration !declarator) @name .) @parameters)
     body: (_) @body) @definition.function)
  (declaration_list (function_definition !type
     declarator: (function_declarator declarator: (identifier) @_macro
       parameters: (parameter_list . (parameter_declaration !declarator) @name .) @parameters)
     body: (_) @body) @definition.function)]
  (#match? @_macro "^TEST"))

(class_specifier name: [(type_identifier) (qualified_identifier)] @name body: (_) @body) @definition.class
(class_specifier name: (template_type name: (_) @name) body: (_) @body) @definition.class
(struct_specifier name: (qualified_identifier) @name body: (_) @body) @definition.struct
(struct_specifier name: (template_type name: (_) @name) body: (_) @body) @definition.struct
(class_specifier (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)) @definition.class
(struct_specifier (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)) @definition.struct

; class EXPORT Session { ... }: a macro before the name makes it look like a function.
(function_definition type: (class_specifier !body) declarator: (identifier) @name body: (_) @body) @definition.class
(function_definition type: (struct_specifier !body) declarator: (identifier) @name body: (_) @body) @definition.struct

(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.type
(namespace_definition name: (_) @name body: (_) @body) @definition.module

; auto shorten = [limit](std::string text) { ... };
(declaration declarator: (init_declarator
  declarator: (identifier) @name
  value: (lambda_expression declarator: (_)? @parameters body: (_) @body))) @definition.function
(lambda_expression) @definition.anonymous

(template_declaration) @wrapper

(parameter_list (parameter_declaration type: (_) @type declarator: [
  (reference_declarator (identifier) @name)
  (pointer_declarator (reference_declarator (identifier) @name))
]) @parameter)
(parameter_list (optional_parameter_declaration type: (_) @type declarator: [
  (identifier) @name
  (pointer_declarator (identifier) @name)
  (reference_declarator (identifier) @name)
] default_value: (_) @default) @parameter)
(parameter_list (variadic_parameter_declaration type: (_) @type declarator: [
  (variadic_declarator (identifier) @name)
  (reference_declarator (variadic_declarator (identifier) @name))
]) @parameter @variadic)

; TEST(...), TEST_F(...), TEST_P(...)
((function_definition !type declarator: (function_declarator declarator: (identifier) @_macro)) @test
  (#match? @_macro "TEST"))

((declaration_list
  (expression_statement (call_expression function: (identifier) @_macro))
  . (compound_statement) @definition.anonymous @test)
  (#match? @_macro "^(TEST|SCENARIO|Test|TEMPLATE_(PRODUCT_|LIST_)?TEST)"))
