//! Reads source files: describes languages as data, and extracts definitions, calls and imports
//! from syntax trees.
//!
//! # Where to change what
//!
//! - a language: data in `grammars/` and `queries/` (`grammars/README.md` has the steps), a row in
//!   `lang/parsers.rs` and one in `crates/parsers/build/grammars.rs`; a new field of the language
//!   files: `lang/spec/`
//! - how the language of a file is detected: `extensions`, `markers` and `shebangs` in `grammars/`;
//!   the rule: `lang/registry.rs`
//! - kinds of definitions, calls, imports, doc comments: the language's `.scm` files
//!   (`queries/README.md`); decorators are in `definitions.scm`, calls in `calls.scm`, constants
//!   and fields in `values.scm`; `parse/pending.rs` reads calls
//! - what else is extracted from a file: `parse/extract.rs`; then increment `CONTENT` in
//!   `crates/index/src/store/version.rs`
//! - routes, commands, environment variables, events and tables: a file in `grammars/frameworks/`;
//!   the rules: `parse/entries/`
//! - what a piece of code does: `[idioms]` in the language's file; for all languages,
//!   `grammars/idioms.toml`
//! - macros that hide C and C++ declarations: `parse/macros/`, with the keywords in `[macros]`
//! - code in components, notebooks and templates: `[markup]` and `[notebooks]`; `parse/markup.rs`,
//!   `parse/notebook.rs`, `parse/component.rs`; templates: `grammars/data.toml`,
//!   `lang/templates.rs`
//! - which part of a function sees a name: `blocks` in `[scopes]`, `parse/blocks.rs`; the type of a
//!   name after a test (`isinstance`): `guards`, `@tested`, `parse/narrowing.rs`
//! - values in struct literals, object literals and tables: `records`, `collections` and `entries`
//!   in `[expressions]`, `@ordered` and `@table`; `parse/records.rs`
//! - methods that a built name may mean (`f"visit_{kind}"`): `built_names` in `[expressions]`,
//!   `@read`; `parse/built_names.rs`
//! - import paths from manifests such as `go.mod`: `manifests` in the language's file;
//!   `lang/manifest.rs`
//! - input that crashes or stalls a parser: `parse/guard.rs`; limits: `parse/parser.rs`
//!
//! `ids.rs` defines a type for each kind of id. The same text always gives the same facts.
//!
//! **Never:** looks at another file.

pub mod ids;
pub mod lang;
pub mod packed;
pub mod parse;
pub mod tree;
pub mod varint;
