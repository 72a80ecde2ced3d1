//! Answers a question about functions by reading them: selects the functions to read and their
//! order, notes the relevant parts of each function, decides when to stop, and ranks the
//! candidates.
//!
//! ```text
//! hits ──order──> chunks ──reading loop──> memory of candidates ──features──> rerank ──> functions
//!                            └─ offline: the reader without a model
//! ```
//!
//! **Never:** returns a function that the index does not contain, or that the reader was not shown.

mod candidates;
mod choice;
mod chunks;
mod code;
mod deciding;
mod excerpt;
mod feature_table;
mod features;
mod flow;
mod function;
mod model_chunks;
mod model_lookup;
mod offline;
mod question;
mod reading_order;
mod reply;
mod requests;
mod rerank;
mod rescore;
mod run;
mod trace;
mod traits;

pub use candidates::{Candidates, KeyStyle};
pub use choice::choice_of_model;
pub use chunks::{Chunks, Piece};
pub use code::{LineRole, Snippet, code_lines, line_roles};
pub use deciding::deciding_lines;
pub use feature_table::{CandidateFeature, FEATURES, feature_names};
pub use features::{FeatureExtractor, FeatureVector};
pub use flow::FlowSummary;
pub use function::{Function, FunctionReader, FunctionWords};
pub use offline::OfflineReader;
pub use question::ParsedQuestion;
pub use rerank::{READ_SIGNALS, RERANK_DEPTH, SEARCH_SCORE, chance_of_first, read_signals, shares};
pub use rescore::{chosen, put_first, rescored};
pub use run::{Lookup, LookupOptions};
pub use trace::{ChunkOrder, LookupOutcome, LookupTrace, RankedFunction, Verdict};
