; package a
(package_clause (package_identifier) @package)

; import "a/b"; import c "a/b"; import . "a/b"
(import_spec !name path: (_) @import.path) @import
(import_spec name: (package_identifier) @import.alias path: (_) @import.path) @import
(import_spec name: (dot) @import.all path: (_) @import.path) @import
