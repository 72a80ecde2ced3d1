(call_expression function: (_) @callee arguments: (_) @arguments) @call
(macro_invocation macro: (_) @callee) @call

(let_declaration pattern: (_) @target value: (_) @value)
(let_declaration pattern: (_) @target type: (_) @type)
(let_condition pattern: (_) @target value: (_) @value)
(assignment_expression left: (_) @assigned right: (_) @value)
(for_expression pattern: (_) @target value: (_) @value)
(match_expression value: (_) @value body: (match_block (match_arm pattern: (match_pattern (_) @target))))
(const_item name: (_) @target type: (_) @type)
(static_item name: (_) @target type: (_) @type)
(field_declaration name: (_) @target type: (_) @type)

(return_expression (_) @return)
(function_item body: (block [(call_expression) (identifier) (field_expression) (scoped_identifier) (struct_expression)] @return .))
(closure_expression body: (_) @return)
