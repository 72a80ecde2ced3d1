(method name: (_) @name parameters: (_)? @parameters body: (_)? @body) @definition.function
(singleton_method name: (_) @name parameters: (_)? @parameters body: (_)? @body) @definition.method

; The receiver of these methods is the class or module.
(singleton_method) @self.type
(singleton_class body: (body_statement (method) @self.type))
((call method: (identifier) @_define) @self.type (#eq? @_define "define_singleton_method"))

(class name: (_) @name body: (_)? @body) @definition.class
(class superclass: (superclass (_) @base)) @definition.class
; A module can be mixed in, so its methods are members.
(module name: (_) @name body: (_)? @body) @definition.trait
((class body: (body_statement (call method: (identifier) @_include arguments: (argument_list [(constant) (scope_resolution)] @base.mixin)))) @definition.class
  (#match? @_include "^(include|extend|prepend)$"))
((module body: (body_statement (call method: (identifier) @_include arguments: (argument_list [(constant) (scope_resolution)] @base.mixin)))) @definition.trait
  (#match? @_include "^(include|extend|prepend)$"))

; Point = Struct.new(:x, :y) do ... end
((assignment
  left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) block: (_ body: (_) @body)?)) @definition.class
  (#match? @_maker "^(Struct|Data|Class|Module)$"))

; private def secret ... end
(call arguments: (argument_list . [(method) (singleton_method)] .)) @wrapper

; define_method(:name) { |x| ... }
((call
  method: (identifier) @_define
  arguments: (argument_list . (simple_symbol) @name)
  block: (_ parameters: (_)? @parameters body: (_) @body)) @definition.function
  (#match? @_define "^define_(singleton_)?method$"))

; cut = ->(text) { ... }   cut = lambda { |text| ... }
(assignment
  left: [(identifier) (constant)] @name
  right: (lambda parameters: (_)? @parameters body: (_ body: (_) @body))) @definition.function
((assignment
  left: [(identifier) (constant)] @name
  right: (call !receiver method: (identifier) @_lambda block: (_ parameters: (_)? @parameters body: (_) @body))) @definition.function
  (#match? @_lambda "^(lambda|proc)$"))

(lambda) @definition.anonymous
(block) @definition.anonymous
(do_block) @definition.anonymous

(method_parameters [
  (identifier) @name @parameter
  (optional_parameter name: (_) @name value: (_) @default) @parameter
  (keyword_parameter name: (_) @name value: (_)? @default) @parameter
  (splat_parameter name: (_) @name) @parameter
  (hash_splat_parameter name: (_) @name) @parameter
  (block_parameter name: (_) @name) @parameter
])
(block_parameters [
  (identifier) @name @parameter
  (optional_parameter name: (_) @name value: (_) @default) @parameter
  (keyword_parameter name: (_) @name value: (_)? @default) @parameter
  (splat_parameter name: (_) @name) @parameter
])
(lambda_parameters [
  (identifier) @name @parameter
  (optional_parameter name: (_) @name value: (_) @default) @parameter
  (keyword_parameter name: (_) @name value: (_)? @default) @parameter
])
