; local a = require("x"); local a = require "x"
(assignment_statement
  (variable_list . name: (identifier) @import.alias .)
  (expression_list . value: (function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import.path) .)) .)
  (#eq? @_require "require")) @import
; local a = require("x").b
(assignment_statement
  (variable_list . name: (identifier) @import.alias .)
  (expression_list . value: (dot_index_expression
    table: (function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import.path) .))
    field: (_) @import.name) .)
  (#eq? @_require "require")) @import
; require("x")
((function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import.path) .)) @import
  (#any-of? @_require "require" "dofile" "loadfile"))
