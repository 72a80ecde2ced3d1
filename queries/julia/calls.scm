(call_expression . (_) @callee (argument_list) @arguments) @call
; Results are not followed: a call with an argument of unknown type reaches all methods of a function, so each result would
; have all types (DataFrames.jl: 26 s instead of 4).
; open(path) do file ... end: the function is an argument, too.
(call_expression . (_) @callee (argument_list) @arguments (do_clause) @argument) @call
(broadcast_call_expression . (_) @callee (argument_list) @arguments) @call
; session |> renew
((binary_expression . (_) @argument . (operator) @_pipe . [(identifier) (field_expression)] @callee) @call (#eq? @_pipe "|>"))
; left ⊕ right: not an operator of the language
((binary_expression . (_) @argument . (operator) @callee . (_)) @call
  (#not-match? @callee "^[-+*/\\\\<>=!&|^%:.~÷∈∉≤≥≠≡]"))
(macrocall_expression (macro_identifier (identifier) @callee)) @call

(assignment . [(identifier) (open_tuple) (tuple_expression)] @target . (operator) . (_) @value)
(assignment . (typed_expression . (identifier) @target . (_) @type) . (operator) . (_) @value)
(assignment . (field_expression) @assigned . (operator) . (_) @value)
(let_binding . (identifier) @target (operator) . (_) @value)
(for_binding . (_) @target (operator) . (_) @each)
(catch_clause . (identifier) @target)
(struct_definition (typed_expression . (identifier) @target . (_) @type))
(struct_definition (assignment . (typed_expression . (identifier) @target . (_) @type)))

