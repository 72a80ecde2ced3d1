//! The on-disk format of an index. How an index is built or queried is not part of this module
//! (SPEC section 4).
//!
//! ```text
//! <index dir>/<name>-<key of root>/
//!   LOCK                 locked by the single writer, which records its progress in it
//!   CURRENT              the name of the generation in use, replaced by rename
//!   tree                 the directories that the last scan found, replaced by rename
//!   generation-7/        a complete index; once it is current, only times in its manifest change
//!     manifest           versions, files, skips, seals
//!     base               names, places, words, syntax and facts of each file; memory-mapped, and
//!                        shared with the next generation
//!     overlay            the same for files that changed since the base was written; may be absent
//!     links              the location of each file, and the calls between all files
//!     embeddings         vectors of functions, if there is a model; added to a complete index, and
//!                        replaced, by rename
//! ```
//!
//! A shard is an archive with the base, the links and the source text of whole indexes. It is used
//! in place: see `shard.rs`.
//!
//! An index is a cache. Whenever it cannot be used, it is rebuilt, and a one-line message reports
//! this.

mod documented;
mod embeddings;
mod entry_names;
mod generation;
mod graph_calls;
mod graph_file;
mod graph_rows;
mod graph_section;
mod layout;
mod linking;
mod links_writer;
mod manifest;
mod map;
mod named_values;
mod names;
mod packed_texts;
mod piece;
mod piece_writer;
mod postings;
mod private;
mod sealed;
mod section_file;
mod shard;
mod shard_writer;
mod totals;
mod type_graph;
mod version;

pub use embeddings::{EmbeddingKey, Embeddings, FileEmbeddings, Row, embedding_key, embeddings_bytes, made_by};
pub use generation::{Freshness, Generation};
pub use graph_calls::{CallGraph, CallGraphEdge, CallGraphEdges, CallGraphNeighbors, CallGraphNode};
pub use graph_file::GraphFile;
pub use graph_rows::{CallRow, DefinitionRow, DefinitionTraits, FileRow};
pub use graph_section::SectionBytes;
pub use layout::{Layout, WriteLock, WriterProgress};
pub use links_writer::{FinishedLinks, LinksWriter, Mail};
pub(crate) use manifest::root_name;
pub use manifest::{FileRecord, Manifest, Seals, SkipRecord, UnlinkedCalls};
pub use named_values::{NamedValueId, NamedValueRow};
pub use piece_writer::{FilePart, FinishedPiece, PieceWriter, WrittenPiece};
pub use postings::{FileTerms, TermPosting, each_word};
pub use private::{create_folder, write_private};
pub use sealed::{Damaged, catch_damaged};
pub use shard::{MemberRecord, SHARD_SUFFIX, Shard, ShardMember, damaged_archive, damaged_member, shard_key};
pub use shard_writer::{PackedMember, write_shard};
pub use totals::{CALL_FIELDS, FieldTotals, KindGroup};
pub use type_graph::{RelatedType, TypeGraph};
pub use version::{CONTENT, FORMAT, Fingerprint};
