; source("R/util.R")
((call function: (identifier) @_source arguments: (arguments . argument: (argument value: (string content: (_) @import.path)))) @import
  (#any-of? @_source "source" "sys.source"))
