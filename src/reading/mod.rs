//! Reading on: chunk after chunk through a small window, keeping a structured memory.
//!
//! ```text
//! chunk ──prompt──> reader ──reply──> revisions ──checked──> memory
//!   └───────────────── until there is no more ──────────────────┘
//! ```
//! The loop over any chunks and any schema: `lookup` makes it answer questions about functions, `inquiry` about any
//! texts. Who reads is a [`Reader`]: a part of this program, or a language model ([`ModelReader`]); all reply in text
//! that is read and checked the same way.
//!
//! Paper:    PRISM, algorithm 1; Chain-of-Key
//! **Never:** knows what a piece of a chunk is, a function, an index or a file.

mod chunk;
mod preserving;
mod reader;
mod reading_loop;
mod reply_schema;

pub use chunk::{CHUNK_TOKENS, Chunk, DEFAULT_CHUNK_TOKENS, parts};
pub use reader::{ModelReader, Reader, Task, Turn, merge_reply};
pub use reading_loop::{Instructions, MemoryPolicy, ReadingLoop, StepTrace, Strategy};
pub use reply_schema::{revisions_schema, with_remarks};
