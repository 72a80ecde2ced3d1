//! A server of the Model Context Protocol over standard input and output: three tools for agents,
//! for one or more repositories.
//!
//! ```text
//! a call ──> tools: typed input ──> host: index up to date ──> engine ──> candidates, show, graph: text
//! ```
//!
//! The reader is an agent, which pays for every token, so an answer contains what it needs to
//! decide and nothing else. Answers are text only: a client passes the structured form of an answer
//! to the model as JSON, in which code is escaped and cannot be edited.
//!
//! Descriptions, schemas and limits (`TOKENS`) are in `tools.rs`, and `server.rs` calls the tools.
//! `candidates.rs` writes the answer to a question and `excerpt.rs` its code; `show.rs`, `graph.rs`
//! and `lines.rs` write the other answers. `benches/agents/` measures what an agent reads.
//!
//! **Never:** writes anything but JSON-RPC to standard output; reads outside the repositories it
//! was given.

mod candidates;
mod excerpt;
mod further;
mod graph;
mod lines;
mod named;
mod seen;
mod server;
mod show;
mod tools;

pub use server::serve;
pub use tools::{MOST_TOKENS, TOKENS};
