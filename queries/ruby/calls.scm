; The node of a call has receiver and method.
(call method: (_) arguments: (_)? @arguments) @call @callee

; A bare name is a call if no variable has that name. These are the places where a value can occur.
(body_statement [(identifier) (super)] @call @callee)
(block_body (identifier) @call @callee)
(then (identifier) @call @callee)
(else (identifier) @call @callee)
(method body: (identifier) @call @callee)
(assignment right: [(identifier) (super)] @call @callee)
(operator_assignment right: (identifier) @call @callee)
(call receiver: (identifier) @call @callee)
(argument_list (identifier) @call @callee)
(pair value: (identifier) @call @callee)
(interpolation (identifier) @call @callee)
(binary (identifier) @call @callee)
(conditional (identifier) @call @callee)
(if condition: (identifier) @call @callee)
(unless condition: (identifier) @call @callee)
(if_modifier (identifier) @call @callee)
(unless_modifier (identifier) @call @callee)
(elsif condition: (identifier) @call @callee)
(while condition: (identifier) @call @callee)
(until condition: (identifier) @call @callee)
(while_modifier (identifier) @call @callee)
(until_modifier (identifier) @call @callee)
(case value: (identifier) @call @callee)
(when pattern: (pattern (identifier) @call @callee))
(unary (identifier) @call @callee)
(range (identifier) @call @callee)
(array (identifier) @call @callee)
(element_reference (identifier) @call @callee)
(parenthesized_statements (identifier) @call @callee)
(splat_argument (identifier) @call @callee)
(hash_splat_argument (identifier) @call @callee)
(right_assignment_list (identifier) @call @callee)
(rescue_modifier (identifier) @call @callee)

(assignment left: (_) @target right: (_) @value)
(operator_assignment left: (_) @target right: (_) @value)
(for pattern: (_) @target value: (in (_) @value))
(rescue exceptions: (exceptions (_) @type) variable: (exception_variable (_) @target))

(return (argument_list (_) @return))
; The last expression of a body.
(method body: (body_statement [(call) (identifier) (constant) (instance_variable) (self) (conditional) (binary) (if) (case) (assignment) (operator_assignment)] @return .))
(singleton_method body: (body_statement [(call) (identifier) (constant) (instance_variable) (self) (conditional) (binary) (if) (case) (assignment) (operator_assignment)] @return .))
(method body: [(call) (identifier) (instance_variable) (binary) (conditional)] @return)
(singleton_method body: [(call) (identifier) (instance_variable) (binary) (conditional)] @return)
(block_body [(call) (identifier) (instance_variable)] @return .)
(do_block body: (body_statement [(call) (identifier) (instance_variable)] @return .))

; Symbols that name a method: before_action :load_post, validate :check_title
((call !receiver method: (identifier) @_takes arguments: (argument_list (simple_symbol) @call @callee))
  (#match? @_takes "^((skip_|prepend_|append_)?(before|after|around)_[a-z_]+|validate|helper_method|private|public|protected|module_function|private_class_method|public_class_method|memoize|method|public_method|instance_method|send|public_send|__send__|respond_to\\?|method_defined\\?)$"))
; send("parse_#{kind}")
((call !receiver method: (identifier) @_send arguments: (argument_list . [(string (interpolation)) (delimited_symbol) (binary)] @call @callee))
  (#match? @_send "^(send|public_send|__send__|method|public_method)$"))
; alias_method :old_show, :show
((call !receiver method: (identifier) @_alias arguments: (argument_list . (_) . (simple_symbol) @call @callee))
  (#any-of? @_alias "alias_method" "alias_attribute"))
((call !receiver method: (identifier) @_alias arguments: (argument_list
  . [(simple_symbol) @alias (string (string_content) @alias)] . [(simple_symbol) @value (string (string_content) @value)]))
  (#any-of? @_alias "alias_method" "alias_attribute"))
; alias old_show show
(alias name: (_) @alias alias: (_) @value)
; def_delegators :owner, :name; def_delegator :owner, :name, :owner_name
((call !receiver method: (identifier) @_delegates arguments: (argument_list . (simple_symbol) @call @callee))
  (#any-of? @_delegates "def_delegators" "def_delegator"))
((call !receiver method: (identifier) @_delegates arguments: (argument_list . (simple_symbol) @receiver (simple_symbol) @alias @value))
  (#eq? @_delegates "def_delegators"))
((call !receiver method: (identifier) @_delegates arguments: (argument_list . (simple_symbol) @receiver . (simple_symbol) @alias @value .))
  (#eq? @_delegates "def_delegator"))
((call !receiver method: (identifier) @_delegates arguments: (argument_list
  . (simple_symbol) @receiver . (simple_symbol) @value . (simple_symbol) @alias))
  (#eq? @_delegates "def_delegator"))
; delegate :name, :size, to: :owner
((call !receiver method: (identifier) @_delegates arguments: (argument_list
  (simple_symbol) @alias @value (pair key: (hash_key_symbol) @_to value: (simple_symbol) @receiver) .))
  (#eq? @_delegates "delegate") (#eq? @_to "to"))
((call !receiver method: (identifier) @_delegates arguments: (argument_list
  (simple_symbol) @alias @value (pair key: (hash_key_symbol) @_to value: (simple_symbol) @receiver) . (pair key: (hash_key_symbol) @_nil) .))
  (#eq? @_delegates "delegate") (#eq? @_to "to") (#eq? @_nil "allow_nil"))
; set_callback :save, :before, :check_title
((call !receiver method: (identifier) @_set arguments: (argument_list . (_) . (_) . (simple_symbol) @call @callee))
  (#any-of? @_set "set_callback" "skip_callback"))
; rescue_from Missing, with: :render_missing; delegate :name, to: :owner
((call !receiver method: (identifier) @_takes arguments: (argument_list
  (pair key: (hash_key_symbol) @_key value: (simple_symbol) @call @callee)))
  (#any-of? @_takes "rescue_from" "delegate") (#any-of? @_key "with" "to"))
; before_save :check_title, if: :changed?
((call !receiver method: (identifier) @_takes arguments: (argument_list
  (pair key: (hash_key_symbol) @_key value: (simple_symbol) @call @callee)))
  (#match? @_takes "^((skip_|prepend_|append_)?(before|after|around)_[a-z_]+|validates?|validates_[a-z_]+)$")
  (#any-of? @_key "if" "unless"))
; post.send(:publish), post.method(:publish)
((call receiver: (_) @receiver method: (identifier) @_send
  arguments: (argument_list . [
    (simple_symbol) @call @callee
    (string . (string_content) @call @callee .)
    (string (interpolation)) @call @callee
    (delimited_symbol) @call @callee
    (binary) @call @callee]))
  (#match? @_send "^(send|public_send|__send__|method|public_method|instance_method|respond_to\\?|try)$"))
; posts.map(&:title)
(call receiver: (_) @each arguments: (argument_list (block_argument (simple_symbol) @call @callee)))
