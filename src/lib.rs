//! Finds the function in a repository that matches a description. It answers in milliseconds,
//! offline, from the structure of the code.
//!
//! This package contains the engine, the command line and the servers. The crates in `crates/` do
//! the work. Each crate uses only the crates before it (`ARCHITECTURE.md` has a paragraph for
//! each):
//!
//! ```text
//! system text memory llm          errors and processes; words; structured memory; model clients
//! syntax graph scan index         a repository to an index on disk
//! search read check               an index to ranked results, to answers, to findings
//! ```
//!
//! # As a library
//!
//! The library consists of the items on this page: an [`Engine`] for each repository, and plain
//! data types for its input and output.
//!
//! ```no_run
#![doc = include_str!("../examples/ask.rs")]
//! ```
//!
//! This is `examples/ask.rs`; the same folder contains `callers.rs`, `completion.rs` and
//! `graph.rs`, which runs algorithms of [`petgraph`] on the calls of a repository ([`CallGraph`]).
//! An engine is `Sync`: many threads may query the same engine. It never prints, and opens no
//! network connection.
//!
//! **Versions.** While the version begins with 0, a breaking change increments the second number,
//! and any other change increments the third. This covers only the items listed here: the modules
//! are public for the program's own tests, benchmarks and training, and may change at any time.
//! Output structs may get more fields. The oldest supported Rust is `rust-version` in `Cargo.toml`;
//! a change to this minimum also increments the second number.
#![deny(unsafe_code)]
#![warn(missing_docs)]

#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod fleet;
#[doc(hidden)]
pub mod host;
#[doc(hidden)]
pub mod lsp;
#[doc(hidden)]
pub mod mcp;
#[doc(hidden)]
pub mod models;
#[doc(hidden)]
pub mod render;
#[doc(hidden)]
#[cfg(feature = "serve")]
pub mod serve;
#[doc(hidden)]
pub mod typed;
#[doc(hidden)]
pub mod verbs;

pub use engine::{Engine, default_index_dir};
pub use petgraph;
pub use whichfn_graph::{CallReason, EdgeKind, GraphNode, NodeKind, StructureGraph};
pub use whichfn_index::index::{Options, Progress, Report, Silent};
pub use whichfn_index::store::{CallGraph, CallRow, RelatedType, TypeGraph};
pub use whichfn_read::context::{Context, ContextFragment, ContextQuery, ContextRanking};
pub use whichfn_search::answer::{
    Answer, Branch, CallDirection, CallLimits, CallLine, Calls, DefinitionLocation, Duplicate, Evidence, IndexSummary,
    Place, RelatedDefinition, Relations, Resolved, SearchResult, SeenCall, Subtype, Tree, TypeDirection, TypeRelation,
};
pub use whichfn_search::search::{Confidence, KindFilter, Query, Question, Trust, Unit};
pub use whichfn_syntax::ids::{DefinitionId, DirectoryId, FileId, NodeId};
pub use whichfn_system::error::{Error, Kind, Remedy, Result};
