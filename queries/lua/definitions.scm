; function open() ... end; local function open() ... end
(function_declaration name: (identifier) @name parameters: (_) @parameters body: (_)? @body) @definition.function
; function M.open() ... end; function M:renew() ... end
(function_declaration
  name: (dot_index_expression table: (_) @receiver field: (_) @name)
  parameters: (_) @parameters
  body: (_)? @body) @definition.method
(function_declaration
  name: (method_index_expression table: (_) @receiver method: (_) @name)
  parameters: (_) @parameters
  body: (_)? @body) @definition.method

; local open = function() ... end; M.open = function() ... end; { open = function() ... end }
(assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition parameters: (_) @parameters body: (_)? @body) .)) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @receiver field: (_) @name) .)
  (expression_list . value: (function_definition parameters: (_) @parameters body: (_)? @body) .)) @definition.method
(field
  name: (identifier) @name
  value: (function_definition parameters: (_) @parameters body: (_)? @body)) @definition.method
; { ["a.b"] = function() ... end }; M["a.b"] = function() ... end
(field
  name: (string content: (_) @name)
  value: (function_definition parameters: (_) @parameters body: (_)? @body)) @definition.method
(assignment_statement
  (variable_list . name: (bracket_index_expression table: (identifier) @receiver field: (string content: (_) @name)) .)
  (expression_list . value: (function_definition parameters: (_) @parameters body: (_)? @body) .)) @definition.method
(variable_declaration (assignment_statement (expression_list . (function_definition) .))) @wrapper

; Tables at the top of a file to which functions are added: local M = {}; M = {}; local M = { open = function() end }
((chunk [
  (variable_declaration
    (assignment_statement (variable_list . name: (identifier) @name .) (expression_list . value: (table_constructor) @_table .)))
  (assignment_statement (variable_list . name: (identifier) @name .) (expression_list . value: (table_constructor) @_table .))
] @definition.class)
  (#match? @_table "^\\{\\s*\\}$"))
(chunk [
  (variable_declaration
    (assignment_statement
      (variable_list . name: (identifier) @name .)
      (expression_list . value: (table_constructor (field name: [(identifier) (string)] value: (function_definition))) @body .)))
  (assignment_statement
    (variable_list . name: (identifier) @name .)
    (expression_list . value: (table_constructor (field name: [(identifier) (string)] value: (function_definition))) @body .))
] @definition.class)

; The keys of a table of data at the top are its members: local Color = { red = 1 }; return { red = 1 }
(chunk (variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @name .)
    (expression_list . value: (table_constructor . (field name: (identifier) value: [(string) (number) (true) (false) (nil) (table_constructor) (function_call) (unary_expression) (binary_expression) (dot_index_expression) (identifier)])) @definition.extension .))))
(chunk (return_statement "return" @name
  (expression_list . (table_constructor . (field name: (identifier) value: [(string) (number) (true) (false) (nil) (table_constructor) (function_call) (unary_expression) (binary_expression) (dot_index_expression) (identifier)])) @definition.extension .)))

; Tables of data at the top: their members are followed.
((chunk (variable_declaration (assignment_statement (expression_list (table_constructor (field name: (identifier) value: (_))) @object))))
  (#not-match? @object "function"))

; local Session = class("Session", Base); local Session = Base:extend(); local M = setmetatable({}, { __index = Base })
((chunk (variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @name .)
    (expression_list . value: (function_call name: (identifier) @_class arguments: (arguments (identifier)? @base)) .))) @definition.class)
  (#any-of? @_class "class" "Class"))
((chunk (variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @name .)
    (expression_list . value: (function_call
      name: (method_index_expression table: (identifier) @base method: (identifier) @_extend)) .))) @definition.class)
  (#any-of? @_extend "extend" "subclass" "derive"))
((chunk (variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @name .)
    (expression_list . value: (function_call
      name: (identifier) @_set
      arguments: (arguments (table_constructor) (table_constructor (field name: (identifier) @_index value: (identifier) @base)))) .))) @definition.class)
  (#eq? @_set "setmetatable") (#eq? @_index "__index"))

(function_definition body: (_)? @body) @definition.anonymous

(parameters name: (identifier) @parameter @name)
