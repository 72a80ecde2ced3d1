; renew <- function(session) { ... }; renew = \(session) ...; renew <<- function(...) ...
((binary_operator
  lhs: [(identifier) @name (string (string_content) @name)]
  operator: _ @_arrow
  rhs: (function_definition parameters: (_) @parameters body: (_) @body)) @definition.function
  (#any-of? @_arrow "<-" "=" "<<-"))

; session$renew <- function(...) { ... }
((binary_operator
  lhs: (extract_operator lhs: (identifier) @receiver rhs: (identifier) @name)
  operator: _ @_arrow
  rhs: (function_definition parameters: (_) @parameters body: (_) @body)) @definition.method
  (#any-of? @_arrow "<-" "=" "<<-"))

; setGeneric("renew", function(session) ...); setMethod("renew", "Session", function(session) ...)
((call
  function: (identifier) @_set
  arguments: (arguments
    . argument: (argument value: (string content: (_) @name))
    argument: (argument value: (function_definition parameters: (_) @parameters body: (_) @body)))) @definition.function
  (#any-of? @_set "setGeneric" "setMethod" "setReplaceMethod" "setValidity"))

; setClass("Session", ...); setRefClass("Session", ...)
((call
  function: (identifier) @_set
  arguments: (arguments . argument: (argument value: (string content: (_) @name)))) @definition.class
  (#any-of? @_set "setClass" "setRefClass" "setClassUnion"))
((call
  function: (identifier) @_set
  arguments: (arguments argument: (argument name: (identifier) @_contains value: (string content: (_) @base)))) @definition.class
  (#any-of? @_set "setClass" "setRefClass") (#eq? @_contains "contains"))

; Session <- R6Class("Session", public = list(renew = function() ...)); Session <- setRefClass(...); ggproto(...)
((binary_operator
  lhs: (identifier) @name
  rhs: (call
    function: [(identifier) @_class (namespace_operator rhs: (identifier) @_class)]
    arguments: (arguments) @body)) @definition.class
  (#any-of? @_class "R6Class" "setRefClass" "setClass" "new_class" "ggproto"))
((binary_operator
  rhs: (call
    function: [(identifier) @_class (namespace_operator rhs: (identifier) @_class)]
    arguments: (arguments argument: (argument name: (identifier) @_inherit value: (identifier) @base)))) @definition.class
  (#any-of? @_class "R6Class" "new_class") (#any-of? @_inherit "inherit" "parent"))

; list(renew = function() ...)
(argument name: [(identifier) @name (string (string_content) @name)] value: (function_definition parameters: (_) @parameters body: (_) @body)) @definition.function

(function_definition body: (_) @body) @definition.anonymous

(parameter name: (identifier) @name default: (_)? @default) @parameter
(parameter name: (dots) @name) @parameter

; The body of a test is a block: test_that("adds", { ... })
((call function: (identifier) @_test arguments: (arguments (argument value: (braced_expression) @definition.anonymous)))
  (#any-of? @_test "test_that" "it" "describe" "setup"))
