; LIMIT = 8; limit: int; a, b = 1, 2; inside a class also a field
(assignment left: (identifier) @name) @definition.value
(assignment left: (pattern_list (identifier) @name)) @definition.value
(assignment left: (tuple_pattern (identifier) @name)) @definition.value
(type_alias_statement left: (type (identifier) @name)) @definition.value

; self.name = name
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name)) @definition.member
  (#eq? @_self "self"))
