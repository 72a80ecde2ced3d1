//! Facts of all files to one structure graph: syntax, directories and calls (SPEC section 1).
//!
//! **Never:** reads a file or knows a language by name.

mod budget;
mod by_symbol;
mod edge;
mod fact_rows;
mod file_facts;
mod link;
mod modules;
mod mro;
mod names;
mod namespaces;
mod offsets;
mod packed_facts;
mod points_to;
mod reason;
mod sets;
mod shared_names;
mod stars;
mod structure;

pub use edge::{CallReason, EdgeKind};
pub use fact_rows::CallPlace;
pub use file_facts::FileFacts;
pub use link::{CallEdge, Linked, link};
pub use modules::{ImportTarget, Paths};
pub use names::Source;
pub use packed_facts::PackedFacts;
pub use structure::{CallSite, GraphNode, NodeKind, StructureGraph};
