//! A server of the Language Server Protocol over standard input and output, for editors: symbols by
//! question or name, callers and callees, and context for completions.
//!
//! ```text
//! stdin ──> framing ──> server: lifecycle, immediate answers ──> worker: one at a time ──> engine
//! stdout <── framing <── symbols, hierarchy, completion: in positions of UTF-16 <──────────────┘
//! ```
//!
//! The server implements version 3.17 of the protocol, and reads and writes its messages itself. A
//! library is not suitable if it ends at the first malformed message, or allocates memory for any
//! announced length, and only a dozen of its three hundred types are needed.
//!
//! Methods are in `worker.rs`, capabilities and notifications in `server.rs`, repositories and open
//! documents in `session.rs`; `symbols.rs`, `document.rs`, `hierarchy.rs`, `types.rs`,
//! `references.rs` and `completion.rs` write the answers.
//!
//! **Never:** writes anything but messages to standard output; reads outside the repositories that
//! the editor has open.

mod completion;
mod document;
mod framing;
mod hierarchy;
mod outbox;
mod position;
mod references;
mod server;
mod session;
mod symbols;
mod types;
mod worker;

pub use server::{FindRepository, RepositoryOpener, serve};
