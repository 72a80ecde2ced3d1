//! A server of the Model Context Protocol over standard input and output: two tools for agents, for
//! one or more repositories.
//!
//! ```text
//! a call ──> tools: typed input ──> host: index up to date ──> engine ──> page: text and JSON
//! ```
//!
//! The reader is an agent, so an answer contains what it needs to choose in at most
//! [`MOST_TOKENS`].
//!
//! **Never:** writes anything but JSON-RPC to standard output; reads outside the repositories it
//! was given.

mod further_functions;
mod lines;
mod page;
mod reach;
mod server;
mod tools;

pub use server::serve;

/// Maximum number of tokens of an answer's text, and also of its JSON.
pub const MOST_TOKENS: usize = 2_000;
