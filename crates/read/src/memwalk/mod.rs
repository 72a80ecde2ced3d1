//! A tree of summaries that is walked from the root (MemWalker), to find a function by looking at
//! only little of the text.
//!
//! ```text
//! graph ──> draft ──> tree ──┬──> summary (from the code) ──────────┬──> tree with summaries
//!                            └──> written (by a model, cached) ─────┘
//!
//! tree with summaries ──┬──> offline: fit, two queues ──> Searcher::search_among ──┬──> found, trace
//!                       └──> guided: prompt, reply ─────────────────────────┘
//! ```
//!
//! **Never:** returns a definition that is not in the index.

mod build;
mod draft;
mod fit;
mod guided;
mod hits;
mod offline;
mod reply;
mod summary;
mod trace;
mod tree;
mod written;

pub use guided::{GuidedLimits, GuidedOutcome, GuidedWalk, ModelGuide, NoAnswer, walk_by_model};
pub use hits::in_order;
pub use offline::{WalkOptions, WalkResult, walk};
pub use trace::{WalkAction, WalkRecord, WalkStep};
pub use tree::{Shape, SummaryNode, SummaryNodeId, SummaryNodeKind, SummaryTree};
pub use written::{SummarizedTree, write_summaries};
