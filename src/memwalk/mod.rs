//! A tree of summaries, walked from the root (MemWalker): to find a function by looking at little of the text.
//!
//! ```text
//! graph ──> draft ──> tree ──> summary (from the code)            offline: fit, two queues ──> Searcher::among ──┐
//!                      │   └─> written (by a model, kept) ──> tree ──┤                                           ├──> found, trace
//!                      └─────────────────────────────────────────────┴> guided: prompt, reply ───────────────────┘
//! ```
//!
//! **Never:** returns what the index does not hold.

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

pub use guided::{Guide, Guided, GuidedLimits, GuidedOutcome, NoAnswer, walk_by_model};
pub use hits::in_order;
pub use offline::{WalkOptions, Walked, walk};
pub use trace::{WalkAction, WalkRecord, WalkStep};
pub use tree::{Shape, SummaryNode, SummaryNodeId, SummaryNodeKind, SummaryTree};
pub use written::{Written, write_summaries};
