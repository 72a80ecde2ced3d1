; All kinds of types are class declarations. The kind of the match that ends first counts.
(class_declaration declaration_kind: "struct") @definition.struct
(class_declaration declaration_kind: "enum") @definition.enum
(class_declaration declaration_kind: "extension") @definition.extension
(class_declaration name: (_) @name body: (_) @body) @definition.class
(class_declaration (inheritance_specifier inherits_from: (user_type) @base)) @definition.class
(protocol_declaration name: (_) @name body: (_) @body) @definition.interface
(protocol_declaration (inheritance_specifier inherits_from: (user_type) @base)) @definition.interface
(typealias_declaration name: (type_identifier) @name) @definition.type

(function_declaration "func" . name: _ @name body: (_)? @body) @definition.function
(function_declaration "->" . (_) @returns) @definition.function
(protocol_function_declaration "func" . name: _ @name) @definition.method
(protocol_function_declaration "->" . (_) @returns) @definition.method
(init_declaration "init" @name body: (_)? @body) @definition.method
(deinit_declaration "deinit" @name body: (_) @body) @definition.method
(subscript_declaration "subscript" @name [(computed_property) (protocol_property_requirements)]? @body) @definition.method

; A property is a method if it computes something.
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (computed_property) @body) @definition.method @property
(property_declaration (type_annotation (_) @returns) computed_value: (computed_property)) @definition.method

; let shorten = { text in text.trimmed() }
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  value: (lambda_literal) @body) @definition.function
(lambda_literal) @definition.anonymous

; func shorten(to max: Int = 8): calls pass `max` as `to`
(function_declaration
  (parameter external_name: (_)? @label (simple_identifier) @name . (parameter_modifiers)? . [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type) (type_pack_expansion)] @type) @parameter . ["," ")"])
(function_declaration
  (parameter external_name: (_)? @label (simple_identifier) @name . (parameter_modifiers)? . [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type) (type_pack_expansion)] @type) @parameter . "=" . (_) @default)
(init_declaration
  (parameter external_name: (_)? @label (simple_identifier) @name . (parameter_modifiers)? . [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type) (type_pack_expansion)] @type) @parameter . ["," ")"])
(init_declaration
  (parameter external_name: (_)? @label (simple_identifier) @name . (parameter_modifiers)? . [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type) (type_pack_expansion)] @type) @parameter . "=" . (_) @default)
(protocol_function_declaration
  (parameter external_name: (_)? @label (simple_identifier) @name . (parameter_modifiers)? . [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type) (type_pack_expansion)] @type) @parameter . ["," ")"])
(subscript_declaration
  (parameter external_name: (_)? @label (simple_identifier) @name . (parameter_modifiers)? . [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type) (metatype) (protocol_composition_type) (type_pack_expansion)] @type) @parameter . ["," ")"])
(parameter (simple_identifier) @name "..." @variadic) @parameter
(lambda_parameter name: (simple_identifier) @name (_)? @type) @parameter

; Swift Testing
((function_declaration (modifiers (attribute (user_type (type_identifier) @_name)))) @test (#eq? @_name "Test"))
