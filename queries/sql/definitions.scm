; CREATE TABLE public.users (id int)
(create_table (head) . (name (identifier) @name .) (columns)? @body) @definition.struct
(create_type (head) . (name (identifier) @name .)) @definition.type
; CREATE VIEW names AS SELECT name FROM users: a view is computed like a function.
(create_view (head) . (name (identifier) @name .) (query)? @body) @definition.function

(create_function
  (head)
  . (name (identifier) @name .)
  (parameters)? @parameters
  [(as_body) (open_body) (block)]? @body) @definition.function
(create_trigger (head) . (name (identifier) @name .)) @definition.function
