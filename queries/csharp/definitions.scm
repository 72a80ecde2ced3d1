(class_declaration name: (identifier) @name body: (_)? @body) @definition.class
(struct_declaration name: (identifier) @name body: (_)? @body) @definition.struct
(record_declaration name: (identifier) @name body: (_)? @body) @definition.struct
(interface_declaration name: (identifier) @name body: (_)? @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(delegate_declaration type: (_) @returns name: (identifier) @name parameters: (_) @parameters) @definition.type
; partial class Session { ... }
(class_declaration (modifier "partial") @partial)
(struct_declaration (modifier "partial") @partial)
(interface_declaration (modifier "partial") @partial)
(record_declaration (modifier "partial") @partial)
(namespace_declaration name: (_) @name body: (_) @body) @definition.module

(class_declaration (base_list [(identifier) (generic_name) (qualified_name)] @base)) @definition.class
(class_declaration (base_list (primary_constructor_base_type type: (_) @base))) @definition.class
(struct_declaration (base_list [(identifier) (generic_name) (qualified_name)] @base)) @definition.struct
(record_declaration (base_list [(identifier) (generic_name) (qualified_name)] @base)) @definition.struct
(record_declaration (base_list (primary_constructor_base_type type: (_) @base))) @definition.struct
(interface_declaration (base_list [(identifier) (generic_name) (qualified_name)] @base)) @definition.interface

; Parameters of the type itself: class Service(IClock clock)
(class_declaration (parameter_list) @parameters) @definition.class
(struct_declaration (parameter_list) @parameters) @definition.struct
(record_declaration (parameter_list) @parameters) @definition.struct

(method_declaration returns: (_) @returns name: (identifier) @name parameters: (_) @parameters body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name parameters: (_) @parameters body: (_)? @body) @definition.method
(destructor_declaration "~" @name parameters: (_) @parameters body: (_)? @body) @definition.method
(operator_declaration type: (_) @returns operator: _ @name parameters: (_) @parameters body: (_)? @body) @definition.method
; The type is not the name: `implicit operator Session(string text)` is not a constructor.
(conversion_operator_declaration "operator" @name type: (_) @returns parameters: (_) @parameters body: (_)? @body) @definition.method
(indexer_declaration type: (_) @returns "this" @name parameters: (_) @parameters accessors: (_)? @body) @definition.method
(local_function_statement type: (_) @returns name: (identifier) @name parameters: (_) @parameters body: (_) @body) @definition.function

; A property is a method if it computes something; `{ get; set; }` is a field (see calls.scm).
(property_declaration type: (_) @returns name: (identifier) @name value: (arrow_expression_clause) @body) @definition.method @property
(property_declaration type: (_) @returns name: (identifier) @name accessors: (accessor_list (accessor_declaration body: (_))) @body) @definition.method @property

; Func<int, int> twice = x => x * 2; also as a field
(variable_declarator
  name: (identifier) @name
  (lambda_expression parameters: (_) @parameters body: (_) @body)) @definition.function
(variable_declarator
  name: (identifier) @name
  (anonymous_method_expression parameters: (_)? @parameters (block) @body)) @definition.function
(local_declaration_statement (variable_declaration (variable_declarator [(lambda_expression) (anonymous_method_expression)]))) @wrapper
(field_declaration (variable_declaration (variable_declarator [(lambda_expression) (anonymous_method_expression)]))) @wrapper
(lambda_expression) @definition.anonymous
(anonymous_method_expression) @definition.anonymous

(parameter type: (_)? @type name: (identifier) @name (_)? @default) @parameter
(implicit_parameter) @parameter @name
; params string[] rest: has no separate node
(parameter_list type: (_) @type name: (identifier) @parameter @name @variadic)

; NUnit, xUnit, MSTest
((method_declaration (attribute_list (attribute name: (identifier) @_name))) @test
  (#match? @_name "^(Fact|Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod)$"))
