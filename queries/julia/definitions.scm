; function renew(s::Session{T}, step = 1; by = 1)::Int where {T}
(function_definition (signature [
    (call_expression . [(identifier) @name (operator) @name (field_expression) @name (parametrized_type_expression . (identifier) @name)] (argument_list) @parameters)
    (typed_expression . (call_expression . [(identifier) @name (operator) @name (field_expression) @name (parametrized_type_expression . (identifier) @name)] (argument_list) @parameters) . (_) @returns)
    (where_expression . (call_expression . [(identifier) @name (operator) @name (field_expression) @name (parametrized_type_expression . (identifier) @name)] (argument_list) @parameters))
    (where_expression . (typed_expression . (call_expression . [(identifier) @name (operator) @name (field_expression) @name (parametrized_type_expression . (identifier) @name)] (argument_list) @parameters) . (_) @returns))
  ]) . (_)? @body) @definition.function
; age(s) = s.started
(assignment . [
    (call_expression . [(identifier) @name (operator) @name (field_expression) @name (parametrized_type_expression . (identifier) @name)] (argument_list) @parameters)
    (typed_expression . (call_expression . [(identifier) @name (operator) @name (field_expression) @name (parametrized_type_expression . (identifier) @name)] (argument_list) @parameters) . (_) @returns)
    (where_expression . (call_expression . [(identifier) @name (operator) @name (field_expression) @name (parametrized_type_expression . (identifier) @name)] (argument_list) @parameters))
    (where_expression . (typed_expression . (call_expression . [(identifier) @name (operator) @name (field_expression) @name (parametrized_type_expression . (identifier) @name)] (argument_list) @parameters) . (_) @returns))
  ] . (operator) . (_) @body) @definition.function
(macro_definition (signature (call_expression . (identifier) @name (argument_list) @parameters)) . (_)? @body) @definition.macro
; Only declared: function renew end
(function_definition (signature . (identifier) @name .)) @definition.function
(function_definition (signature . (argument_list) @parameters) . (_)? @body) @definition.anonymous
(arrow_function_expression (_) . (_) @body .) @definition.anonymous
(do_clause) @definition.anonymous
; An annotation of the whole definition: @inline function fast(x) ... end
(macrocall_expression (macro_argument_list [(function_definition) (struct_definition)])) @wrapper
(macrocall_expression (macro_argument_list (assignment . [(call_expression) (where_expression) (typed_expression)]))) @wrapper

; Parameters. `::Type` has no name.
(signature (call_expression (argument_list [
    (identifier) @name @parameter
    (typed_expression . (identifier) @name . (_) @type) @parameter
    (unary_typed_expression "::" @name (_) @type) @parameter
    (named_argument . (identifier) @name (operator) . (_) @default) @parameter
    (named_argument . (typed_expression . (identifier) @name . (_) @type) (operator) . (_) @default) @parameter
    (splat_expression . (identifier) @name "..." @variadic) @parameter
    (splat_expression . (typed_expression . (identifier) @name . (_) @type) "..." @variadic) @parameter
  ])))
(signature (typed_expression . (call_expression (argument_list [
    (identifier) @name @parameter
    (typed_expression . (identifier) @name . (_) @type) @parameter
    (unary_typed_expression "::" @name (_) @type) @parameter
    (named_argument . (identifier) @name (operator) . (_) @default) @parameter
    (named_argument . (typed_expression . (identifier) @name . (_) @type) (operator) . (_) @default) @parameter
    (splat_expression . (identifier) @name "..." @variadic) @parameter
    (splat_expression . (typed_expression . (identifier) @name . (_) @type) "..." @variadic) @parameter
  ]))))
(signature (where_expression . (call_expression (argument_list [
    (identifier) @name @parameter
    (typed_expression . (identifier) @name . (_) @type) @parameter
    (unary_typed_expression "::" @name (_) @type) @parameter
    (named_argument . (identifier) @name (operator) . (_) @default) @parameter
    (named_argument . (typed_expression . (identifier) @name . (_) @type) (operator) . (_) @default) @parameter
    (splat_expression . (identifier) @name "..." @variadic) @parameter
    (splat_expression . (typed_expression . (identifier) @name . (_) @type) "..." @variadic) @parameter
  ]))))
(signature (where_expression . (typed_expression . (call_expression (argument_list [
    (identifier) @name @parameter
    (typed_expression . (identifier) @name . (_) @type) @parameter
    (unary_typed_expression "::" @name (_) @type) @parameter
    (named_argument . (identifier) @name (operator) . (_) @default) @parameter
    (named_argument . (typed_expression . (identifier) @name . (_) @type) (operator) . (_) @default) @parameter
    (splat_expression . (identifier) @name "..." @variadic) @parameter
    (splat_expression . (typed_expression . (identifier) @name . (_) @type) "..." @variadic) @parameter
  ])))))
(assignment . (call_expression (argument_list [
    (identifier) @name @parameter
    (typed_expression . (identifier) @name . (_) @type) @parameter
    (unary_typed_expression "::" @name (_) @type) @parameter
    (named_argument . (identifier) @name (operator) . (_) @default) @parameter
    (named_argument . (typed_expression . (identifier) @name . (_) @type) (operator) . (_) @default) @parameter
    (splat_expression . (identifier) @name "..." @variadic) @parameter
    (splat_expression . (typed_expression . (identifier) @name . (_) @type) "..." @variadic) @parameter
  ])))
(assignment . (typed_expression . (call_expression (argument_list [
    (identifier) @name @parameter
    (typed_expression . (identifier) @name . (_) @type) @parameter
    (unary_typed_expression "::" @name (_) @type) @parameter
    (named_argument . (identifier) @name (operator) . (_) @default) @parameter
    (named_argument . (typed_expression . (identifier) @name . (_) @type) (operator) . (_) @default) @parameter
    (splat_expression . (identifier) @name "..." @variadic) @parameter
    (splat_expression . (typed_expression . (identifier) @name . (_) @type) "..." @variadic) @parameter
  ]))))
(assignment . (where_expression . (call_expression (argument_list [
    (identifier) @name @parameter
    (typed_expression . (identifier) @name . (_) @type) @parameter
    (unary_typed_expression "::" @name (_) @type) @parameter
    (named_argument . (identifier) @name (operator) . (_) @default) @parameter
    (named_argument . (typed_expression . (identifier) @name . (_) @type) (operator) . (_) @default) @parameter
    (splat_expression . (identifier) @name "..." @variadic) @parameter
    (splat_expression . (typed_expression . (identifier) @name . (_) @type) "..." @variadic) @parameter
  ]))))
(assignment . (where_expression . (typed_expression . (call_expression (argument_list [
    (identifier) @name @parameter
    (typed_expression . (identifier) @name . (_) @type) @parameter
    (unary_typed_expression "::" @name (_) @type) @parameter
    (named_argument . (identifier) @name (operator) . (_) @default) @parameter
    (named_argument . (typed_expression . (identifier) @name . (_) @type) (operator) . (_) @default) @parameter
    (splat_expression . (identifier) @name "..." @variadic) @parameter
    (splat_expression . (typed_expression . (identifier) @name . (_) @type) "..." @variadic) @parameter
  ])))))
(signature . (argument_list [
    (identifier) @name @parameter
    (typed_expression . (identifier) @name . (_) @type) @parameter
    (unary_typed_expression "::" @name (_) @type) @parameter
    (named_argument . (identifier) @name (operator) . (_) @default) @parameter
    (named_argument . (typed_expression . (identifier) @name . (_) @type) (operator) . (_) @default) @parameter
    (splat_expression . (identifier) @name "..." @variadic) @parameter
    (splat_expression . (typed_expression . (identifier) @name . (_) @type) "..." @variadic) @parameter
  ]))
(do_clause (argument_list [
    (identifier) @name @parameter
    (typed_expression . (identifier) @name . (_) @type) @parameter
    (unary_typed_expression "::" @name (_) @type) @parameter
    (named_argument . (identifier) @name (operator) . (_) @default) @parameter
    (named_argument . (typed_expression . (identifier) @name . (_) @type) (operator) . (_) @default) @parameter
    (splat_expression . (identifier) @name "..." @variadic) @parameter
    (splat_expression . (typed_expression . (identifier) @name . (_) @type) "..." @variadic) @parameter
  ]))
(arrow_function_expression . (identifier) @name @parameter)
(arrow_function_expression . (argument_list (identifier) @name @parameter))

(struct_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)] . (operator) . (_) @base)
  ]) . (_)? @body) @definition.struct
(abstract_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)] . (operator) . (_) @base)
  ])) @definition.interface
(primitive_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)] . (operator) . (_) @base)
  ])) @definition.struct
(module_definition name: (identifier) @name . (_)? @body) @definition.module

; A string directly above a definition documents it.
(source_file (string_literal (content) @attribute.doc) @attribute)
(module_definition (string_literal (content) @attribute.doc) @attribute)

; @testset "sessions" begin ... end: the quotes distinguish its name from that of a function.
((macrocall_expression
  (macro_identifier (identifier) @_testset)
  (macro_argument_list (string_literal) @name [(compound_statement) (for_statement) (let_statement)] @body)) @definition.function @test
  (#eq? @_testset "testset"))

; @testset begin ... end
((macrocall_expression
  (macro_identifier (identifier) @_testset)
  (macro_argument_list . [(compound_statement) (for_statement) (let_statement)] @body)) @definition.anonymous @test
  (#eq? @_testset "testset"))
