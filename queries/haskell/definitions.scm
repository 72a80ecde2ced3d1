; One function per name: the equations after each other, with the type above them.
(declarations (function name: [(variable) (prefix_id (operator) @name)] @name match: (_) @body) @definition.function)
(declarations (function . (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (_) @body) @definition.function)
(declarations (bind name: [(variable) (prefix_id (operator) @name)] @name match: (_) @body) @definition.function)
(class_declarations (function name: [(variable) (prefix_id (operator) @name)] @name match: (_) @body) @definition.method)
(class_declarations (bind name: [(variable) (prefix_id (operator) @name)] @name match: (_) @body) @definition.method)
(class_declarations (signature name: [(variable) (prefix_id (operator) @name)] @name) @definition.method)
(instance_declarations (function name: [(variable) (prefix_id (operator) @name)] @name match: (_) @body) @definition.method)
(instance_declarations (function . (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (_) @body) @definition.method)
(instance_declarations (bind name: [(variable) (prefix_id (operator) @name)] @name match: (_) @body) @definition.method)
(local_binds (function name: [(variable) (prefix_id (operator) @name)] @name match: (_) @body) @definition.function)
(local_binds (function . (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (_) @body) @definition.function)
(declarations (signature) @attribute)
(instance_declarations (signature) @attribute)
(local_binds (signature) @attribute)

(data_type name: (name) @name constructors: (_) @body) @definition.struct
(data_type name: (name) @name !constructors) @definition.struct
(newtype name: (name) @name constructor: (_) @body) @definition.struct
(type_synonym name: (name) @name) @definition.type
(type_family name: (name) @name) @definition.type
(class name: (name) @name declarations: (_)? @body) @definition.interface
; instance Closer Session: adds the methods of the class to the type.
(instance name: (_) @base patterns: (type_patterns . [
  (name) @name
  (qualified) @name
  (parens type: (apply constructor: [
    (name) @name
    (apply constructor: [(name) @name (apply constructor: (name) @name)])
  ]))
]) declarations: (_) @body) @definition.extension
; Any other type has no name here.
((instance name: (_) @base patterns: (type_patterns . (_) @name) declarations: (_) @body) @definition.extension
  (#not-kind-eq? @name "name" "qualified" "parens"))
((instance name: (_) @base patterns: (type_patterns . (parens type: (_) @name)) declarations: (_) @body) @definition.extension
  (#not-kind-eq? @name "apply"))

(function patterns: (patterns (variable) @name @parameter))
(function (infix left_operand: (variable) @name @parameter))
(function (infix right_operand: (variable) @name @parameter))
(lambda) @definition.anonymous

; The body of a test is an expression: it "adds" $ do ...; it "adds" (add 1 2 `shouldBe` 3)
((infix
  left_operand: (apply function: (variable) @_it)
  operator: (operator) @_apply
  right_operand: (_) @definition.anonymous)
  (#any-of? @_it "it" "specify" "prop" "testCase" "testProperty" "test" "before_") (#eq? @_apply "$"))
((apply function: (apply function: (variable) @_it) argument: (_) @definition.anonymous)
  (#any-of? @_it "it" "specify" "prop" "testCase" "testProperty" "test") (#not-kind-eq? @definition.anonymous "variable"))
