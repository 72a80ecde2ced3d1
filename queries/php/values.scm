(const_element . (name) @name) @definition.value
(property_element name: (variable_name (name) @name)) @definition.value
(property_promotion_parameter name: (variable_name (name) @name)) @definition.member
(enum_case name: (name) @name) @definition.value
