//! The text of files and definitions, and the one rule of what may be shown or sent.
//!
//! After indexing, every other room gets source text from here and from nowhere else (`tests/layers.rs`).
//! [`Sources`] reads the files of an index, [`Texts`] files that a person named.
//!
//! **The rule.** A file of the repository is shown in an answer or sent to a language model only if the index holds it: what
//! ignore files, leading dots or links hide is not in the index ([`Sources::indexed`]). It is opened below the root without
//! following a link, and its text is given only if it is what was indexed ([`Sources::text`]). A file that a person named is read
//! whatever hides it, but sent only if a scan of the repository around it would come to it ([`Limits::is_sent`]).
//!
//! **Never:** knows a question; writes; keeps more than [`KEPT_BYTES`] of text in memory.

mod named;
mod repository;

pub use named::{Limits, NamedText, Texts};
pub use repository::{KEPT_BYTES, Sources, piece};
