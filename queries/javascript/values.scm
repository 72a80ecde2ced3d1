(variable_declarator name: (identifier) @name) @definition.value
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name)) @definition.value
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @definition.value

; constructor() { this.name = name }
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @name)) @definition.member
; exports.limit = 8, module.exports.limit = 8
((assignment_expression left: (member_expression object: (_) @_object property: (property_identifier) @name)) @definition.value
  (#match? @_object "^(module\\.)?exports$"))
