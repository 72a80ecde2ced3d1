//! Languages as data. `grammars/*.toml` describes a language, and `queries/*/*.scm` contains the
//! patterns for its definitions, calls, imports and documentation.
//!
//! **Never:** mentions the name of a language outside `parsers.rs`. Anything that another module
//! needs to know about a language is a field of [`Spec`].

mod assigned;
mod framework;
mod idioms;
mod language;
mod manifest;
mod meaning_table;
mod node_meaning;
mod parsers;
mod pattern;
mod query;
mod registry;
mod rewrites;
mod role;
mod signature;
mod spec;
mod templates;

pub use crate::ids::LangId;
pub use assigned::path_glob;
pub use framework::{Argument, EntryRule, Exports, FileRule, Framework, ReadRule, Registers};
pub use idioms::{Idioms, has_sign};
pub use language::Language;
pub use manifest::{Declared, declarations};
pub use node_meaning::{ExpressionForm, GuardFields, NodeMeaning, PatternFields, WordSort};
pub use pattern::{ChildPattern, NodePattern, Pattern, Patterns, Predicate, Test, Times};
pub use query::QueryText;
pub use registry::{LanguageGroups, Registry};
pub use rewrites::Rewrites;
pub use role::{DefinitionKind, Role};
pub use signature::{callee_name, is_receiver, parameter_entries, parameter_name, parameters, type_before};
pub use spec::{
    Addresses, Api, ChainLimit, Containers, DataRows, Dispatch, ExportRule, FlowKind, Guard, GuardedPlace, Interfaces,
    Interpolation, ItemMacros, Macros, Manifest, ManifestKeys, Marker, Markup, MarkupRule, Modules, Notebooks,
    Operator, OtherRunner, ParserLimits, PlainMembers, Relative, Scopes, Spec, SuperForm, Tests, Tokens, TypePattern,
    Types, Visibility,
};
