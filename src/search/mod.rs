//! A question and a store to ranked definitions or files.
//!
//! ```text
//! question ──> bm25f (independent score, with the words of callers and callees) ──> environment ──> rank (order, cut)
//! lines ─────> windows (BM25 of 20 lines) ──────────────────────────────────────┘
//! ```
//!
//! **Never:** writes, and never looks at source files.

mod bm25f;
pub mod context;
mod environment;
mod features;
mod meaning;
mod question;
mod rank;
mod searcher;
mod weights;
mod windows;

pub use bm25f::{DocumentField, Part};
pub use environment::{Environment, Form, RelationName};
pub use features::{Feature, Features};
pub use question::{Question, QuestionForm, Section, Term};
pub use rank::{Adjustment, Hit, KindFilter, Query, Unit};
pub use searcher::Searcher;
pub use weights::{FieldWeight, Weights};
