(function_definition
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: (_)? @returns
  body: (block) @body) @definition.function

; class Reader(Protocol)
((class_definition
  superclasses: (argument_list (_) @_base)) @definition.interface
  (#match? @_base "^([A-Za-z_]+\\.)?Protocol(\\[|$)"))

(class_definition
  name: (identifier) @name
  body: (block) @body) @definition.class

(class_definition
  superclasses: (argument_list [(identifier) (attribute) (subscript)] @base)) @definition.class

; handler = lambda request: ...
(assignment
  left: (identifier) @name
  right: (lambda parameters: (_)? @parameters body: (_) @body)) @definition.function

(lambda) @definition.anonymous

(decorated_definition
  (decorator (_) @decorator)) @wrapper

(parameters (identifier) @parameter @name)
(parameters (default_parameter name: (identifier) @name value: (_) @default) @parameter)
(parameters (typed_parameter . (identifier) @name type: (type) @type) @parameter)
(parameters (typed_default_parameter name: (identifier) @name type: (type) @type value: (_) @default) @parameter)
(parameters (list_splat_pattern (identifier) @name) @parameter)
(parameters (dictionary_splat_pattern (identifier) @name) @parameter)
(lambda_parameters (identifier) @parameter @name)
(lambda_parameters (default_parameter name: (identifier) @name value: (_) @default) @parameter)

; class FooTest(unittest.TestCase)
((class_definition
  superclasses: (argument_list (_) @_base)) @test
  (#match? @_base "TestCase$"))
