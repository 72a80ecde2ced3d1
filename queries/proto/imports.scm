(import path: (string) @import.path) @import
