(assignment left: (constant) @name) @definition.value
; attr_reader :name
((call method: (identifier) @_method arguments: (argument_list (simple_symbol) @name)) @definition.value
  (#match? @_method "^attr_(reader|writer|accessor)$"))
; @name = name
(assignment left: (instance_variable) @name) @definition.member
