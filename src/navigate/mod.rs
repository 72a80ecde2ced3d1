//! A tree of summaries, walked from the root (MemWalker).
//!
//! **Never:** returns what the index does not hold.

mod fit;
mod offline;
mod summary;
mod trace;
mod tree;

pub use offline::{Walk, Walked, walk};
pub use trace::{Action, Step, Trace};
pub use tree::{Node, NodeKind, NodeNumber, Shape, Tree};
