//! Languages as data: `grammars/*.toml` says what a language is, `queries/*/*.scm` how to see definitions, calls,
//! imports and docs in it.
//!
//! **Never:** the name of a language outside `parsers.rs`. What another room needs to know is a field of [`Spec`].

mod idioms;
mod language;
mod parsers;
mod pattern;
mod query;
mod registry;
mod role;
mod signature;
mod spec;

pub use idioms::{Idioms, has_sign};
pub use language::{ExpressionForm, Language, NodeMeaning, WordSort};
pub use pattern::{ChildPattern, NodePattern, Pattern, Patterns, Predicate, Test, Times};
pub use query::QueryText;
pub use registry::{LangId, Registry};
pub use role::{DefinitionKind, Role};
pub use signature::{called, entries, is_receiver, parameter_name, parameters, type_before};
pub use spec::{Api, FlowKind, Modules, ParserLimits, Relative, Scopes, Spec, Visibility};
