//! Builds the structure graph from the facts of all files: syntax, directories and calls (SPEC
//! section 1).
//!
//! # How calls are resolved
//!
//! 1. **Facts** (`whichfn_syntax::parse`). One walk over the syntax tree of a file records names,
//!    assignments, calls, returns, parameters, imports and declared types. Each expression becomes
//!    a value: a variable, a member of a value, the result of a call. No other file is read, so the
//!    facts of an unchanged file can be stored and used again. They are flat tables that linking
//!    reads in place ([`FileFacts`]).
//! 2. **Names** (`names/`, `modules.rs`). Imports are resolved to files and directories by the
//!    rules in the table `[modules]` of the language. Extensions and out-of-line methods are
//!    attached to their types, and base types are put in method resolution order (`mro.rs`). A name
//!    that the file does not bind is looked up in the members of the enclosing type, then in star
//!    imports (`stars.rs`), then in everything that is visible without an import. A C++ namespace
//!    is the union of its parts (`namespaces.rs`). All of linking has a step limit (`budget.rs`).
//! 3. **Points-to sets** (`points_to/`). Functions and objects are followed through assignments,
//!    members, arguments and returns until nothing changes. The points-to set of a variable has a
//!    maximum size; a set that needs more is unknown, and so is what depends on it. A field is one
//!    variable for all objects of its type, and a literal without names fills the fields by their
//!    positions. The result of a function that returns a parameter is the argument of the call
//!    (`returned_parameters.rs`). Files are solved in rounds: in each round, a file solves its own
//!    constraints. An object or a constraint for a pointer of another file is a message, which
//!    arrives in the next round (`points_to/rounds.rs`).
//! 4. **Edges** (`link.rs`). Each definition in the points-to set of a callee becomes a call edge.
//!    Of several overloads, those are taken whose parameters fit the types of the arguments most
//!    closely, to the extent that these types are known (`overloads.rs`, `static_types.rs`,
//!    `call_targets.rs`); in other languages, those with a matching number of parameters. Of an
//!    unknown set, only what the name of the call declares remains, or else the methods that
//!    override no other (`overridden.rs`). If nothing is known about an object, a call of its
//!    member is linked by name to methods of the same language: those in the same file, otherwise
//!    those in the same directory, otherwise those in the repository, and only if there are at most
//!    three.
//!
//! After an edit, only the files that it affects are linked again (`relink/`). Bases and owners are
//! stored (`hierarchy.rs`); subtypes, overrides and calls that may be dispatched are derived from
//! them when they are read (`crates/index/src/store/type_graph.rs`).
//!
//! **Declarations** (`declarations.rs`). In C and C++, the documentation is often in a header. A
//! documented prototype becomes a definition of the kind `declaration`, which contains only the
//! words of the documentation and is never a result. Linking records which declaration documents
//! which function. Field lengths, the displayed summary and postings are looked up through this
//! record, so an edit to a header does not change the data of any other file.
//!
//! **Tested by:** `crates/graph/tests/languages.rs` compares edges and their reasons with those in
//! `fixtures/lang/`; `crates/graph/tests/relinking.rs` compares edges and messages after random
//! edits with a full link.
//!
//! **Future work:** an added C++ file adds a part to a namespace, and all files that mention the
//! namespace count as affected, so everything is linked. To avoid this, a name would have to
//! resolve to the namespace instead of its nearest part. A full link takes longer in rounds than it
//! took with one queue, because messages are sorted by receiver in each round.
//!
//! # Where to change what
//!
//! - the values that a call may reach: `points_to/`; the edges: `link.rs` (`MethodsByName`: links
//!   by name only)
//! - names, imports, inheritance: `names/`, `modules.rs`, `mro.rs`; what a use of a name refers to:
//!   `uses.rs`
//! - overloads: the rule in `overloads.rs`, types of arguments in `static_types.rs`, conversions in
//!   `[types]` of `grammars/`
//! - extension functions: `[types]`, `points_to/extensions.rs`; containers of libraries:
//!   `[containers]`, `points_to/containers.rs`
//! - subtypes and overrides: `hierarchy.rs` and `crates/index/src/store/type_graph.rs`; differences
//!   of languages: `[dispatch]`
//! - which files are linked again after an edit: `relink/`, beginning with
//!   `relink/first_affected.rs`
//! - the weight of an edge of the structure graph: `edge.rs`; its levels of detail: `structure.rs`
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
mod type_rules;
mod use_objects;
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
