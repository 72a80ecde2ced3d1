; import 'package:session/clock.dart'; export 'src/session.dart'; part 'session.g.dart';
(import_specification (configurable_uri (uri) @import.path)) @import
; import 'clock.dart' as clock;
(import_specification (configurable_uri (uri) @import.path) (identifier) @import.alias) @import
(library_export (configurable_uri (uri) @import.path)) @import @import.shared
(part_directive (uri) @import.path) @import @import.shared
