; alias Session.Clock; alias Session.Clock, as: Time; alias Session.{Clock, Log}
((call target: (identifier) @_alias (arguments . (alias) @import.path .)) @import (#eq? @_alias "alias"))
((call target: (identifier) @_alias (arguments . (alias) @import.path (keywords (pair value: (alias) @import.alias)))) @import
  (#any-of? @_alias "alias" "require"))
((call target: (identifier) @_alias (arguments . (dot left: (alias) @import.path right: (tuple (alias) @import.name)))) @import
  (#eq? @_alias "alias"))
; import Session.Util
((call target: (identifier) @_import (arguments . (alias) @import.path @import.all)) @import (#any-of? @_import "import" "use"))
