//! Ranks the definitions, files or windows of an index by how well they answer a question.
//!
//! ```text
//! query ──> postings ──> bm25f ──> environment ──> embedding_model, exact_match
//!           words        scores    + related       + cosines, pasted names
//!       ──> features ──> order, rerank ──> hits
//!           measured     weighted sum, confidence
//!
//! issue          parts of a long text, and the definitions that it refers to
//! index_search   the steps up to the features, in one index; `counts.rs` defines what several
//!                indexes exchange
//! searcher       all steps for one index; `src/fleet/` does the same for many indexes
//! windows        BM25 scores of 20-line windows, for `--unit window` and for `context`
//! ```
//!
//! Constants are in `weights.rs`, the table of features in `feature.rs`, learned weights in
//! `order.toml` and `issue.toml`.
//!
//! **Never:** writes files or reads source files.

mod bm25f;
mod confidence;
mod corpus;
mod counts;
mod diversity;
mod embedding_model;
mod environment;
mod exact_match;
mod familiarity;
mod feature;
mod features;
mod field;
mod file_filter;
mod file_order;
mod hit;
mod index_search;
mod indexes;
mod issue;
mod learned;
mod listing_filter;
mod message;
mod order;
mod part;
mod pasted;
mod pipeline;
mod postings;
mod query;
mod question;
mod rerank;
mod searcher;
mod test_question;
mod type_question;
mod weights;
mod windows;
mod word_vectors;
mod wording;
mod wrappers;

pub use bm25f::TermScore;
pub use confidence::{Confidence, RIGHT_SIGNALS, SIGNAL_NAMES, SIGNALS, Trust, log_odds_ahead, logistic, signals};
pub use counts::CorpusStatistics;
pub use environment::{Environment, EnvironmentForm, RelationName};
pub use exact_match::ExactMatch;
pub use familiarity::{FAMILIARITY, Familiarity};
pub use feature::{Feature, Features, RawFeatures};
pub use field::DocumentField;
pub use hit::{Adjustment, AdjustmentKind, EvidenceName, Hit};
pub use index_search::{IndexSearch, PreparedQuery};
pub use indexes::Indexes;
pub use issue::{Issue, Mention, MentionPlace, TraceFrame, is_issue, message_lines};
pub use learned::{LearnedWeights, WeightTable};
pub use listing_filter::ListingFilter;
pub use message::message_text;
pub use order::{BestHits, FurtherHits, MeasuredCandidate, depth};
pub use part::{Aspect, ScorePart};
pub use pipeline::{Found, Shards, choose, score, search};
pub use query::{DEFAULT_RESULTS, KindFilter, Query, Ranker, Unit};
pub use question::{IssueParts, JoinedStem, Question, QuestionForm, Section, Term, sections};
pub use rerank::score_of;
pub use searcher::{Searcher, stems_by_term};
pub use weights::{
    FILE_ALPHA, FITS_FROM, FieldWeight, MAX_TERMS, MEAN_ALPHA, RERANK_DEPTH, SUM_ALPHA, SURE_FROM, Weights,
};
pub(crate) use weights::{LIKELY_FROM, LITERAL_LEAD, LITERAL_PART, LITERAL_RIGHT};
pub use windows::{Bag, Windows};
pub use wording::is_vendored_path;
