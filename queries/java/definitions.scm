(class_declaration name: (_) @name body: (_) @body) @definition.class
(class_declaration superclass: (superclass (_) @base)) @definition.class
(class_declaration interfaces: (super_interfaces (type_list (_) @base))) @definition.class
(record_declaration name: (_) @name body: (_) @body) @definition.struct
(record_declaration interfaces: (super_interfaces (type_list (_) @base))) @definition.struct
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_declaration interfaces: (super_interfaces (type_list (_) @base))) @definition.enum
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(interface_declaration (extends_interfaces (type_list (_) @base))) @definition.interface
(annotation_type_declaration name: (_) @name body: (_) @body) @definition.interface

(method_declaration type: (_) @returns name: (_) @name parameters: (_) @parameters body: (_)? @body) @definition.method
(constructor_declaration name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.method
(compact_constructor_declaration name: (_) @name body: (_) @body) @definition.method
(annotation_type_element_declaration type: (_) @returns name: (_) @name) @definition.method

; Function<A, B> shorten = text -> ...;
(local_variable_declaration
  declarator: (variable_declarator
    name: (identifier) @name
    value: (lambda_expression parameters: (_) @parameters body: (_) @body))) @definition.function
(field_declaration
  declarator: (variable_declarator
    name: (identifier) @name
    value: (lambda_expression parameters: (_) @parameters body: (_) @body))) @definition.function

(lambda_expression body: (_) @body) @definition.anonymous

(formal_parameters (formal_parameter type: (_) @type name: (_) @name) @parameter)
(formal_parameters (spread_parameter (_) @type . (variable_declarator name: (_) @name) .) @parameter @variadic)
(inferred_parameters (identifier) @parameter @name)
(lambda_expression parameters: (identifier) @parameter @name)

((method_declaration (modifiers [(marker_annotation name: (_) @_name) (annotation name: (_) @_name)])) @test
  (#match? @_name "^(Test|ParameterizedTest|RepeatedTest|TestFactory)$"))
