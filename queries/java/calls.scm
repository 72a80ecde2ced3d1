; A bare name, or a member: then the call node has object and name.
(method_invocation !object name: (_) @callee arguments: (_) @arguments) @call
(method_invocation object: (_) arguments: (_) @arguments) @call @callee
(object_creation_expression type: (_) @callee arguments: (_) @arguments) @call
(explicit_constructor_invocation constructor: (_) @callee arguments: (_) @arguments) @call

(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (_) @target))
(local_variable_declaration declarator: (variable_declarator name: (_) @target value: (_) @value))
(field_declaration type: (_) @type declarator: (variable_declarator name: (_) @target))
(field_declaration declarator: (variable_declarator name: (_) @target value: (_) @value))
(constant_declaration type: (_) @type declarator: (variable_declarator name: (_) @target value: (_) @value))
(assignment_expression left: (_) @assigned right: (_) @value)
(enhanced_for_statement type: (_) @type name: (_) @target value: (_) @value)
(resource type: (_) @type name: (_) @target value: (_) @value)
(catch_formal_parameter (catch_type) @type name: (_) @target)
(instanceof_expression right: (_) @type name: (_) @target)
(type_pattern (_) @type . (identifier) @target)
; The components of a record are its fields, and are read by calls.
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (_) @target)))
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (_) @ordered)))
; A constant of an enum is an object of the enum.
(enum_declaration name: (_) @type body: (enum_body (enum_constant name: (_) @target)))

(return_statement (_) @return)
(yield_statement (_) @return)
((lambda_expression body: (_) @return) (#not-kind-eq? @return "block"))

; A value of a type parameter has the types that limit it.
(type_parameter (type_identifier) @type.parameter)
(type_parameter (type_identifier) @type.parameter (type_bound (_) @value))

; @GetMapping("/users"), @PostMapping
(annotation name: (_) @callee arguments: (_) @arguments) @site
(marker_annotation name: (_) @callee) @site

; @MethodSource("cases")
((annotation name: (identifier) @_source arguments: (annotation_argument_list (string_literal (string_fragment) @call @callee)))
  (#eq? @_source "MethodSource"))
