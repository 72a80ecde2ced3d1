//! A question about functions, answered by reading them: which are read and in what order, what is noted of each, when
//! to stop, and who is first.
//!
//! ```text
//! hits ──order──> chunks ──reading: the loop──> memory of candidates ──features──> rerank ──> functions in order
//!                            └─ offline: the reader that is this program
//! ```
//!
//! **Never:** returns a function that the index does not hold, or that was not shown.

mod candidates;
mod chunks;
mod code;
mod deciding;
mod excerpt;
mod feature;
mod features;
mod flow;
mod function;
mod model_chunks;
mod model_lookup;
mod offline;
mod options;
mod question;
mod reading_order;
mod reply;
mod rerank;
mod rescore;
mod run;
mod trace;
mod traits;
mod wishes;

pub use candidates::{Candidates, KeyStyle};
pub use chunks::{Chunks, Piece};
pub use code::{Snippet, code_lines};
pub use deciding::deciding_lines;
pub use feature::{CandidateFeature, FEATURES, feature_names};
pub use features::{FeatureExtractor, FeatureVector};
pub use flow::FlowSummary;
pub use function::{Function, FunctionReader, FunctionWords};
pub use offline::OfflineReader;
pub use options::{ChunkOrder, LookupOptions};
pub use question::ParsedQuestion;
pub use rerank::{RERANK_DEPTH, SEARCH_SCORE, chance_of_first, shares};
pub use rescore::rescored;
pub use run::Lookup;
pub use trace::{LookupOutcome, LookupTrace, RankedFunction, Verdict};
