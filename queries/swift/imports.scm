; import Foundation
(import_declaration (identifier) @import.path @import.all) @import
