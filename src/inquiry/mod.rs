//! A question about any texts, answered by reading them from the first to the last: books, tables, logs, standard
//! input.
//!
//! ```text
//! texts ──passage──> chunks ──statement──> sentences, rows, lines ──relevance──> those worth a note ──fill──> revisions
//! ```
//!
//! **Never:** knows an index or a function; notes what the texts do not say (`extractive`: word for word).

mod extractive;
mod fill;
mod generate;
mod passage;
mod read;
mod relevance;
mod statement;
mod table;

pub use extractive::ExtractiveReader;
pub use generate::generate;
pub use passage::{Passage, chunks};
pub use read::{Findings, Inquiry, TextTrace};
pub use table::TableHead;
