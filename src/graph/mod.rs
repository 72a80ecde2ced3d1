//! Facts of all files to one structure graph: syntax, directories and calls (SPEC section 1).
//!
//! **Never:** reads a file or knows a language by name.

mod edge;
mod flow;
mod link;
mod modules;
mod names;
mod reason;
mod sets;
mod structure;

pub use edge::{EdgeKind, Reason};
pub use link::{CallEdge, link};
pub use modules::{Paths, Place};
pub use names::Source;
pub use structure::{CallSite, GraphNode, NodeKind, StructureGraph};
