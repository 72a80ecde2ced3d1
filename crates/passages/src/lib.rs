//! Searches the text around the code: splits documentation, configuration and other text files into
//! passages, and ranks the passages for a question.
//!
//! tantivy is the search engine. The index is built when a question first needs it, and it is
//! stored in a folder of its own, so a repository in which no one searches text has no such folder.
//!
//! **Never:** lists files, reads a file by itself, or knows anything about definitions.

mod caught;
mod class;
mod folder;
mod index;
mod parse;
mod query;
mod rerank;
mod schema;
mod search;
pub mod split;
mod statistics;
mod words;

pub use index::{FileText, PassageIndex, TextFile};
pub use parse::{MOST_PATTERNS, MOST_TERMS};
pub use query::PassageQuery;
pub use search::PassageHit;
