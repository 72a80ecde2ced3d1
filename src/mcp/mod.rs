//! A server of the Model Context Protocol over standard input and output: two tools for agents, over one repository or several.
//!
//! ```text
//! a call ──> tools: typed input ──> host: index brought up to date ──> engine ──> page: text and JSON
//! ```
//!
//! The agent is the reader: an answer carries in at most [`MOST_TOKENS`] what lets it choose.
//!
//! **Never:** writes anything but JSON-RPC to standard output; reads outside the repositories it was given.

mod behind;
mod lines;
mod page;
mod server;
mod tools;

pub use server::serve;

/// Tokens of an answer's text, and of its JSON, at most.
pub const MOST_TOKENS: usize = 2_000;
