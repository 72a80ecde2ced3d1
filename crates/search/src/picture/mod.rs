//! The structure graph as a picture, with names: directories, files and definitions, all of them or
//! the part that matters.
//!
//! ```text
//! GraphFile ──> map: the whole picture, by numbers ──> selection: the nodes to draw
//!           ──> drawing: their names, kinds and lines
//! ```
//!
//! **Never:** prints or colours; `cli` writes a [`Drawing`] as JSON, DOT, GraphML or a page.

mod drawing;
mod map;
mod selection;

pub use drawing::{Drawing, DrawnEdge, DrawnNode, NamedNode, NodeCategory, View, draw};
