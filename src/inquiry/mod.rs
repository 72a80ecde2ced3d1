//! A question about any texts, answered by reading them from the first to the last: books, tables, logs, standard input.
//!
//! ```text
//! texts ──stretch──> chunks ──unit──> sentences, rows, lines ──relevance──> those worth a note ──fill──> revisions
//! ```
//!
//! **Never:** knows an index or a function; notes what the texts do not say (`extractive`: word for word).

mod extractive;
mod fill;
mod generate;
#[allow(clippy::module_inception)]
mod inquiry;
mod relevance;
mod stretch;
mod table;
mod unit;

pub use extractive::ExtractiveReader;
pub use generate::generate;
pub use inquiry::{Findings, Inquiry, TextTrace};
pub use stretch::{Stretch, chunks};
pub use table::Head;
