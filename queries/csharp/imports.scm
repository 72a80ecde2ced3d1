; namespace App.Time; namespace App.Time { }
(file_scoped_namespace_declaration name: (_) @package)
(namespace_declaration name: (_) @package)
; using App.Time; global using App.Time; using static App.Time.Clock; using Clock = App.Time.Clock;
(using_directive "global"? @import.shared !name [(identifier) (qualified_name) (alias_qualified_name)] @import.path @import.all) @import
(using_directive name: (identifier) @import.alias [(identifier) (qualified_name) (alias_qualified_name)] @import.path .) @import
