//! A server of the Language Server Protocol over standard input and output, for editors: symbols by question or name, who calls and
//! what is called, and what to put before a completion.
//!
//! ```text
//! standard input ──> framing ──> server: lifecycle, answers at once ──> desk: one at a time, index brought up to date ──> engine
//! standard output <── framing <───────────────────────────────────────── symbols, hierarchy, completion: in positions of UTF-16
//! ```
//!
//! The protocol is that of version 3.17. Its messages are read and written here: a library that ends at the first message that does
//! not read, or takes memory for whatever length is announced, is no help, and of its three hundred types a dozen are needed.
//!
//! **Never:** writes anything but messages to standard output; reads outside the repositories that the editor has open.

mod completion;
mod desk;
mod framing;
mod hierarchy;
mod outbox;
mod position;
mod server;
mod symbols;
mod worker;

pub use desk::Workspace;
pub use server::{Around, Opener, serve};
