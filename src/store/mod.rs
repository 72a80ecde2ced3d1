//! What lies on disk, and nothing of how it is made or asked (SPEC section 4).
//!
//! ```text
//! <index dir>/<name>-<key of root>/
//!   LOCK                 held by the one writer, who notes in it how far it is
//!   CURRENT              the generation in use, replaced by rename
//!   tree                 directories as the last scan found them, replaced by rename
//!   generation-7/        a whole index; once named by CURRENT, only its manifest's times change, and
//!     manifest           versions, files, skips, seals
//!     base               names, places, words, syntax, facts of each file: mapped, shared with the next generation
//!     overlay            the same of files that changed since the base was written; only where some did
//!     links              which file is where, and the calls between all
//!     embeddings         vectors of functions: only with a model; added to a whole index, and replaced, by rename
//! ```
//!
//! A shard is an archive with the base, links and texts of whole indexes, which is used where it lies: see `shard.rs`.
//!
//! An index is a cache: whatever is wrong with it, the answer is to build it again, and one line that says so.

mod documented;
mod embeddings;
mod generation;
mod graph_file;
mod graph_rows;
mod graph_section;
mod layout;
mod linking;
mod links_writer;
mod manifest;
mod map;
mod names;
mod packed;
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
mod version;

pub use embeddings::{EmbeddingKey, Embeddings, FileEmbeddings, Row, embedding_key, embeddings_bytes, made_by};
pub use generation::{Freshness, Generation};
pub use graph_file::GraphFile;
pub use graph_rows::{CallRow, DefinitionRow, DefinitionTraits, FileRow};
pub use graph_section::SectionBytes;
pub use layout::{Layout, Noted, Writing};
pub use links_writer::{FinishedLinks, LinksWriter, Mail};
pub use manifest::{FileRecord, Manifest, Seals, SkipRecord};
pub use packed::pack;
pub use piece_writer::{FilePart, FinishedPiece, PieceWriter, WrittenPiece};
pub use postings::{FileTerms, TermPosting, each_word};
pub use private::{create_folder, write_private};
pub use sealed::{Damaged, caught};
pub use shard::{MemberRecord, SHARD_SUFFIX, Shard, ShardMember, damaged_archive, damaged_member, shard_key};
pub use shard_writer::{PackedMember, write_shard};
pub use totals::{CALL_FIELDS, FieldTotals, KindGroup};
pub use version::{CONTENT, FORMAT, Fingerprint};
