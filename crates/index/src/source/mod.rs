//! Provides the text of files and definitions, and defines the only rule for which text may be
//! shown or sent.
//!
//! After indexing, every other crate obtains source text only from this module (enforced by
//! `clippy.toml` in the crates). [`Sources`] reads the files of an index, and [`Texts`] reads files
//! that the user named.
//!
//! **The rule.** A file of the repository is shown in an answer or sent to a language model only if
//! it is in the index. Files that are hidden by ignore files, leading dots or links are not in the
//! index ([`Sources::indexed`]). The file is opened below the root without following a link, and
//! its text is returned only if it is identical to the indexed text ([`Sources::text`]). A file
//! that the user named is read even if it is hidden, but it is sent only if a scan of the
//! surrounding repository would find it ([`Limits::is_sent`]).
//!
//! **Never:** knows anything about questions; writes; keeps more than [`CACHE_BYTES`] of text in
//! memory.

mod named;
mod repository;

pub use named::{Limits, NamedText, Texts};
pub use repository::{CACHE_BYTES, Sources, piece};
