[
  (function_declaration name: (_) @name parameters: (_) @parameters body: (_) @body)
  (generator_function_declaration name: (_) @name parameters: (_) @parameters body: (_) @body)
  (function_expression name: (_) @name parameters: (_) @parameters body: (_) @body)
  (generator_function name: (_) @name parameters: (_) @parameters body: (_) @body)
] @definition.function

[
  (class_declaration name: (_) @name body: (_) @body)
  (class name: (_) @name body: (_) @body)
] @definition.class
(class_declaration (class_heritage (_) @base)) @definition.class
(class (class_heritage (_) @base)) @definition.class
; const Session = class { ... }
(variable_declarator name: (identifier) @name value: (class !name body: (_) @body)) @definition.class
(variable_declarator value: (class !name (class_heritage (_) @base))) @definition.class

(method_definition name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.method

(method_definition "get") @property
(method_definition "set") @setter

; Functions bound to a name: const f = () => ..., { f: function () {} }, class { f = () => ... }, f = function () {}
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function parameters: (_)? @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
    (generator_function parameters: (_) @parameters body: (_) @body)
  ]) @definition.function
(pair
  key: [(property_identifier) @name (string (string_fragment) @name) (number) @name]
  value: [
    (arrow_function parameters: (_)? @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
    (generator_function parameters: (_) @parameters body: (_) @body)
  ]) @definition.method
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: [
    (arrow_function parameters: (_)? @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @definition.method
(assignment_expression
  left: (identifier) @name
  right: [
    (arrow_function parameters: (_)? @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @definition.function

; defineGetter(request, 'fresh', function () {}): a member that is named by a call.
(expression_statement
  (call_expression
    arguments: (arguments . (_) . (string (string_fragment) @name) .
      (function_expression !name parameters: (_) @parameters body: (_) @body) @definition.method))
  (#match? @name "^[A-Za-z_$][A-Za-z0-9_$]*$")) @wrapper

; const Panel = memo(() => ...): a top-level value that a call creates from a function. A list, a promise or a schema is
; none: const rows = list.map((row) => row.id)
(program
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: (call_expression function: (_) @_made arguments: (arguments [(arrow_function) (function_expression)])) @body) @definition.function) @wrapper
  (#not-match? @_made "(^Array\\.from|\\.(map|flatMap|filter|find|findIndex|findLast|reduce|reduceRight|some|every|sort|toSorted|forEach|then|catch|finally|refine|superRefine|transform|replace|replaceAll))$"))
(export_statement
  declaration: (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: (call_expression function: (_) @_made arguments: (arguments [(arrow_function) (function_expression)])) @body) @definition.function)
  (#not-match? @_made "(^Array\\.from|\\.(map|flatMap|filter|find|findIndex|findLast|reduce|reduceRight|some|every|sort|toSorted|forEach|then|catch|finally|refine|superRefine|transform|replace|replaceAll))$")) @wrapper

; exports.f = function () {}, module.exports.f = () => ...
(assignment_expression
  left: (member_expression object: (_) @_object property: (property_identifier) @name)
  right: [
    (arrow_function parameters: (_)? @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]
  (#match? @_object "^(module\\.)?exports$")) @definition.function
; module.exports = function () {}, module.exports = (a) => ...
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: [
    (arrow_function parameters: (_)? @parameters body: (_) @body) @definition.function
    (function_expression !name parameters: (_) @parameters body: (_) @body) @definition.function
  ])
  (#eq? @_module "module") (#eq? @name "exports"))
; export default function () {}, export default (a) => ..., export default handler(async (event) => ...)
(export_statement
  "default" @name
  value: [
    (arrow_function parameters: (_)? @parameters body: (_) @body) @definition.function
    (function_expression !name parameters: (_) @parameters body: (_) @body) @definition.function
    (call_expression arguments: (arguments [(arrow_function) (function_expression !name)]) @body) @definition.function
  ]) @wrapper
; Session.prototype.renew = function () {}: the type is before `.prototype`.
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @receiver property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [
    (arrow_function parameters: (_)? @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
    (generator_function parameters: (_) @parameters body: (_) @body)
  ]
  (#eq? @_prototype "prototype")) @definition.method
; app.listen = function () {}; app.views.render = function () {}
(assignment_expression
  left: (member_expression object: [(identifier) (this) (member_expression)] @receiver property: (property_identifier) @name)
  right: [
    (arrow_function parameters: (_)? @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
    (generator_function parameters: (_) @parameters body: (_) @body)
  ]
  (#match? @receiver "^[A-Za-z_$][A-Za-z0-9_$.]*$") (#not-match? @receiver "^(module|(module\\.)?exports)$|\\.prototype$")) @definition.method

; const api = { get() {} }: the functions inside are members of `api`. The same holds for Session.prototype = { ... };
; the functions of module.exports = { ... } are members of `exports`.
(variable_declarator
  name: (identifier) @name
  value: (object [
    (method_definition)
    (pair value: [(arrow_function) (function_expression) (generator_function) (identifier)])
  ]) @definition.extension)
(assignment_expression
  left: (member_expression object: (identifier) @name property: (property_identifier) @_prototype)
  right: (object [
    (method_definition)
    (pair value: [(arrow_function) (function_expression) (generator_function) (identifier)])
  ]) @definition.extension
  (#eq? @_prototype "prototype"))
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: (object [
    (method_definition)
    (pair value: [(arrow_function) (function_expression) (generator_function) (identifier)])
  ]) @definition.extension
  (#eq? @_module "module"))
(program (export_statement
  "default" @name
  value: (object [
    (method_definition)
    (pair value: [(arrow_function) (function_expression) (generator_function) (identifier)])
  ]) @definition.extension))
; An object with functions, or one that is returned or exported: return { open, close: () => {} }.
(object [(method_definition) (pair value: [(arrow_function) (function_expression) (generator_function)])]) @object
; A table of them: [{ name: "open", run: open }]
(array (object (pair value: [(identifier) (member_expression)])) @object)
(return_statement (object (shorthand_property_identifier)) @object)
(arrow_function body: (parenthesized_expression (object (shorthand_property_identifier)) @object))
(program (lexical_declaration (variable_declarator value: (object (shorthand_property_identifier)) @object)))
(export_statement declaration: (lexical_declaration (variable_declarator value: (object (shorthand_property_identifier)) @object)))

; The keys of an object at the top level are members of it as well, if the first value is data (see above for functions): const Color = { Red: 1 }, module.exports = { limit: 8 }
(program (_ (variable_declarator
  name: (identifier) @name
  value: [
    (object . (pair value: [(string) (number) (template_string) (regex) (object) (array) (call_expression) (new_expression) (member_expression) (unary_expression) (binary_expression) (true) (false) (null) (undefined)])) @definition.extension
    (call_expression function: (member_expression) @_freeze arguments: (arguments . (object . (pair value: [(string) (number) (template_string) (regex) (object) (array) (call_expression) (new_expression) (member_expression) (unary_expression) (binary_expression) (true) (false) (null) (undefined)])) @definition.extension))
  ]))
  (#eq? @_freeze "Object.freeze"))
(program (export_statement declaration: (_ (variable_declarator
  name: (identifier) @name
  value: [
    (object . (pair value: [(string) (number) (template_string) (regex) (object) (array) (call_expression) (new_expression) (member_expression) (unary_expression) (binary_expression) (true) (false) (null) (undefined)])) @definition.extension
    (call_expression function: (member_expression) @_freeze arguments: (arguments . (object . (pair value: [(string) (number) (template_string) (regex) (object) (array) (call_expression) (new_expression) (member_expression) (unary_expression) (binary_expression) (true) (false) (null) (undefined)])) @definition.extension))
  ])))
  (#eq? @_freeze "Object.freeze"))
(program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: (object . (pair value: [(string) (number) (template_string) (regex) (object) (array) (call_expression) (new_expression) (member_expression) (unary_expression) (binary_expression) (true) (false) (null) (undefined)])) @definition.extension))
  (#eq? @_module "module"))
; export default { limit: 8 }
(program (export_statement "default" @name value: (object . (pair value: [(string) (number) (template_string) (regex) (object) (array) (call_expression) (new_expression) (member_expression) (unary_expression) (binary_expression) (true) (false) (null) (undefined)])) @definition.extension))

(arrow_function body: (_) @body) @definition.anonymous
(function_expression !name body: (_) @body) @definition.anonymous
(generator_function !name body: (_) @body) @definition.anonymous

; The nodes around a definition that belong to it.
(export_statement declaration: [(function_declaration) (generator_function_declaration) (class_declaration)]) @wrapper
(export_statement
  declaration: (lexical_declaration
    (variable_declarator value: [(arrow_function) (function_expression) (generator_function) (class)]))) @wrapper
(lexical_declaration
  (variable_declarator value: [(arrow_function) (function_expression) (generator_function) (class)])) @wrapper
(variable_declaration
  (variable_declarator value: [(arrow_function) (function_expression) (generator_function) (class)])) @wrapper
(expression_statement
  (assignment_expression right: [(arrow_function) (function_expression) (generator_function)])) @wrapper

(formal_parameters (identifier) @parameter @name)
(formal_parameters (assignment_pattern left: (identifier) @name right: (_) @default) @parameter)
(formal_parameters (rest_pattern (identifier) @name) @parameter)
(arrow_function parameter: (identifier) @parameter @name)
; A pattern is a parameter without a name; the names inside are declared.
(formal_parameters [(object_pattern) (array_pattern)] @parameter @name)
(formal_parameters (assignment_pattern left: [(object_pattern) (array_pattern)] @name right: (_) @default) @parameter)

; Tests of Vitest in the file with the code: if (import.meta.vitest) { it("adds", () => ...) }
((if_statement
  condition: (parenthesized_expression (member_expression) @_vitest)
  consequence: (statement_block (expression_statement (call_expression
    arguments: (arguments [(arrow_function) (function_expression !name)] @definition.anonymous @test)))))
  (#eq? @_vitest "import.meta.vitest"))
