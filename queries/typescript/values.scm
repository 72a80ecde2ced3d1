(variable_declarator name: (identifier) @name) @definition.value
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name)) @definition.value
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @definition.value
(interface_body (property_signature name: (property_identifier) @name) @definition.value)
(type_alias_declaration value: (object_type (property_signature name: (property_identifier) @name) @definition.value))
(type_alias_declaration
  value: (intersection_type (object_type (property_signature name: (property_identifier) @name) @definition.value)))
(enum_body (property_identifier) @name @definition.value)
(enum_assignment name: (property_identifier) @name) @definition.value
; constructor(private clock: Clock)
(required_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) @name) @definition.member

; constructor() { this.name = name }
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @name)) @definition.member
; exports.limit = 8, module.exports.limit = 8
((assignment_expression left: (member_expression object: (_) @_object property: (property_identifier) @name)) @definition.value
  (#match? @_object "^(module\\.)?exports$"))
; const Color = { Red: 1 }, module.exports = { limit: 8 }
(program (_ (variable_declarator !type value: [
  (object (pair key: (property_identifier) @name) @definition.value)
  (as_expression (object (pair key: (property_identifier) @name) @definition.value) "const")
  (call_expression function: (member_expression) @_freeze arguments: (arguments . (object (pair key: (property_identifier) @name) @definition.value)))
]))
  (#eq? @_freeze "Object.freeze"))
(program (export_statement declaration: (_ (variable_declarator !type value: [
  (object (pair key: (property_identifier) @name) @definition.value)
  (as_expression (object (pair key: (property_identifier) @name) @definition.value) "const")
  (call_expression function: (member_expression) @_freeze arguments: (arguments . (object (pair key: (property_identifier) @name) @definition.value)))
])))
  (#eq? @_freeze "Object.freeze"))
(program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module)
  right: (object (pair key: (property_identifier) @name) @definition.value)))
  (#eq? @_module "module"))
; export default { limit: 8 }
(program (export_statement "default" value: (object (pair key: (property_identifier) @name) @definition.value)))
(program (export_statement "default" value: [
  (as_expression (object (pair key: (property_identifier) @name) @definition.value) "const")
  (satisfies_expression (object (pair key: (property_identifier) @name) @definition.value))
]))
