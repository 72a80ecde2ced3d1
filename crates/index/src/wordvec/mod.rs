//! Word vectors: a table of vectors that ships with the program, and the words of each definition
//! as numbers of that table.
//!
//! - **Source:** `training/` builds the table from the documentation and code of open packages;
//!   none of the repositories that questions are evaluated on is among them
//! - **Cost:** nothing is loaded: the table is part of the program, and a word is found by binary
//!   search
//!
//! **Never:** knows anything about repositories, indexes or languages.

mod lexicon;
mod lists;
mod table;

pub use lexicon::{Lexicon, Stem, distinct};
pub use lists::{Numbers, WordLists};
pub use table::{LISTED_NEIGHBOURS, WordId, WordTable, length, product};
