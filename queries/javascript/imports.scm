; import a from "x"; import * as a from "x"; import { a, b as c } from "x"
(import_statement (import_clause (identifier) @import.alias) source: (string) @import.path) @import
(import_statement (import_clause (namespace_import (identifier) @import.alias)) source: (string) @import.path) @import
((import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.name alias: (_)? @import.alias)))
  source: (string) @import.path) @import
  (#not-match? @import.name "^default$"))
; import { default as a } from "x"
((import_statement
  (import_clause (named_imports (import_specifier name: (_) @_default alias: (_) @import.alias)))
  source: (string) @import.path) @import
  (#eq? @_default "default"))

; export { a, b as c } from "x"; export * from "x"; export * as a from "x"
((export_statement
  (export_clause (export_specifier name: (_) @import.name alias: (_)? @import.alias))
  source: (string) @import.path) @import
  (#not-match? @import.name "^default$"))
; export { default } from "x"; export { default as a } from "x"; export { a as default } from "x"
(export_statement
  (export_clause (export_specifier name: "default" @import.alias !alias))
  source: (string) @import.path) @import
(export_statement
  (export_clause (export_specifier name: "default" alias: (_) @import.alias))
  source: (string) @import.path) @import
(export_statement
  (export_clause (export_specifier name: (_) @import.name alias: "default" @import.alias))
  source: (string) @import.path) @import
(export_statement "*" @import.all source: (string) @import.path) @import
(export_statement (namespace_export (_) @import.alias) source: (string) @import.path) @import
; export { a as b }
(export_statement !source (export_clause (export_specifier name: (_) @value alias: (identifier) @target)))

; const a = require("x"); const { a, b: c } = require("x"); const a = require("x").b; const a = await import("x"); const { a, b: c } = await import("x")
(variable_declarator
  name: (identifier) @import.alias
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path))
  (#eq? @_require "require")) @import
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @import.name)
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path))
  (#eq? @_require "require")) @import
(variable_declarator
  name: (object_pattern (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias))
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path))
  (#eq? @_require "require")) @import
(variable_declarator
  name: (identifier) @import.alias
  value: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path))
    property: (property_identifier) @import.name)
  (#eq? @_require "require")) @import
(variable_declarator
  name: (identifier) @import.alias
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.path)))) @import
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @import.name)
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.path)))) @import
(variable_declarator
  name: (object_pattern (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias))
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.path)))) @import
; exports.a = require("x"); module.exports.a = require("x"); exports.a = require("x").b; module.exports = require("x")
((assignment_expression
  left: (member_expression object: (_) @_object property: (property_identifier) @import.alias)
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path))) @import
  (#eq? @_require "require") (#match? @_object "^(module\\.)?exports$"))
((assignment_expression
  left: (member_expression object: (_) @_object property: (property_identifier) @import.alias)
  right: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path))
    property: (property_identifier) @import.name)) @import
  (#eq? @_require "require") (#match? @_object "^(module\\.)?exports$"))
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @import.all)
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path))) @import
  (#eq? @_require "require") (#eq? @_module "module") (#eq? @import.all "exports"))
; The value of the module is that of the other one, as well: module.exports = require("x")
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @import.alias @return)
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path)) @import)
  (#eq? @_require "require") (#eq? @_module "module") (#eq? @import.alias "exports"))
; module.exports = { a: require("x"), b: require("x").c, ...require("x") }
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object (pair
    key: (property_identifier) @import.alias
    value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path))) @import)
  (#eq? @_require "require") (#eq? @_module "module") (#eq? @_exports "exports"))
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object (spread_element
    (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.path)) @import.all) @import)
  (#eq? @_require "require") (#eq? @_module "module") (#eq? @_exports "exports"))

; What other files can import: export { a, b as c }; export function a() {}; export const a = 1
(export_statement (export_clause (export_specifier name: (_) @export !alias)))
(export_statement (export_clause (export_specifier alias: (_) @export)))
((export_statement declaration: (_ name: (_) @export)) @_all (#not-match? @_all "^export\\s+default\\b"))
(export_statement declaration: (_ (variable_declarator name: (identifier) @export)))
(export_statement declaration: (_ (variable_declarator name: (object_pattern [(shorthand_property_identifier_pattern) @export (pair_pattern value: (identifier) @export)]))))
(export_statement (namespace_export (_) @export))
; exports.a = 1; module.exports.a = 1; module.exports = { a, b: c, d() {} }; any other value may have any names.
((assignment_expression left: (member_expression object: (_) @_exports property: (property_identifier) @export))
  (#match? @_exports "^(module\\.)?exports$"))
((assignment_expression
  left: (member_expression) @_exports
  right: (object [
    (shorthand_property_identifier) @export
    (pair key: [(property_identifier) @export (string (string_fragment) @export)])
    (method_definition name: (property_identifier) @export)
    (spread_element) @export.all
  ]))
  (#eq? @_exports "module.exports"))
((assignment_expression left: (member_expression) @_exports right: (_) @export.all)
  (#eq? @_exports "module.exports") (#not-kind-eq? @export.all "object"))
((assignment_expression left: (subscript_expression object: (_) @_exports) @export.all)
  (#match? @_exports "^(module\\.)?exports$"))
((call_expression arguments: (arguments . (_) @_exports) @export.all)
  (#match? @_exports "^(module\\.)?exports$"))
; export default { a, b: c, d() {} }: other files find its members through the file.
(export_statement value: (object [
  (shorthand_property_identifier) @export
  (pair key: [(property_identifier) @export (string (string_fragment) @export)])
  (method_definition name: (property_identifier) @export)
  (spread_element) @export.all
]))
