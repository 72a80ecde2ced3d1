(function_declaration
  name: (_) @name
  parameters: (_) @parameters
  result: (_)? @returns
  body: (_)? @body) @definition.function

; func (s *Session) Renew() is a member of Session, and `s` is the receiver.
(method_declaration
  receiver: (parameter_list (parameter_declaration name: (identifier)? @self type: (_) @receiver))
  name: (_) @name
  parameters: (_) @parameters
  result: (_)? @returns
  body: (_)? @body) @definition.method

(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
; The members of an embedded struct are inherited.
(type_spec type: (struct_type (field_declaration_list (field_declaration !name type: (_) @base)))) @definition.struct
(type_spec name: (_) @name type: (interface_type . (_)? @body)) @definition.interface
(type_spec type: (interface_type (type_elem (_) @base))) @definition.interface
(type_spec
  name: (_) @name
  type: [
    (type_identifier) (qualified_type) (generic_type) (pointer_type) (slice_type) (array_type) (map_type) (channel_type) (function_type)
    (parenthesized_type)
  ]) @definition.type
(type_alias name: (_) @name) @definition.type
(method_elem name: (_) @name parameters: (_) @parameters result: (_)? @returns) @definition.method

; A struct without a name: []struct{ name string; run func() }{...}
(composite_literal type: (struct_type) @object)
(composite_literal type: [(slice_type (struct_type) @object) (array_type (struct_type) @object) (map_type value: (struct_type) @object)
  (implicit_length_array_type (struct_type) @object)])

; renew := func() { ... }; var renew = func() { ... }
(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal parameters: (_) @parameters result: (_)? @returns body: (_) @body) .)) @definition.function
(var_spec
  . name: (identifier) @name
  value: (expression_list . (func_literal parameters: (_) @parameters result: (_)? @returns body: (_) @body) .)) @definition.function

(func_literal result: (_)? @returns body: (_) @body) @definition.anonymous

; Only a single `type X ...` and `var f = func...`, not those in a group.
(type_declaration . [(type_spec) (type_alias)] .) @wrapper
(var_declaration . (var_spec value: (expression_list . (func_literal))) .) @wrapper

(parameter_declaration name: (identifier) @name type: (_) @type) @parameter
(variadic_parameter_declaration name: (identifier) @name type: (_) @type) @parameter
