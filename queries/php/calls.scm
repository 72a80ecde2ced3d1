(function_call_expression function: (_) @callee arguments: (_) @arguments) @call
; The node of a method call has object and member.
(member_call_expression arguments: (_) @arguments) @call @callee
(nullsafe_member_call_expression arguments: (_) @arguments) @call @callee
(scoped_call_expression arguments: (_) @arguments) @call @callee
(object_creation_expression . [(name) (qualified_name) (variable_name) (relative_scope)] @callee (arguments)? @arguments) @call

(assignment_expression left: (_) @target right: (_) @value)
(augmented_assignment_expression left: (_) @target right: (_) @value)
(foreach_statement . (_) @value . [(variable_name) (by_ref) (list_literal)] @target)
(foreach_statement . (_) @value . (pair (_) . (_) @target))
(catch_clause type: (_) @type name: (variable_name) @target)
(binary_expression left: (variable_name) @name operator: "instanceof" right: (_) @type) @tested
(static_variable_declaration name: (variable_name) @target value: (_) @value)

; Fields: the name in `$this->clock` has no `$`, the name in `self::$all` has one.
(property_declaration type: (_) @type (property_element name: (variable_name (name) @target)))
(property_declaration (static_modifier) type: (_) @type (property_element name: (variable_name) @target))
; /** @var Clock */ private $clock;
(declaration_list
  (comment) @type . (property_declaration !type (property_element name: (variable_name (name) @target))))
(property_element name: (variable_name (name) @target) default_value: (_) @value)
(property_promotion_parameter type: (_) @type name: (variable_name (name) @field))

(return_statement (_) @return)
(yield_expression (_) @return)
(arrow_function body: (_) @return)

; #[Route('/users', methods: ['GET'])]
(attribute . [(name) (qualified_name)] @callee parameters: (_)? @arguments) @site

; usort($rows, 'compareRows'), array_map('Rows::title', $rows)
((function_call_expression function: (name) @_takes arguments: (arguments (argument
  [(string (string_content) @call @callee) (encapsed_string . (string_content) @call @callee .)])))
  (#any-of? @_takes "usort" "uasort" "uksort" "array_map" "array_filter" "array_walk" "array_walk_recursive" "array_reduce" "call_user_func"
    "call_user_func_array" "forward_static_call" "forward_static_call_array" "is_callable" "function_exists" "iterator_apply" "ob_start"
    "preg_replace_callback" "register_shutdown_function" "set_error_handler" "set_exception_handler" "spl_autoload_register" "array_udiff"
    "array_uintersect" "array_diff_ukey" "add_action" "add_filter"))
; $this->{'compare'}($a)
(member_call_expression object: (_) @receiver name: (string (string_content) @call @callee))
; Closure::fromCallable('compareRows')
((scoped_call_expression name: (name) @_from arguments: (arguments (argument (string (string_content) @call @callee))))
  (#eq? @_from "fromCallable"))
; [$this, 'compare'], [Rows::class, 'compare']
((array_creation_expression
  . (array_element_initializer . (variable_name) @receiver .)
  . (array_element_initializer . [(string (string_content) @call @callee) (encapsed_string . (string_content) @call @callee .)] .) .)
  (#eq? @receiver "$this"))
((array_creation_expression
  . (array_element_initializer . (class_constant_access_expression . (_) @receiver . (name) @_class) .)
  . (array_element_initializer . [(string (string_content) @call @callee) (encapsed_string . (string_content) @call @callee .)] .) .)
  (#eq? @_class "class"))
; method_exists($this, 'compare')
((function_call_expression function: (name) @_exists arguments: (arguments
  . (argument . (variable_name) @receiver .) . (argument (string (string_content) @call @callee))))
  (#eq? @_exists "method_exists") (#eq? @receiver "$this"))
