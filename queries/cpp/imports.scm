; Includes come from queries/c. `namespace fs = std::filesystem;` names what is included.
; using std::string; using app::net::Session;
(using_declaration (qualified_identifier name: [(identifier) (type_identifier)] @import.name) @import.path) @import
(using_declaration (qualified_identifier
  name: (qualified_identifier name: [(identifier) (type_identifier)] @import.name)) @import.path) @import
(using_declaration (qualified_identifier
  name: (qualified_identifier name: (qualified_identifier name: [(identifier) (type_identifier)] @import.name))) @import.path) @import
