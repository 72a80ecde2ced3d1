(val_definition pattern: (identifier) @name) @definition.value
(var_definition pattern: (identifier) @name) @definition.value
(val_declaration name: (identifier) @name) @definition.value
(class_parameter name: (identifier) @name) @definition.value
(simple_enum_case name: (identifier) @name) @definition.value
(full_enum_case name: (identifier) @name) @definition.value
