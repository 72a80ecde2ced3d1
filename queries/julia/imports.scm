; using Dates, Sessions
(using_statement [(identifier) (import_path)] @import.path @import.all) @import
(import_statement [(identifier) (import_path)] @import.path) @import
; using Sessions: renew, age as old
(using_statement (selected_import . (_) @import.path (identifier) @import.name)) @import
(import_statement (selected_import . (_) @import.path (identifier) @import.name)) @import
(selected_import . (_) @import.path (import_alias . (_) @import.name . (_) @import.alias)) @import

; export a, b
(export_statement (identifier) @export)
