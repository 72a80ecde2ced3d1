(call function: (_) @callee arguments: (_) @arguments) @call

(assignment left: (_) @target right: (_) @value)
(assignment left: (_) @target type: (type) @type)
; The order of the fields is that of the arguments of a data class, unless a base has fields as well.
((class_definition !superclasses body: (block (expression_statement (assignment left: (identifier) @ordered type: (_) @type right: (_)? @_default))))
  (#not-match? @type "^(typing\\.)?ClassVar") (#not-match? @_default "init ?= ?False"))
((class_definition superclasses: (argument_list . (_) @_base .) body: (block (expression_statement (assignment left: (identifier) @ordered type: (_) @type))))
  (#match? @_base "^(typing\\.)?NamedTuple$"))
(named_expression name: (_) @target value: (_) @value)
(augmented_assignment left: (_) @target)
(for_statement left: (_) @target right: (_) @value)
(for_in_clause left: (_) @target right: (_) @value)
(with_item value: (as_pattern (_) @value alias: (as_pattern_target (_) @target)))
(except_clause (as_pattern (_) @type alias: (as_pattern_target (_) @target)))
((call function: (identifier) @_isinstance arguments: (argument_list . (identifier) @name . (_) @type .)) @tested
  (#eq? @_isinstance "isinstance"))

(return_statement (_) @return)
(yield (_) @return)
(lambda body: (_) @return)

; @cli.command
(decorator [(identifier) (attribute)] @callee) @site

; getattr(session, "renew"), getattr(self, f"visit_{kind}", self.visit)
((call function: (identifier) @_getattr arguments: (argument_list . (_) @receiver . (_) @name . (_)? @value)) @read
  (#eq? @_getattr "getattr"))
((call function: (identifier) @_getattr arguments: (argument_list . (_) @receiver . (string . (string_start) . (string_content) @call @callee .  (string_end))))
  (#eq? @_getattr "getattr"))
