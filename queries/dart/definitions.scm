(class_definition name: (identifier) @name body: (_)? @body) @definition.class
(class_definition superclass: (superclass . (type_identifier) @base)) @definition.class
(class_definition superclass: (superclass (mixins (type_identifier) @base))) @definition.class
(class_definition interfaces: (interfaces (type_identifier) @base)) @definition.class
(mixin_declaration . (mixin) . (identifier) @name (class_body)? @body) @definition.trait
(mixin_declaration (type_identifier) @base) @definition.trait
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(enum_declaration (interfaces (type_identifier) @base)) @definition.enum
(enum_declaration (mixins (type_identifier) @base)) @definition.enum
(extension_declaration class: (type_identifier) @name body: (_)? @body) @definition.extension
(extension_type_declaration name: (identifier) @name body: (_)? @body) @definition.struct
(extension_type_declaration interfaces: (interfaces (type_identifier) @base)) @definition.struct
; class Both = Base with First implements Second;
(class_definition (mixin_application_class . (identifier) @name)) @definition.class
(class_definition (mixin_application_class (mixin_application . (type_identifier) @base))) @definition.class
(class_definition (mixin_application_class (mixin_application (mixins (type_identifier) @base)))) @definition.class
(class_definition (mixin_application_class (mixin_application (interfaces (type_identifier) @base)))) @definition.class
(type_alias . (type_identifier) @name) @definition.type

; Functions and methods. A getter is called by its name.
(function_declaration
  signature: [(function_signature name: (identifier) @name (formal_parameter_list)? @parameters)
              (getter_signature name: (identifier) @name)
              (setter_signature name: (identifier) @name (formal_parameter_list) @parameters)]
  body: (_) @body) @definition.function
(method_declaration
  signature: (method_signature
    [(function_signature name: (identifier) @name (formal_parameter_list)? @parameters)
     (getter_signature name: (identifier) @name)
     (setter_signature name: (identifier) @name (formal_parameter_list) @parameters)
     (constructor_signature name: (identifier) @name . parameters: (_) @parameters)
     (factory_constructor_signature (identifier) @name . (formal_parameter_list) @parameters)
     (constant_constructor_signature (identifier) @name . (formal_parameter_list) @parameters)
     (operator_signature (_) @name . (formal_parameter_list) @parameters)])
  body: (_)? @body) @definition.method
(declaration
  [(function_signature name: (identifier) @name (formal_parameter_list)? @parameters)
   (getter_signature name: (identifier) @name)
   (constructor_signature name: (identifier) @name . parameters: (_) @parameters)
   (constant_constructor_signature (identifier) @name . (formal_parameter_list) @parameters)
   (factory_constructor_signature (identifier) @name . (formal_parameter_list) @parameters)
   (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list) @parameters)
   (operator_signature (_) @name . (formal_parameter_list) @parameters)]) @definition.method
(lambda_expression
  parameters: (function_signature name: (identifier) @name (formal_parameter_list)? @parameters)
  body: (_) @body) @definition.function
; final shorten = (String text) => text.trim();
(initialized_variable_definition
  name: (identifier) @name
  value: (function_expression parameters: (_) @parameters body: (_) @body)) @definition.function
(function_expression body: (_) @body) @definition.anonymous

; A declared result; the first type argument of a future or a collection.
((function_declaration signature: [(function_signature . (type_identifier) @returns) (getter_signature . (type_identifier) @returns)]) @definition.function
  (#not-match? @returns "^(Future|FutureOr|Stream|List|Iterable|Set)$"))
((function_declaration signature: (function_signature . (type_identifier) @_type . (type_arguments . (type_identifier) @returns))) @definition.function
  (#any-of? @_type "Future" "FutureOr" "Stream" "List" "Iterable" "Set"))
((method_declaration signature: (method_signature [(function_signature . (type_identifier) @returns) (getter_signature . (type_identifier) @returns)])) @definition.method
  (#not-match? @returns "^(Future|FutureOr|Stream|List|Iterable|Set)$"))
((method_declaration signature: (method_signature (function_signature . (type_identifier) @_type . (type_arguments . (type_identifier) @returns)))) @definition.method
  (#any-of? @_type "Future" "FutureOr" "Stream" "List" "Iterable" "Set"))
((declaration [(function_signature . (type_identifier) @returns) (getter_signature . (type_identifier) @returns)]) @definition.method
  (#not-match? @returns "^(Future|FutureOr|Stream|List|Iterable|Set)$"))
((declaration (function_signature . (type_identifier) @_type . (type_arguments . (type_identifier) @returns))) @definition.method
  (#any-of? @_type "Future" "FutureOr" "Stream" "List" "Iterable" "Set"))
; A constructor returns an object of its type.
(method_declaration
  signature: (method_signature [(constructor_signature . name: (identifier) @returns) (factory_constructor_signature . (identifier) @returns)])) @definition.method
(declaration
  [(constructor_signature . name: (identifier) @returns)
   (constant_constructor_signature (const_builtin) . (identifier) @returns)
   (redirecting_factory_constructor_signature . (identifier) @returns)]) @definition.method

(optional_formal_parameters
  ["[" "{"] @default
  (formal_parameter [(type_identifier) (function_type) (constructor_param) (super_formal_parameter)]? @type name: (identifier) @name) @parameter)
(optional_formal_parameters
  ["[" "{"] @default
  (formal_parameter [(constructor_param (identifier) @name) (super_formal_parameter (identifier) @name)]) @parameter)
(formal_parameter [(type_identifier) (function_type)]? @type name: (identifier) @name) @parameter
(formal_parameter [(constructor_param (identifier) @name) (super_formal_parameter (identifier) @name)]) @parameter
(formal_parameter . (identifier) @name .) @parameter
