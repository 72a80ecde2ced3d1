(invocation_expression function: (_) @callee arguments: (_) @arguments) @call
(object_creation_expression type: (_) @callee arguments: (_)? @arguments) @call
; Session(string user) : base(user) { ... }
(constructor_initializer "base" @callee (argument_list) @arguments) @call
; Session(string user) : this(user, null) { ... }
(constructor_initializer "this" @callee (argument_list) @arguments) @call
; record Point(int X) : Base(X)
(primary_constructor_base_type type: (_) @callee (argument_list) @arguments) @call
; Session session = new("me");
(variable_declaration
  type: [(identifier) (generic_name) (qualified_name)] @callee
  (variable_declarator (implicit_object_creation_expression (argument_list) @arguments) @call))

; Circle Unit => new(1);   static Circle Make() => new(1);   Circle Unit { get; } = new(1);
(property_declaration
  type: [(identifier) (generic_name) (qualified_name)] @callee
  value: (implicit_object_creation_expression (argument_list) @arguments) @call)
(property_declaration
  type: [(identifier) (generic_name) (qualified_name)] @callee
  value: (arrow_expression_clause (implicit_object_creation_expression (argument_list) @arguments) @call))
(method_declaration
  returns: [(identifier) (generic_name) (qualified_name)] @callee
  body: (arrow_expression_clause (implicit_object_creation_expression (argument_list) @arguments) @call))
(operator_declaration
  type: [(identifier) (generic_name) (qualified_name)] @callee
  body: (arrow_expression_clause (implicit_object_creation_expression (argument_list) @arguments) @call))
(conversion_operator_declaration
  type: [(identifier) (generic_name) (qualified_name)] @callee
  body: (arrow_expression_clause (implicit_object_creation_expression (argument_list) @arguments) @call))

; A type parameter, which hides types with its name: class Session<T>
(type_parameter name: (identifier) @type.parameter)
(type_parameter_constraints_clause (identifier) @type.parameter (type_parameter_constraint type: (_) @value))
; static string Shorten(this string text)
((parameter (modifier) @extended) (#eq? @extended "this"))

; Locals, fields and events.
(variable_declaration type: (_) @type (variable_declarator name: (identifier) @target))
(variable_declarator name: (identifier) @target (_) @value .)
; var (size, folder) = Parts();
(variable_declarator . (tuple_pattern) @target (_) @value .)
(property_declaration type: (_) @type name: (identifier) @target)
(property_declaration name: (identifier) @target value: (_) @value)
(assignment_expression left: (_) @assigned right: (_) @value)
; The parameters of a record are its properties.
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @ordered)))
(foreach_statement type: (_) @type left: (identifier) @target)
(foreach_statement left: (_) @target right: (_) @value)
(declaration_pattern type: (_) @type name: (identifier) @target)
((declaration_expression type: (_) @type name: (identifier) @target) (#not-kind-eq? @type "pointer_type"))
(catch_declaration type: (_) @type name: (identifier) @target)

(return_statement (_) @return)
(yield_statement (_) @return)
(arrow_expression_clause (_) @return)
(lambda_expression body: [(invocation_expression) (identifier) (member_access_expression) (object_creation_expression)] @return)

; [HttpGet("{id}")]
(attribute name: (_) @callee (attribute_argument_list)? @arguments) @site
