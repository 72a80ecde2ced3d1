//! A question and a store to ranked definitions or files.
//!
//! ```text
//! question ──> bm25f (independent score, with the words of callers and callees) ──> rank (adjust, order, cut)
//! ```
//!
//! **Never:** writes, and never looks at source files.

mod bm25f;
pub mod context;
mod question;
mod rank;
mod searcher;
mod weights;
mod windows;

pub use bm25f::{DocumentField, Part};
pub use question::{Question, Section, Term};
pub use rank::{Adjustment, Hit, KindFilter, Query, Unit};
pub use searcher::Searcher;
pub use weights::{FieldWeight, Weights};
