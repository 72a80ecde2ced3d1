; package a.b
(package_clause name: (_) @package)
; import a.b.C; import a.b._; import a.b.{C, D => E}
(import_declaration . path: (identifier) @import.path (identifier) @_last .) @import
(import_declaration . path: (identifier) @import.path (namespace_wildcard) @import.all) @import
(import_declaration . path: (identifier) @import.path (namespace_selectors (namespace_wildcard) @import.all)) @import
(import_declaration . path: (identifier) @import.path (namespace_selectors (identifier) @import.name)) @import
(import_declaration
  . path: (identifier) @import.path
  (namespace_selectors [(arrow_renamed_identifier name: (_) @import.name alias: (_) @import.alias)
                        (as_renamed_identifier name: (_) @import.name alias: (_) @import.alias)])) @import
