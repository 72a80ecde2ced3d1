//! Finds the function in a repository that matches a description. Answers in milliseconds, offline,
//! from the structure of the code.
//!
//! The modules follow the data flow, and each uses only the modules before it (checked by
//! `tests/layers.rs`; `ARCHITECTURE.md` is the tour):
//!
//! ```text
//! text embed lang scan parse wordvec graph fragment store  a repository to an index on disk
//! relation source index search answer picture              an index to ranked results
//! llm memory reading lookup inquiry memwalk context        reading, with or without a model
//! engine eval render host mcp serve lsp fleet cli          library, eval, JSON, servers, CLI
//! ```
//!
//! # As a library
//!
//! The library consists of the items on this page: an [`Engine`] for each repository, and its plain
//! input and output data.
//!
//! ```no_run
#![doc = include_str!("../examples/ask.rs")]
//! ```
//!
//! This is `examples/ask.rs`; the same folder contains `callers.rs` and `completion.rs`. An engine
//! is `Sync`: many threads may query one. It never prints, and opens no network connection.
//!
//! **Versions.** While the version begins with 0, a change that breaks a program raises the second
//! number, and any other change the third. This covers only the items listed here: the modules are
//! public for the program's own tests, benchmarks and training, and change at any time. Output
//! structs may get more fields. The oldest supported Rust is `rust-version` in `Cargo.toml`;
//! raising it raises the second number.
#![deny(unsafe_code)]
#![warn(missing_docs)]

#[doc(hidden)]
pub mod answer;
#[doc(hidden)]
pub mod check;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod context;
#[doc(hidden)]
pub mod embed;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod fleet;
#[doc(hidden)]
pub mod fragment;
#[doc(hidden)]
pub mod graph;
#[doc(hidden)]
pub mod host;
#[doc(hidden)]
pub mod ids;
#[doc(hidden)]
pub mod index;
#[doc(hidden)]
pub mod inquiry;
#[doc(hidden)]
pub mod lang;
#[doc(hidden)]
pub mod llm;
#[doc(hidden)]
pub mod lookup;
#[doc(hidden)]
pub mod lsp;
#[doc(hidden)]
pub mod mcp;
#[doc(hidden)]
pub mod memory;
#[doc(hidden)]
pub mod memwalk;
#[doc(hidden)]
pub mod parse;
#[doc(hidden)]
pub mod picture;
mod process_group;
#[doc(hidden)]
pub mod reading;
#[doc(hidden)]
pub mod relation;
#[doc(hidden)]
pub mod render;
#[doc(hidden)]
pub mod scan;
#[doc(hidden)]
pub mod search;
#[doc(hidden)]
#[cfg(feature = "serve")]
pub mod serve;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod store;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod threads;
#[doc(hidden)]
pub mod tree;
#[doc(hidden)]
pub mod untrusted;
#[doc(hidden)]
pub mod varint;
#[doc(hidden)]
pub mod wordvec;

pub use answer::{
    Answer, CallBranch, CallDirection, CallLimits, CallLine, CallTree, DefinitionLocation, Duplicate, Evidence,
    IndexSummary, RelatedDefinition, Relations, Resolved, SearchResult, SeenCall, Via,
};
pub use context::{Context, ContextFragment, ContextQuery, ContextRanking};
pub use engine::{Engine, default_index_dir};
pub use error::{Error, Kind, Remedy, Result};
pub use graph::{CallReason, EdgeKind};
pub use ids::DefinitionId;
pub use index::{Options, Progress, Report, Silent};
pub use search::{Confidence, KindFilter, Query, Question, Trust, Unit};
