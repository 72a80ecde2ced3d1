//! What to put before a completion: a cursor in a file to the fragments of the repository that fit it.
//!
//! ```text
//! ContextQuery ──lines before the cursor──> rank: windows in order ──> Context: their text, within a budget
//!       └────────────── iterate: a model completes from it, and its guess joins the query ──────────────┘
//! ```
//!
//! Paper:    FragRel, section 3.3; RepoCoder, sections 3.2 and 3.3
//! **Never:** shows a completion, it is only looked for; shows lines that stand behind the cursor.

mod iterate;
mod query;
mod rank;

pub use iterate::{Completer, Iteration};
pub use query::{Context, ContextFragment, ContextQuery, Cursor, around, context};
pub use rank::{ContextRanking, CursorLines, RankedWindow, rank};
