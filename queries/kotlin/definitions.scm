; Interfaces and enums are class declarations, too. The kind of the match that ends first counts.
(class_declaration "interface") @definition.interface
(class_declaration (modifiers (class_modifier "enum" @_kind))) @definition.enum
(class_declaration name: (_) @name [(class_body) (enum_class_body)]? @body) @definition.class
(class_declaration (primary_constructor (class_parameters) @parameters)) @definition.class
(object_declaration name: (_) @name (class_body)? @body) @definition.class
(type_alias type: (_) @name) @definition.type
(class_declaration (delegation_specifiers (delegation_specifier (user_type) @base))) @definition.class
(class_declaration (delegation_specifiers (delegation_specifier (constructor_invocation . (user_type) @base)))) @definition.class
(class_declaration (delegation_specifiers (delegation_specifier (explicit_delegation . (user_type) @base)))) @definition.class
(object_declaration (delegation_specifiers (delegation_specifier (user_type) @base))) @definition.class
(object_declaration (delegation_specifiers (delegation_specifier (constructor_invocation . (user_type) @base)))) @definition.class

(function_declaration name: (_) @name (function_value_parameters) @parameters (function_body)? @body) @definition.function
; fun String.shorten(): a member of the type before the name
(function_declaration [(user_type) (nullable_type)] @receiver . "." . name: (_)) @definition.function
(function_declaration (function_value_parameters) . [(user_type) (nullable_type) (function_type)] @returns) @definition.function
(secondary_constructor "constructor" @name (function_value_parameters) @parameters (block)? @body) @definition.method

; A property is a method if it computes something.
(property_declaration (variable_declaration . (identifier) @name) (getter (function_body) @body)) @definition.method @property
(property_declaration (variable_declaration . (identifier) . (_) @returns) (getter (function_body))) @definition.method
(property_declaration [(user_type) (nullable_type)] @receiver . "." . (variable_declaration) (getter (function_body))) @definition.method

; val shorten = { text: String -> text.trim() }
(property_declaration (variable_declaration . (identifier) @name) "=" . (lambda_literal (lambda_parameters)? @parameters) @body) @definition.function
(property_declaration
  (variable_declaration . (identifier) @name)
  "=" . (anonymous_function (function_value_parameters) @parameters (function_body) @body)) @definition.function
(lambda_literal) @definition.anonymous
(anonymous_function) @definition.anonymous
; The functions of an object expression are no members of the type around it.
(object_literal (class_body) @definition.anonymous)

; The default value follows the parameter.
(function_value_parameters (parameter . (identifier) @name . (_) @type) @parameter . ["," ")"])
(function_value_parameters (parameter . (identifier) @name . (_) @type) @parameter . "=" . (_) @default)
(function_value_parameters
  (parameter_modifiers (parameter_modifier "vararg") @variadic) . (parameter . (identifier) @name) @parameter)
(class_parameters
  (class_parameter
    (modifiers (parameter_modifier "vararg"))? @variadic
    (identifier) @name . (_) @type . (_)? @default) @parameter)
(lambda_parameters (variable_declaration . (identifier) @name . (_)? @type) @parameter)

; JUnit, TestNG, kotlin.test
((function_declaration (modifiers (annotation (user_type (identifier) @_name .)))) @test
  (#match? @_name "^(Test|ParameterizedTest|RepeatedTest|TestFactory)$"))
((annotated_expression (annotation (user_type (identifier) @_name .))) @test
  (#match? @_name "^(Test|ParameterizedTest|RepeatedTest|TestFactory)$"))
((function_declaration (modifiers (annotation (constructor_invocation (user_type (identifier) @_name .))))) @test
  (#match? @_name "^(Test|ParameterizedTest|RepeatedTest|TestFactory)$"))
