(const_item name: (identifier) @name) @definition.value
(static_item name: (identifier) @name) @definition.value
(enum_variant name: (identifier) @name) @definition.value
(field_declaration name: (field_identifier) @name) @definition.member
; Of traits and implementations.
(associated_type name: (type_identifier) @name) @definition.value
(impl_item body: (declaration_list (type_item name: (type_identifier) @name) @definition.value))
