//! Languages as data: `grammars/*.toml` says what a language is, `queries/*/*.scm` how to see definitions, calls,
//! imports and docs in it.
//!
//! **Never:** the name of a language outside `parsers.rs`. What another room needs to know is a field of [`Spec`].

mod idioms;
mod language;
mod parsers;
mod query;
mod registry;
mod spec;

pub use idioms::{Idioms, has_sign};
pub use language::{ExpressionForm, Language, NodeMeaning, WordSort};
pub use query::{Compiled, DefinitionKind, Role};
pub use registry::{LangId, Registry};
pub use spec::{FlowKind, Modules, Relative, Scopes, Spec, Visibility};
