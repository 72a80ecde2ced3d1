(call (name (identifier) @callee .) (arguments) @arguments) @call
; EXEC dbo.renew @id; CALL renew(1)
(execute (name (identifier) @callee .)) @call

; SELECT * FROM users; REFERENCES users; UPDATE users; DROP TABLE users
(relation (table (identifier) @callee .) @call)
; CREATE TRIGGER .. ON users; CREATE INDEX .. ON users
(on_table (name (identifier) @callee .)) @call
; RETURNS SETOF users; RETURNS app.user; users%ROWTYPE
(returns (setof) (name (identifier) @callee .)) @call
(returns (name (identifier) . (identifier) @callee .)) @call
(row_type (name (identifier) @callee .)) @call

; WITH recent AS (SELECT ...)
(cte . (name . (identifier) @target .))
(cte . (call (name . (identifier) @target .)))
