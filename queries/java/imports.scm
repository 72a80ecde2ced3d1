; package a.b;
(package_declaration [(identifier) (scoped_identifier)] @package)
; import a.b.C; import static a.b.C.method; import a.b.*;
(import_declaration (scoped_identifier) @import.path .) @import
(import_declaration (scoped_identifier) @import.path (asterisk) @import.all) @import
