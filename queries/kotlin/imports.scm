; package a.b
(package_header (qualified_identifier) @package)
; import a.b.C; import a.b.C as D; import a.b.*
(import (qualified_identifier) @import.path .) @import
(import (qualified_identifier) @import.path . (identifier) @import.alias) @import
(import (qualified_identifier) @import.path "*" @import.all) @import
