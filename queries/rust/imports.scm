; use a::b; use a::b as c; use a::{b, c::{d as e}}; use a::*;
(use_declaration argument: [(identifier) (scoped_identifier)] @import.path) @import
(use_declaration argument: (use_as_clause path: (_) @import.path alias: (_) @import.alias)) @import
(use_declaration argument: (use_wildcard (_) @import.path) @import.all) @import
(use_list [(identifier) (scoped_identifier) (self)] @import.path @import)
(use_list (use_as_clause path: (_) @import.path alias: (_) @import.alias) @import)
(use_list (use_wildcard (_)? @import.path) @import.all @import)

; mod a; binds the name to the file that contains the module.
(mod_item name: (identifier) @import.path !body) @import
