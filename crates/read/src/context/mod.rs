//! Selects the context for a completion: the fragments of the repository that fit the code before a
//! cursor.
//!
//! ```text
//! ContextQuery ──lines before the cursor──> rank: windows in order ──> Context: text in a budget
//!       └────────── iterate: a model completes from it, and its guess joins the query ──────────┘
//! ```
//!
//! **Implements:** FragRel, section 3.3; RepoCoder, sections 3.2 and 3.3.
//!
//! **Never:** returns a completion, only the context for a completion; shows lines after the
//! cursor.

mod iterate;
mod query;
mod rank;

pub use iterate::{Completer, Iteration};
pub use query::{Context, ContextFragment, ContextQuery, Cursor, around, context};
pub use rank::{ContextRanking, CursorQuery, RankedWindow, rank};
