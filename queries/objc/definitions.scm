; Adds what queries/c does not cover.

; @interface NSString (Shorten) and @interface Session () add members to a class. The kind of the match that ends first
; counts.
(class_interface "(") @definition.extension
(class_interface . (identifier) @name "@end") @definition.class
(class_interface [(instance_variables) (property_declaration) (method_declaration) "@end"] @body) @definition.class
(class_interface superclass: (_) @base) @definition.class
(class_interface (parameterized_arguments (type_name (type_identifier) @base))) @definition.class
(class_interface (protocol_reference_list (identifier) @base)) @definition.class
; The methods of a class are defined outside the declaration of the class.
(class_implementation . (identifier) @name) @definition.extension
(class_implementation [(instance_variables) (implementation_definition) "@end"] @body) @definition.extension
(protocol_declaration . (identifier) @name) @definition.interface
(protocol_declaration (protocol_reference_list (identifier) @base)) @definition.interface
(protocol_declaration [(property_declaration) (method_declaration) (qualified_protocol_interface_declaration) "@end"] @body) @definition.interface

(method_definition (method_type)? @returns . (identifier) @name (compound_statement) @body) @definition.method
; A class method: its receiver is the class.
(implementation_definition (method_definition "+" @decorator)) @wrapper
; Classes that conform to a protocol define its methods.
(protocol_declaration (method_declaration (method_type)? @returns . (identifier) @name) @definition.method)
(qualified_protocol_interface_declaration (method_declaration (method_type)? @returns . (identifier) @name) @definition.method)
(class_interface (method_declaration (method_type) . (identifier) @name) @definition.declaration)

(method_parameter (method_type (type_name [(generic_specifier) (primitive_type) (sized_type_specifier) (struct_specifier) (type_identifier) (typedefed_specifier)] @type)) (identifier) @name) @parameter
(method_parameter . (identifier) @name) @parameter

(block_literal) @definition.anonymous
(block_literal (parameter_list (parameter_declaration type: (_) @type declarator: [
  (identifier) @name
  (pointer_declarator (identifier) @name)
]) @parameter))
