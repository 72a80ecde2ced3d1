//! Structured memory: a typed hierarchy of values, its revisions, and the cost of its prompts.
//!
//! A [`Schema`] defines the values that a memory may contain. A [`Revision`] adds or updates one
//! location in the memory, identified by a [`Path`]. A [`Memory`] applies the revisions that fit
//! and reports why the other revisions do not. A model's replies are parsed leniently
//! ([`parse_reply`]) and then validated strictly against the schema.
//!
//! ```text
//! reply ──parse_reply──> ParsedReply ──Memory::revise──> Memory ──render──> next prompt
//!                                                          │                └─Account::step─> cost
//!                                                          └─compress──> Compressed: dropped parts
//! ```
//!
//! - **Implements:** PRISM (Jayalath et al. 2024): typed hierarchy, revisions, in-place memory and
//!   amendments, cost index; Chain-of-Key (Hwang et al. 2024): updates that can be turned off so
//!   that nothing is lost, compression.
//!
//! Which revisions are accepted: `plan.rs`, `check.rs`. Forms of replies: `reply.rs`, `loose.rs`.
//! Tokens of a prompt: `tokens/mod.rs`, whose vocabulary `crates/memory/examples/vocabulary.rs`
//! packs.
//!
//! **Never:** knows anything about code, indexes or models.

mod account;
mod check;
mod compress;
mod loose;
mod patch;
mod path;
mod plan;
mod quoted;
mod redundant;
mod remarks;
mod render;
mod reply;
mod revision;
mod schema;
mod state;
mod tokens;
mod value;

pub use account::{Account, PromptCost};
pub use check::{MAX_ENTRIES, MAX_KEY, MAX_TEXT};
pub use compress::{Compressed, DropReason, DroppedEntry};
pub use path::{Path, PathPart};
pub use remarks::Remarks;
pub use reply::{ParsedReply, parse_object, parse_reply};
pub use revision::{Applied, Operation, Rejection, RejectionReason, Revision};
pub use schema::{BUILTIN, MAX_DEPTH, MAX_TYPES, Schema, SchemaField, SchemaObject, Type};
pub use state::{Counts, Memory, MemoryFormat, RevisionResults};
pub use tokens::count_tokens;
pub use value::{Map, Value};
