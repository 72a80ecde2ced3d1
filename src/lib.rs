//! Which function in this repository does X? Answered in milliseconds, offline, from the structure of the code.
//!
//! The rooms of this house stand along the way of the data; a room uses only those before it
//! (`tests/layers.rs` says so; `ARCHITECTURE.md` is the tour):
//!
//! ```text
//! text  embed  lang  scan  parse  graph     store  relation  index    answer  memory  reading  memwalk   completion  engine  cli
//!                                 fragment                    search   llm                                           eval
//! ```
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod answer;
pub mod cli;
pub mod completion;
pub mod embed;
pub mod engine;
pub mod error;
pub mod eval;
pub mod fragment;
pub mod graph;
pub mod ids;
pub mod index;
pub mod lang;
pub mod llm;
pub mod memory;
pub mod memwalk;
pub mod parse;
pub mod reading;
pub mod relation;
pub mod scan;
pub mod search;
pub mod store;
pub mod text;
pub mod wordvec;
