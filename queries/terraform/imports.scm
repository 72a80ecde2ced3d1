((block
  . (identifier) @_module
  . (string_lit)
  . (block_start)
  (body (attribute . (identifier) @_source . (expression (literal_value (string_lit (template_literal) @import.path)))))) @import
  (#eq? @_module "module") (#eq? @_source "source"))
