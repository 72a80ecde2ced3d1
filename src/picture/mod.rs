//! The structure graph as a picture: directories, files and definitions, all of it or the part that matters, with
//! names.
//!
//! ```text
//! GraphFile ──> map: the whole picture, by numbers ──> selection: which nodes ──> drawing: their names, kinds and lines
//! ```
//!
//! **Never:** prints or colours; `cli` writes a [`Drawing`] as JSON, DOT, GraphML or a page.

mod drawing;
mod map;
mod selection;

pub use drawing::{Drawing, DrawnEdge, DrawnNode, NodeCategory, View, draw};
