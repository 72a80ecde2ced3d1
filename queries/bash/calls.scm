(command name: (command_name (word) @callee)) @call
; run renew; trap cleanup EXIT: the command calls the function that it is given.
((command name: (command_name (word) @_runner) . argument: (word) @call @callee)
  (#any-of? @_runner "run" "trap" "time" "eval" "if" "retry" "assert" "refute"))
