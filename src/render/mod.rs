//! Renders results in the formats that programs and browsers read: the JSON of SPEC section 3, and
//! pictures of the graph.
//!
//! This is the only module that does so, so that every front end gives the same bytes for the same
//! answer.
//!
//! **Never:** prints, or words the next step: the front end passes its own words.

mod ask;
mod context;
mod definition;
mod picture;
mod place;
mod reach;

pub use ask::{NextStep, answer, continue_items, docs_line, foreign_notice, in_order, passage, result_lines};
pub use context::{ContextFormat, context};
pub use definition::{call, function};
pub use picture::{PageLinks, dot, graph_page, graphml, mermaid, named_node, picture};
pub use place::{line, location, rounded, with_path};
pub use reach::{impact, impact_markdown, paths, test};
use serde_json::Value;

/// Adds what an answer lacks, one line each, if it lacks anything.
pub fn with_notices(mut value: Value, notices: &[String]) -> Value {
    if !notices.is_empty() {
        value["notices"] = notices.into();
    }
    value
}

/// Formats a count: `1 test`, `2 tests`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
