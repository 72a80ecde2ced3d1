; fn List(comptime T: type) type { return struct { ... }; }: a type, and the members belong to it.
((function_declaration
  name: (identifier) @name
  (parameters) @parameters
  type: (builtin_type) @_type
  body: (block) @body) @definition.struct
  (#eq? @_type "type"))

((function_declaration
  name: (identifier) @name
  (parameters) @parameters
  type: (_) @returns
  body: (block)? @body) @definition.function
  (#not-match? @returns "^type$"))

; const Session = struct { ... };
(variable_declaration . (identifier) @name (struct_declaration) @body .) @definition.struct
(variable_declaration . (identifier) @name (opaque_declaration) @body .) @definition.struct
(variable_declaration . (identifier) @name (enum_declaration) @body .) @definition.enum
(variable_declaration . (identifier) @name (union_declaration) @body .) @definition.enum
(variable_declaration . (identifier) @name (error_set_declaration) @body .) @definition.enum

; test "renews" { ... }
(test_declaration (string (string_content) @name) (block) @body) @definition.function @test
; test renew { ... }: a method, so that its name does not hide the tested function.
(test_declaration (identifier) @name (block) @body) @definition.method @test

; test { ... }
(test_declaration . "test" . (block) @body) @definition.anonymous @test

(parameters (parameter name: (identifier) @name type: (_) @type) @parameter)
