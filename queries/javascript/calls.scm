; exports.open(), module.exports.open(): a function of the file
((call_expression
  function: (member_expression object: (_) @_object property: (property_identifier) @callee)
  arguments: (_) @arguments) @call
  (#match? @_object "^(module\\.)?exports$"))
; this['open']()
(call_expression function: (subscript_expression object: (_) @receiver index: (string (string_fragment) @call @callee)))
(call_expression function: (_) @callee arguments: (_) @arguments) @call
(new_expression constructor: (_) @callee arguments: (_)? @arguments) @call
; <Panel title="..."/> calls Panel.
(jsx_opening_element name: (_) @callee) @call
(jsx_self_closing_element name: (_) @callee) @call

(variable_declarator name: (_) @target value: (_)? @value)
(assignment_expression left: (_) @assigned right: (_) @value)
(augmented_assignment_expression left: (_) @assigned right: (_) @value)
(for_in_statement left: (_) @target right: (_) @value)
(catch_clause parameter: (_) @target)
(binary_expression left: (identifier) @name operator: "instanceof" right: (_) @type) @tested
(field_definition property: (_) @target value: (_)? @value)

; Tables of functions: const handlers = { open: openSession }
(variable_declarator value: (object (pair key: (property_identifier) @target value: [(identifier) (member_expression)] @value)))
(variable_declarator name: (identifier) value: (object) @table)
(assignment_expression left: (member_expression) right: (object) @table)

(return_statement (_) @return)
(yield_expression (_) @return)
((arrow_function body: (_) @return) (#not-kind-eq? @return "statement_block"))

; The value of a module is its default export.
(export_statement "default" value: (_) @return)
(export_statement "default" declaration: (_) @return)
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (_) @return)
  (#eq? @_module "module") (#eq? @_exports "exports"))
