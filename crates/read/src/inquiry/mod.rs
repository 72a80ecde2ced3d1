//! Answers a question about arbitrary texts (books, tables, logs, standard input) by reading them
//! from the first to the last.
//!
//! ```text
//! texts ──passage──> chunks ──statement──> statements ──relevance──> best ──fill──> revisions
//! ```
//!
//! **Never:** knows an index or a function; notes anything that the texts do not contain
//! (`extractive` copies word for word).

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
