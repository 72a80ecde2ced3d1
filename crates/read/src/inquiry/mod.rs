//! Answers a question about arbitrary text (books, tables, logs, standard input) by reading it from
//! beginning to end.
//!
//! ```text
//! texts ──passage──> chunks ──statement──> statements ──relevance──> best ──fill──> revisions
//! ```
//!
//! **Never:** knows anything about indexes or functions; notes anything that the text does not
//! contain (`extractive` copies word for word).

mod extractive;
mod field_list;
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
