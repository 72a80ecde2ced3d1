//! Ranks the definitions, files or windows of an index by how well they answer a question.
//!
//! ```text
//! query ──> postings ──> bm25f ──> environment ──> exact_match
//!           words        scores    + related       pasted names
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
//! # How ranking works
//!
//! 1. **Question** (`question.rs`). Framing words at the start ("which function ...") and stop
//!    words are dropped, and framing verbs ("where is it decided how ...") count less. The
//!    remaining words are stemmed. The parts of a description (Purpose, Input, Output, Procedure)
//!    are kept separate.
//! 2. **BM25F** (`postings.rs`, `corpus.rs`, `bm25f.rs`). Eight fields are stored. Three more are
//!    derived from call edges while a question is answered: names of callers, first doc sentences
//!    of callers, first doc sentences of callees. So a change to a caller never changes the stored
//!    words of its callees. A synonym counts with a reduced weight. In a short question, the eight
//!    words nearest to each word according to word vectors count as well.
//! 3. **Environment** (`environment.rs`): alpha times the scores of related definitions, as a
//!    saturating sum along the tree (default) or as FragRel's mean.
//! 4. **Adjustments** (`index_search.rs`): `related` (environment), `name` and `test` (both
//!    independent of other definitions). Each is a named part of the score. The score is the sum of
//!    its parts, and `--explain` shows them all.
//! 5. **Exact matches** (`exact_match.rs`): a pasted name or stack trace. With `--embed`, the nearest
//!    functions follow the hits.
//! 6. **Features** of the best hundred functions: `feature.rs` has the table, and `features.rs` and
//!    `word_vectors.rs` measure them. The vectors of definitions are not stored; they are computed
//!    as sums of the vectors of their words.
//! 7. **Reranking** (`rerank.rs`): the weighted sum of the features, with separate weights for each
//!    form of question (`order.toml`). Types among functions (`--kind any`) are ordered by the same
//!    weights; if only types are searched, the weights are those in `types.toml`. With
//!    `--unit file`, a file gets the score of its best definition, a decreasing share of each
//!    additional one, and a bonus for its best definition in the learned order (`file_order.rs`).
//!    An issue is compared with candidates twice, as a whole and by its title (`TitleSearch` in
//!    `index_search.rs`), with the weights in `issue.toml`.
//! 8. **Subject** (`subject.rs`): a question about a subject ("session management") also finds types
//!    and modules, and its order depends on their files.
//! 9. **Confidence** (`confidence.rs`): the probability that the first result is right, and the
//!    probability that anything fits, which also depends on how usual the question's words are
//!    (`familiarity.rs`).
//! 9. **A second opinion** (`embedding_model.rs`), if the user has an embedding model: reorders the first
//!    hits by their cosines.
//!
//! Afterwards, `crate::answer` lists near-duplicates below the result that they repeat, and
//! distinguishes results that only look alike. `eval` does not merge near-duplicates.
//!
//! Constants are in `weights.rs`, the table of features in `feature.rs`, learned weights in
//! `order.toml`, `types.toml` and `issue.toml`.
//!
//! **Terms.** A *hit* is a ranked definition or file, as numbers; a *result* has the data that the
//! user sees. The *independent* part of a score results from the definition itself: its words, its
//! name, whether it is a test. The *environment* part results from its connections: the words of
//! callers and callees, and the scores of related definitions. An *adjustment* is a named change to
//! the BM25F score, in one of the two parts. *Evidence* is the matched words in the question and in
//! the code, with their places.
//!
//! **Never:** writes files or reads source files.

mod bm25f;
mod confidence;
mod corpus;
mod counts;
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
mod subject;
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
pub use embedding_model::{is_order_open, reorder_by_cosines};
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
pub use pipeline::{Found, Shards, choose, score};
pub use query::{DEFAULT_RESULTS, KindFilter, Query, Ranker, Unit};
pub use question::{IssueParts, JoinedStem, Question, QuestionForm, Section, Term, sections};
pub use rerank::score_of;
pub use searcher::{Searcher, stems_by_term};
pub use subject::search_by_form;
pub use weights::{
    FILE_ALPHA, FITS_FROM, FieldWeight, MAX_TERMS, MEAN_ALPHA, RERANK_DEPTH, SUM_ALPHA, SURE_FROM, Weights,
};
pub(crate) use weights::{LIKELY_FROM, LITERAL_LEAD, LITERAL_PART, LITERAL_RIGHT};
pub use windows::{Bag, Windows};
pub use wording::is_vendored_path;
