; [list addObserver:me forKey:key]
(message_expression) @call @callee @arguments
; list.count may call a method.
(field_expression) @access

; @property (nonatomic) Clock *clock;
(property_declaration (struct_declaration . (type_qualifier)* . (_) @type (struct_declarator [
  (identifier) @target
  (pointer_declarator (identifier) @target)
  (pointer_declarator (pointer_declarator (identifier) @target))
])))
(instance_variable (struct_declaration . (type_qualifier)* . (_) @type (struct_declarator [
  (identifier) @target
  (pointer_declarator (identifier) @target)
])))
; for (Session *session in sessions)
(for_statement type: (_) @type (pointer_declarator declarator: (identifier) @target))

; @selector(addObserver:forKey:): the object is unknown.
(selector_expression) @call @callee @receiver
