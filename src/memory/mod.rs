//! Structured memory: a typed hierarchy, revisions of it, and what its prompts cost.
//!
//! A [`Schema`] says what a memory may hold; a [`Revision`] adds or updates one place of it, named by a [`Path`]; a
//! [`Memory`] takes those that fit and says of each other why not. Replies of models are read with patience
//! ([`parse_reply`]), and then held to the schema without any.
//!
//! ```text
//! reply ──parse_reply──> Parsed ──Memory::revise──> Memory ──render──> the next prompt ──Account::step──> what it cost
//!                                                     └─compress──> Compressed: what had to go, listed
//! ```
//!
//! Paper:    PRISM (Jayalath et al. 2024): typed hierarchy, revisions, in-place memory and amendments, cost index;
//!           Chain-of-Key (Hwang et al. 2024): updates may be refused so that nothing is lost, compression
//!
//! **Never:** knows code, an index or a model.

mod account;
mod change;
mod check;
mod compress;
mod loose;
mod path;
mod plan;
mod quoted;
mod redundant;
mod render;
mod reply;
mod revision;
mod schema;
mod state;
mod tokens;
mod value;

pub use account::{Account, Step};
pub use check::{MAX_ENTRIES, MAX_KEY, MAX_TEXT};
pub use compress::{Compressed, CompressionRequest, Dropped, DroppedFor};
pub use path::{Part, Path};
pub use reply::{Parsed, parse_object, parse_reply};
pub use revision::{Action, Applied, Reason, Rejection, Revision};
pub use schema::{BUILTIN, Field, MAX_DEPTH, MAX_TYPES, Object, Schema, Type};
pub use state::{Counts, Form, Memory, Revised};
pub use tokens::Tokens;
pub use value::{Map, Value};
