; @lifetime 60
((unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))) @definition.value
  (#not-match? @name "^(doc|moduledoc|typedoc|spec|impl|deprecated|type|typep|opaque|callback|macrocallback|optional_callbacks|behaviour|dialyzer|since|tag|moduletag|describetag|derive|enforce_keys|compile|before_compile|after_compile|on_load|external_resource)$"))
