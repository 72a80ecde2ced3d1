//! Facts of all files to one structure graph: syntax, directories and calls (SPEC section 1).
//!
//! **Never:** reads a file or knows a language by name.

mod budget;
mod edge;
mod file_facts;
mod link;
mod modules;
mod mro;
mod names;
mod namespaces;
mod points_to;
mod reason;
mod sets;
mod shared_names;
mod stars;
mod structure;

pub use edge::{CallReason, EdgeKind};
pub use file_facts::{CallPlace, FileFacts, PackedFacts};
pub use link::{CallEdge, Linked, link};
pub use modules::{ImportTarget, Paths};
pub use names::Source;
pub use structure::{CallSite, GraphNode, NodeKind, StructureGraph};
