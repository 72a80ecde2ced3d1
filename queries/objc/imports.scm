; @import Foundation;
(module_import path: (identifier) @import.path @import.all) @import
