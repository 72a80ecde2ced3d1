; resource "aws_vpc" "main" { ... }; module "net" { ... }; variable "cidr" { ... }
(config_file (body (block
  . (identifier) @address
  . (string_lit (template_literal) @name)
  . (block_start) @body) @definition.function))
(config_file (body (block
  . (identifier) @address
  . (string_lit (template_literal) @address)
  . (string_lit (template_literal) @name)
  . (block_start) @body) @definition.function))

; locals { name = ... }
((config_file (body (block
  . (identifier) @address
  . (block_start)
  (body (attribute . (identifier) @name . (expression) @body) @definition.function))))
  (#eq? @address "locals"))
