//! Which function in this repository does X? Answered in milliseconds, offline, from the structure of the code.
//!
//! The rooms of this house stand along the way of the data; a room uses only those before it
//! (`tests/layers.rs` says so; `ARCHITECTURE.md` is the tour):
//!
//! ```text
//! text embed lang scan parse wordvec graph fragment store     a repository to an index on disk
//! relation source index search answer picture                 an index to ranked results
//! llm memory reading lookup inquiry memwalk context           reading on, with or without a language model
//! engine eval mcp cli                                         the door, the judge, agents, the command line
//! ```
//!
//! The library exists for the program, its tests, its benchmarks and `training/`; nothing in it is stable.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod answer;
pub mod check;
pub mod cli;
pub mod context;
pub mod embed;
pub mod engine;
pub mod error;
pub mod eval;
pub mod fragment;
pub mod graph;
pub mod ids;
pub mod index;
pub mod inquiry;
pub mod lang;
pub mod llm;
pub mod lookup;
pub mod mcp;
pub mod memory;
pub mod memwalk;
pub mod parse;
pub mod picture;
pub mod reading;
pub mod relation;
pub mod scan;
pub mod search;
pub mod source;
pub mod store;
pub mod text;
pub mod tree;
pub mod untrusted;
pub mod varint;
pub mod wordvec;
