//! The structure graph as a picture: directories, files and definitions, all of it or the part that matters, with names.
//!
//! ```text
//! GraphFile ──> map: the whole picture, by numbers ──> chosen: which nodes ──> drawing: their names, kinds and lines
//! ```
//!
//! **Never:** prints or colours; `cli` writes a [`Drawing`] as JSON, DOT, GraphML or a page.

mod chosen;
mod drawing;
mod map;

pub use drawing::{Drawing, DrawnEdge, DrawnNode, Group, Part, draw};
