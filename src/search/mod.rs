//! A question and a store to ranked definitions or files.
//!
//! ```text
//! question ──> bm25f (independent score, with the words of callers and callees) ──> environment ──> features ──> order
//!    │                                                                               └─> embedded ──┘  (with a model)
//! windows: BM25 of 20 lines, for `--unit window` and for `context`
//! ```
//!
//! **Never:** writes, and never looks at source files.

mod bm25f;
mod embedded;
mod environment;
mod features;
mod learned;
mod meaning;
mod order;
mod pointed;
mod question;
mod rank;
mod searcher;
mod trust;
mod weights;
mod windows;

pub use bm25f::{DocumentField, Part};
pub use environment::{Environment, Form, RelationName};
pub use features::{Feature, Features};
pub use learned::{LearnedWeights, WeightTable};
pub use order::{CANDIDATES, score_of};
pub use pointed::Place;
pub use question::{Question, QuestionForm, Section, Term, sections};
pub use rank::{Adjustment, Hit, KindFilter, Order, Query, Unit};
pub use searcher::Searcher;
pub use trust::{FITS, SIGNAL_NAMES, SIGNALS, SURE, Trust, signals};
pub use weights::{FieldWeight, Weights};
pub use windows::{Bag, Windows};
