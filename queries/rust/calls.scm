(call_expression function: (_) @callee arguments: (_) @arguments) @call
(macro_invocation macro: (_) @callee) @call
; The arguments of a macro have no syntax tree, only tokens.
(token_tree (identifier) @callee . (token_tree) @call @arguments)

(let_declaration pattern: (_) @target value: (_) @value)
(let_declaration pattern: (_) @target type: (_) @type)
(let_condition pattern: (_) @target value: (_) @value)
(assignment_expression left: (_) @assigned right: (_) @value)
(for_expression pattern: (_) @target value: (_) @each)
(match_expression value: (_) @value body: (match_block (match_arm pattern: (match_pattern . (_) @target))))
(const_item name: (_) @target type: (_) @type value: (_)? @value)
(static_item name: (_) @target type: (_) @type value: (_)? @value)
(field_declaration name: (_) @target type: (_) @type)
(struct_item body: (ordered_field_declaration_list type: (_) @position))
(enum_item name: (_) @type body: (enum_variant_list (enum_variant name: (_) @field)))
(enum_variant name: (_) @name body: (ordered_field_declaration_list type: (_) @position))
(type_item name: (_) @target type: (_) @value)
; The use of a generic alias names the type arguments.
(source_file (type_item !type_parameters type: (_) @elements))
(mod_item body: (declaration_list (type_item !type_parameters type: (_) @elements)))
(source_file (type_item type_parameters: (_) type: (generic_type type: (_) @elements)))
(mod_item body: (declaration_list (type_item type_parameters: (_) type: (generic_type type: (_) @elements))))
(associated_type name: (_) @type.parameter bounds: (trait_bounds (_) @value))
(type_parameter name: (_) @type.parameter)
(type_parameter name: (_) @type.parameter bounds: (trait_bounds (_) @value))
(where_predicate left: (type_identifier) @assigned bounds: (trait_bounds (_) @value))
(type_item name: (_) @target type: (generic_type type_arguments: (type_arguments (_) @value)))

(return_expression (_) @return)
((function_item body: (block (_) @return .))
  (#not-kind-eq? @return
    "expression_statement" "let_declaration" "empty_statement" "line_comment" "block_comment" "attribute_item"
    "inner_attribute_item" "const_item" "static_item" "macro_definition" "mod_item" "foreign_mod_item" "struct_item"
    "union_item" "enum_item" "type_item" "function_item" "function_signature_item" "impl_item" "trait_item"
    "associated_type" "use_declaration" "extern_crate_declaration"))
(function_item body: (block (expression_statement [(if_expression) (match_expression) (unsafe_block)] @return) .))
(closure_expression body: (_) @return)

; #[get("/users")], #[arg(long)]
(attribute_item (attribute . [(identifier) (scoped_identifier)] @callee arguments: (_)? @arguments) @site)
