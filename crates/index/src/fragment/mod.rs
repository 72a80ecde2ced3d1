//! Fragments: the pieces of a repository that are ranked and related (SPEC section 1).
//!
//! ```text
//! window   20 lines, consecutive ones overlap by 10   definition   one function, type or module
//!        \                                            /
//!         maximal syntax nodes inside the span, with their lengths
//!           ──> skeleton: the tree between those nodes
//! ```
//!
//! **Never:** reads another file. `relation` has the relations between fragments of different
//! files.

mod blocks;
mod file;
mod nodes;
mod skeleton;
mod tree;
mod window;

pub use blocks::{Blocks, short_hash, unpack};
pub use file::FileFragments;
pub use nodes::{FragmentNode, maximal, shares};
pub use skeleton::Skeleton;
pub use tree::SyntaxTree;
pub use window::{BLOCK_LINES, LineEnds, WINDOW_LINES, blocks_in, window_lines, windows_in};
