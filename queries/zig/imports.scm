; const clock = @import("clock.zig");
((variable_declaration . (identifier) @import.alias . (builtin_function
  (builtin_identifier) @_import
  (arguments . (string (string_content) @import.path) .)) .) @import
  (#eq? @_import "@import"))
; const Clock = @import("clock.zig").Clock;
((variable_declaration . (identifier) @import.alias . (field_expression
  object: (builtin_function (builtin_identifier) @_import (arguments . (string (string_content) @import.path) .))
  member: (identifier) @import.name) .) @import
  (#eq? @_import "@import"))
; usingnamespace @import("clock.zig");
((using_namespace_declaration (builtin_function
  (builtin_identifier) @_import
  (arguments . (string (string_content) @import.path) .)) @import.all) @import
  (#eq? @_import "@import"))
