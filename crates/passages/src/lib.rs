//! Searches the text around the code: splits documentation, configuration and other text files into
//! passages, and ranks the passages for a question.
//!
//! tantivy is the search engine. The index is built when a question first needs it, and it is
//! stored in a folder of its own (`text`, next to the generations of the index of functions), so a
//! repository in which no one searches text has no such folder.
//!
//! - `split/` splits text into passages, one file per format.
//! - `index.rs` keeps the index up to date. The engine passes the files of the generation and their
//!   hashes (`src/engine/passages.rs`), so one comparison of files serves both indexes. `folder.rs`
//!   keeps a checksum for each file name, `caught.rs` turns a panic of tantivy into an error, and
//!   after such an error [`PassageIndex::rebuild`] builds the index again.
//! - `parse.rs` parses questions and the query language; `query.rs` builds tantivy's queries.
//! - `search.rs` ranks. BM25 uses counts of the existing passages (`statistics.rs`), because
//!   tantivy's own counts include deleted ones. `rerank.rs` ranks the best passages again by how
//!   close together their words are.
//!
//! To change a weight of a field, see `schema.rs`; the class of a file (documentation, settings,
//! changes), `class.rs`. If the passages of a file change, increment `FORMAT` in `index.rs`.
//!
//! **Never:** lists files, reads a file by itself, or knows anything about definitions.

mod caught;
mod class;
mod folder;
mod hit;
mod index;
mod parse;
mod query;
mod rerank;
mod schema;
mod search;
pub mod split;
mod statistics;
mod words;

pub use hit::PassageHit;
pub use index::{FileText, PassageIndex, TextFile};
pub use parse::{MOST_PATTERNS, MOST_TERMS};
pub use query::PassageQuery;
