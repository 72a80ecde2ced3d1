//! A question and a store to ranked definitions or files.
//!
//! ```text
//! question ──> bm25f (independent score, with the words of callers and callees) ──> environment ──> rank (order, cut)
//!    │                                                                               └─> embedded ──┘  (with a model)
//! lines ─────> windows (BM25 of 20 lines) ──────────────────────────────────────┘
//! ```
//!
//! **Never:** writes, and never looks at source files.

mod bm25f;
pub mod context;
mod embedded;
mod environment;
mod question;
mod rank;
mod searcher;
mod weights;
mod windows;

pub use bm25f::{DocumentField, Part};
pub use environment::{Environment, Form, RelationName};
pub use question::{Question, Section, Term};
pub use rank::{Adjustment, Hit, KindFilter, Query, Unit};
pub use searcher::Searcher;
pub use weights::{FieldWeight, Weights};
