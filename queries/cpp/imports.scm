; Includes come from queries/c.
; using std::string; using app::net::Session;
(using_declaration (qualified_identifier name: [(identifier) (type_identifier)] @import.name) @import.path) @import
(using_declaration (qualified_identifier
  name: (qualified_identifier name: [(identifier) (type_identifier)] @import.name)) @import.path) @import
(using_declaration (qualified_identifier
  name: (qualified_identifier name: (qualified_identifier name: [(identifier) (type_identifier)] @import.name))) @import.path) @import
; namespace n = app::net;
(namespace_alias_definition
  name: (namespace_identifier) @import.alias
  (nested_namespace_specifier (namespace_identifier) @import.name .) @import.path) @import
(namespace_alias_definition
  name: (namespace_identifier) @import.alias
  (nested_namespace_specifier (nested_namespace_specifier (namespace_identifier) @import.name .)) @import.path) @import
