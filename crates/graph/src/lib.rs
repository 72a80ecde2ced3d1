//! Builds the structure graph from the facts of all files: syntax, directories and calls (SPEC
//! section 1).
//!
//! **Never:** reads a file or knows a language by name.

mod budget;
mod call_targets;
mod declarations;
mod directories;
mod edge;
mod fact_rows;
mod fact_tables;
mod file_facts;
mod hierarchy;
mod indexed_list;
mod link;
mod modules;
mod mro;
mod names;
mod namesakes;
mod namespaces;
mod overloads;
mod overridden;
mod packed_facts;
mod points_to;
mod relink;
mod resolver;
mod returned_parameters;
mod shared_names;
mod soundness;
mod stars;
mod static_types;
mod structure;
mod uses;
mod values_by_symbol;
mod visit;

pub use declarations::declared;
pub use directories::Directories;
pub use edge::{CallReason, Edge, EdgeKind, MergedEdge};
pub use fact_rows::CallPlace;
pub use fact_tables::FactTables;
pub use file_facts::{FileFacts, import_paths, imported_path};
pub use hierarchy::Hierarchy;
pub use link::{CallEdge, Linked, link};
pub use modules::{ImportTarget, Paths};
pub use names::Source;
pub use packed_facts::PackedFacts;
pub use relink::{PreviousLink, Relinked, Renumbering, relink};
pub use resolver::{NameResolver, NameTarget, linked_together};
pub use structure::{CallSite, GraphNode, NodeKind, StructureGraph, distinct_calls};
pub use uses::{LinkedFiles, Object, Referent, UseResolver};
pub use visit::{StructureEdge, StructureEdges, VisitedSet};
