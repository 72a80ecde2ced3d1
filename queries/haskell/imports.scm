; import Session.Clock; import Session.Clock hiding (read)
((import module: (module) @import.path) @import @import.all (#not-match? @import "^import +qualified|qualified *$|[(]"))
((import module: (module) @import.path) @import @import.all (#match? @import "hiding *[(]") (#not-match? @import "^import +qualified"))
; import Session.Clock (read, Clock(..)): the type brings its constructors, fields and methods
(import module: (module) @import.path names: (import_list name: (import_name variable: (variable) @import.name))) @import
(import module: (module) @import.path names: (import_list name: (import_name type: (name) @import.name))) @import
(import module: (module) @import.path names: (import_list name: (import_name (children (all_names) @import.all)))) @import
(import module: (module) @import.path names: (import_list name: (import_name (children (variable) @import.name)))) @import
(import module: (module) @import.path names: (import_list name: (import_name operator: (_ (operator) @import.name)))) @import
; import qualified Session.Clock as C
(import module: (module) @import.path alias: (module) @import.alias) @import
(import module: (module) @import.path !alias) @import

; module Session (renew, Clock(..), module Session.Store) where
(exports (export variable: (variable) @export))
(exports (export type: (name) @export))
(exports (module_export) @export.all)
