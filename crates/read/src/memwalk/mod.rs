//! Finds a function by walking a tree of summaries from the root (MemWalker), which shows only a
//! small part of the text.
//!
//! ```text
//! graph ──> draft ──> tree ──┬──> summary (from the code) ──────────┬──> tree with summaries
//!                            └──> model_summaries (cached) ─────────┘
//!
//! tree with summaries ──┬──> offline: scores, two queues ─> search_among ──┬──> found, trace
//!                       └──> guided: prompt, reply ─────────────────────────┘
//! ```
//!
//! **Never:** returns a definition that is not in the index.

mod build;
mod draft;
mod guided;
mod model_summaries;
mod offline;
mod reply;
mod summary;
mod text_scorer;
mod trace;
mod tree;

pub use guided::{GuidedLimits, GuidedOutcome, GuidedWalk, ModelGuide, NoAnswer, walk_by_model};
pub use model_summaries::{SummarizedTree, write_summaries};
pub use offline::{WalkOptions, WalkResult, walk};
pub use trace::{WalkAction, WalkRecord, WalkStep};
pub use tree::{Shape, SummaryNode, SummaryNodeId, SummaryNodeKind, SummaryTree};

use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_search::search::Hit;
use whichfn_syntax::ids::DefinitionId;

/// Sorts the hits in the order of the walk. A definition that the question's words do not find gets
/// a hit without words.
pub fn in_order(graph: &GraphFile, hits: Vec<Hit>, found: &[(DefinitionId, f32)]) -> Vec<Hit> {
    let mut by_id: FxHashMap<DefinitionId, Hit> = hits.into_iter().map(|hit| (hit.definition, hit)).collect();
    let hit = |&(id, score): &(DefinitionId, f32)| match by_id.remove(&id) {
        Some(hit) => Hit { score, ..hit },
        None => Hit::new(id, graph.definition(id).file, score, score),
    };
    found.iter().map(hit).collect()
}
