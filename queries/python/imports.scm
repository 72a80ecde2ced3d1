(import_statement name: (dotted_name) @import.path) @import
(import_statement name: (aliased_import name: (dotted_name) @import.path alias: (identifier) @import.alias)) @import
(import_from_statement module_name: (_) @import.path name: (dotted_name) @import.name) @import
(import_from_statement
  module_name: (_) @import.path
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias)) @import
(import_from_statement module_name: (_) @import.path (wildcard_import) @import.all) @import

; __all__ = ["a"]; __all__ += ["b"]; any other value may have any names.
((assignment left: (identifier) @_all right: [(list (string (string_content) @export)) (tuple (string (string_content) @export))])
  (#eq? @_all "__all__"))
((augmented_assignment left: (identifier) @_all right: [(list (string (string_content) @export)) (tuple (string (string_content) @export))])
  (#eq? @_all "__all__"))
((assignment left: (identifier) @_all right: (_) @export.all)
  (#eq? @_all "__all__") (#not-kind-eq? @export.all "list" "tuple"))
((augmented_assignment left: (identifier) @_all right: (_) @export.all)
  (#eq? @_all "__all__") (#not-kind-eq? @export.all "list" "tuple"))
((call function: (attribute object: (identifier) @_all)) @export.all
  (#eq? @_all "__all__"))
