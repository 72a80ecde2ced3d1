(call_expression function: (_) @callee arguments: (_) @arguments) @call

; In C a declarator wraps the name: `struct clock *now = ...`, `char name[10]`, `int (*on_done)(int)`.
(declaration type: (_) @type declarator: [
  (identifier) @target
  (pointer_declarator (identifier) @target)
  (array_declarator declarator: (identifier) @target)
  (init_declarator declarator: [
    (identifier) @target
    (pointer_declarator (identifier) @target)
    (pointer_declarator (pointer_declarator (identifier) @target))
    (array_declarator declarator: (identifier) @target)
  ])
])
(init_declarator declarator: (_) @target value: (_) @value)
(field_declaration type: (_) @type declarator: [
  (field_identifier) @target
  (pointer_declarator (field_identifier) @target)
  (array_declarator declarator: (field_identifier) @target)
])
; The position of a field determines its value in { d_open, d_close }. A struct without a name is one field, and a
; static member in C++ is none.
(field_declaration . (type_qualifier)* . type: (_) @type declarator: [
  (field_identifier) @ordered
  (array_declarator) @ordered
  (function_declarator declarator: (parenthesized_declarator)) @ordered
  (pointer_declarator declarator: [
    (field_identifier)
    (array_declarator)
    (function_declarator declarator: (parenthesized_declarator))
    (pointer_declarator declarator: [(field_identifier) (array_declarator) (pointer_declarator)])
  ]) @ordered
])
(field_declaration !declarator type: [(struct_specifier !name) (union_specifier !name)]) @ordered
(assignment_expression left: (_) @assigned right: (_) @value)

; typedef struct tag { ... } name; typedef struct tag name;
(type_definition type: (_ body: (_)) @value declarator: (type_identifier) @target)
(type_definition type: (_ !body) @value declarator: (type_identifier) @assigned)

(return_statement (_) @return)
