//! Reads text chunk by chunk through a small window and updates a structured memory.
//!
//! ```text
//! chunk ──prompt──> reader ──reply──> revisions ──checked──> memory
//!   └────────────────── until the last chunk ───────────────────┘
//! ```
//!
//! The loop works for any chunks and any schema: `lookup` uses it for questions about functions,
//! `inquiry` for questions about arbitrary text. A [`Reader`] is part of this program or a language
//! model ([`ModelReader`]). All readers reply in text that is parsed and checked in the same way.
//!
//! **Implements:** PRISM, algorithm 1; Chain-of-Key.
//!
//! **Never:** knows the meaning of a chunk's pieces, or anything about functions, indexes or files.

mod budget;
mod chunk;
mod counts;
mod preserving;
mod reader;
mod reading_loop;
mod window;

pub use budget::{PromptBudget, head, tail};
pub use chunk::{CHUNK_TOKENS, Chunk, DEFAULT_CHUNK_TOKENS, parts};
pub use counts::{ReplyCounts, ReplyQuality, ServerCounts};
pub use reader::{
    ModelReader, Reader, ReaderInput, Task, list_schema, merge_reply, restrict_names, revise_reply, revisions_schema,
    with_remarks,
};
pub use reading_loop::{Instructions, MemoryPolicy, ReadingLoop, StepTrace, Strategy};
pub use window::WindowShares;
