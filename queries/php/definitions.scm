(function_definition name: (name) @name parameters: (_) @parameters return_type: (_)? @returns body: (_) @body) @definition.function
(method_declaration name: (name) @name parameters: (_) @parameters return_type: (_)? @returns body: (_)? @body) @definition.method

(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(namespace_definition name: (_) @name body: (_) @body) @definition.module

(class_declaration (base_clause [(name) (qualified_name)] @base)) @definition.class
(class_declaration (class_interface_clause [(name) (qualified_name)] @base)) @definition.class
(class_declaration body: (declaration_list (use_declaration [(name) (qualified_name)] @base.mixin))) @definition.class
(interface_declaration (base_clause [(name) (qualified_name)] @base)) @definition.interface
(enum_declaration (class_interface_clause [(name) (qualified_name)] @base)) @definition.enum
(trait_declaration body: (declaration_list (use_declaration [(name) (qualified_name)] @base.mixin))) @definition.trait

; $handler = function ($request) { ... };   $handler = fn($request) => ...;
(assignment_expression
  left: (variable_name) @name
  right: [
    (anonymous_function parameters: (_) @parameters return_type: (_)? @returns body: (_) @body)
    (arrow_function parameters: (_) @parameters return_type: (_)? @returns body: (_) @body)
  ]) @definition.function
(expression_statement (assignment_expression left: (variable_name) right: [(anonymous_function) (arrow_function)])) @wrapper
(anonymous_function) @definition.anonymous
(arrow_function) @definition.anonymous

(formal_parameters [
  (simple_parameter type: (_)? @type name: (variable_name) @name default_value: (_)? @default) @parameter
  (variadic_parameter type: (_)? @type name: (variable_name) @name) @parameter
  (property_promotion_parameter type: (_)? @type name: (variable_name) @name default_value: (_)? @default) @parameter
])

((method_declaration attributes: (attribute_list (attribute_group (attribute (name) @_name)))) @test
  (#match? @_name "^(Test|TestWith|DataProvider)$"))
