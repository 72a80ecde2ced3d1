; exports.open(), module.exports.open(): a function of the file
((call_expression
  function: (member_expression object: (_) @_object property: (property_identifier) @callee)
  arguments: (_) @arguments) @call
  (#match? @_object "^(module\\.)?exports$"))
; this['open']()
(call_expression function: (subscript_expression object: (_) @receiver index: (string (string_fragment) @call @callee)))
(call_expression function: (_) @callee arguments: (_) @arguments) @call
(new_expression constructor: (_) @callee arguments: (_)? @arguments) @call
(variable_declarator name: (_) @target type: (_)? @type value: (_)? @value)
(assignment_expression left: (_) @assigned right: (_) @value)
(augmented_assignment_expression left: (_) @assigned right: (_) @value)
(for_in_statement left: (_) @target right: (_) @value)
(catch_clause parameter: (_) @target)
(binary_expression left: (identifier) @name operator: "instanceof" right: (_) @type) @tested
; function describe(this: Session)
(required_parameter pattern: (this) @target type: (_) @type)
(public_field_definition name: (_) @target type: (_)? @type value: (_)? @value)
(interface_body (property_signature name: (_) @target type: (_) @type))
(type_alias_declaration value: (object_type (property_signature name: (_) @target type: (_) @type)))
(type_alias_declaration
  value: (intersection_type (object_type (property_signature name: (_) @target type: (_) @type))))
; The type of an object that has no name.
(type_annotation [
  (object_type (property_signature name: (_) @target type: (_) @type))
  (intersection_type (object_type (property_signature name: (_) @target type: (_) @type)))
  (union_type (object_type (property_signature name: (_) @target type: (_) @type)))
  (array_type (object_type (property_signature name: (_) @target type: (_) @type)))
])
(type_arguments (object_type (property_signature name: (_) @target type: (_) @type)))
(type_alias_declaration name: (_) @target value: (_) @value)

; The declared type of a component contains the type of its parameter: const Panel: FC<Props> = ({ clock }) => ...
(variable_declarator
  type: (type_annotation (generic_type name: (_) @_component type_arguments: (type_arguments . (_) @type)))
  value: [
    (arrow_function parameters: (formal_parameters . (required_parameter pattern: (_) @target !type)))
    (function_expression parameters: (formal_parameters . (required_parameter pattern: (_) @target !type)))
  ]
  (#match? @_component "(^|\\.)(FC|VFC|SFC|FunctionComponent|VoidFunctionComponent|FunctionalComponent|Component|ParentComponent|NextPage)$"))
; memo<Props>(({ clock }) => ...)
(call_expression
  function: (_) @_memo
  type_arguments: (type_arguments . (_) @type)
  arguments: (arguments . [
    (arrow_function parameters: (formal_parameters . (required_parameter pattern: (_) @target !type)))
    (function_expression parameters: (formal_parameters . (required_parameter pattern: (_) @target !type)))
  ])
  (#match? @_memo "(^|\\.)(memo|observer|component\\$)$"))
; forwardRef<Element, Props>(({ clock }, ref) => ...)
(call_expression
  function: (_) @_forward
  type_arguments: (type_arguments . (_) . (_) @type)
  arguments: (arguments . [
    (arrow_function parameters: (formal_parameters . (required_parameter pattern: (_) @target !type)))
    (function_expression parameters: (formal_parameters . (required_parameter pattern: (_) @target !type)))
  ])
  (#match? @_forward "(^|\\.)forwardRef$"))
; const props = defineProps<Props>()
(variable_declarator
  name: (_) @target
  value: (call_expression function: (identifier) @_define type_arguments: (type_arguments . (_) @type))
  (#eq? @_define "defineProps"))

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
