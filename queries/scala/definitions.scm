; implicit class Text(val text: String): an extension of its parameter's type
(class_definition (modifiers "implicit" @_kind)) @definition.extension
(class_definition (modifiers "implicit") (class_parameters . (class_parameter type: (_) @name))) @definition.extension
(class_definition name: (_) @name body: (_)? @body) @definition.class
(class_definition (class_parameters) @parameters) @definition.class
(class_definition (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base)) @definition.class
(object_definition name: (_) @name body: (_)? @body) @definition.class
(object_definition (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base)) @definition.class
(trait_definition name: (_) @name body: (_)? @body) @definition.trait
(trait_definition (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base)) @definition.trait
(enum_definition name: (_) @name body: (_)? @body) @definition.enum
(enum_definition (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base)) @definition.enum
; given intCodec: Codec[Int] with { ... }
(given_definition name: (_) @name body: (with_template_body) @body) @definition.class
(given_definition !name return_type: (_) @name body: (with_template_body) @body) @definition.class
(given_definition return_type: (_) @base body: (with_template_body)) @definition.class
(package_object name: (_) @name body: (_)? @body) @definition.module
(type_definition name: (_) @name) @definition.type
; A type and the object with its name are parts of one type.
(class_definition name: (_) @partial)
(object_definition name: (_) @partial)
(trait_definition name: (_) @partial)
; extension (text: String) def shorten(max: Int)
(extension_definition (parameters (parameter type: (_) @name))) @definition.extension

(function_definition name: (_) @name (parameters)? @parameters return_type: (_)? @returns body: (_) @body) @definition.function
(function_declaration name: (_) @name (parameters)? @parameters return_type: (_)? @returns) @definition.function
; val shorten = (text: String) => text.trim
(val_definition pattern: (identifier) @name value: (lambda_expression parameters: (_) @parameters (_) @body .)) @definition.function
(lambda_expression) @definition.anonymous
; The functions of an anonymous class are no members of the type around it.
(instance_expression (template_body) @definition.anonymous)

; An argument for an implicit parameter may be left out.
(parameters ["implicit" "using"] @default (parameter name: (identifier) @name type: (_) @type) @parameter)
(parameters (parameter name: (identifier) @name type: (_)? @type default_value: (_)? @default) @parameter)
(parameters (parameter name: (identifier) @name type: (repeated_parameter_type) @variadic) @parameter)
(class_parameters ["implicit" "using"] @default (class_parameter name: (identifier) @name type: (_) @type) @parameter)
(class_parameters (class_parameter name: (identifier) @name type: (_)? @type default_value: (_)? @default) @parameter)
(bindings (binding name: (_) @name type: (_)? @type) @parameter)
(lambda_expression parameters: (identifier) @parameter @name)

((function_definition (annotation name: (_) @_name)) @test (#match? @_name "^(Test|ParameterizedTest)$"))

; The body of a test is a block: test("adds") { ... }; "A sum" should "be positive" in { ... }
((call_expression
  function: (call_expression function: (identifier) @_test)
  arguments: [(block) (colon_argument)] @definition.anonymous)
  (#any-of? @_test "test" "it" "they" "property" "Scenario" "scenario" "beforeAll" "beforeEach"))
((infix_expression operator: (_) @_in right: (block) @definition.anonymous) (#any-of? @_in "in" ">>" "-" "!"))
