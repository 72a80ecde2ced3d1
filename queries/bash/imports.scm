; source lib.sh; . ./lib.sh; load helper (Bats)
((command name: (command_name (word) @_source) . argument: [
  (word) @import.path
  (raw_string) @import.path
  ; source "$directory/lib.sh": the last part is written.
  (string (string_content) @import.path .)
  (concatenation [(word) (raw_string)] @import.path .)
  (concatenation (string (string_content) @import.path .) .)
]) @import
  (#any-of? @_source "source" "." "\\." "load" "bats_load_library"))
