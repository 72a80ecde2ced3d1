(object_type_definition (name) @name (fields_definition)? @body) @definition.class
(interface_type_definition (name) @name (fields_definition)? @body) @definition.interface
(input_object_type_definition (name) @name (input_fields_definition)? @body) @definition.struct
(enum_type_definition (name) @name (enum_values_definition)? @body) @definition.enum
(union_type_definition (name) @name) @definition.type
(scalar_type_definition (name) @name) @definition.type
(directive_definition (name) @name (arguments_definition)? @parameters) @definition.macro
(object_type_definition (implements_interfaces (named_type (name) @base))) @definition.class
(object_type_definition (implements_interfaces (implements_interfaces (named_type (name) @base)))) @definition.class
(interface_type_definition (implements_interfaces (named_type (name) @base))) @definition.interface

; extend type Query { ... }
(object_type_extension (name) @name (fields_definition) @body) @definition.extension
(interface_type_extension (name) @name (fields_definition) @body) @definition.extension
(input_object_type_extension (name) @name (input_fields_definition) @body) @definition.extension
(enum_type_extension (name) @name (enum_values_definition) @body) @definition.extension

; A field with arguments, and each field of the root types.
(field_definition (name) @name (arguments_definition) @parameters (type) @returns) @definition.method
((object_type_definition (name) @_root
  (fields_definition (field_definition (name) @name (type) @returns) @definition.method))
  (#any-of? @_root "Query" "Mutation" "Subscription"))
((object_type_extension (name) @_root
  (fields_definition (field_definition (name) @name (type) @returns) @definition.method))
  (#any-of? @_root "Query" "Mutation" "Subscription"))
(input_value_definition (name) @name (type) @type (default_value)? @default) @parameter

(operation_definition (name) @name (variable_definitions)? @parameters (selection_set) @body) @definition.function
(fragment_definition (fragment_name (name) @name) (selection_set) @body) @definition.function
