//! Reading on: chunk after chunk through a small window, keeping a structured memory of candidates.
//!
//! ```text
//! hits ──order──> chunks ──prompt──> reader ──reply──> revisions ──checked──> memory ──judge──> candidates in order
//!                   └───────────────── until the memory is settled ─────────────┘
//! ```
//! `run` is the loop over any chunks and any schema; `lookup` makes it answer questions about functions. The reader is this
//! program (`offline`) or a language model; both reply in text that is read and checked the same way.
//!
//! **Never:** returns what the index does not hold.

mod asked;
mod candidates;
mod chunk;
mod evidence;
mod flow;
mod function;
mod judge;
mod lexicon;
mod lookup;
mod offline;
mod preserving;
mod reader;
mod run;
mod traits;

pub use asked::Asked;
pub use candidates::Candidates;
pub use chunk::{CHUNK_TOKENS, Chunk, Chunks, Piece};
pub use evidence::{Bench, Evidence};
pub use flow::Flow;
pub use function::{Function, FunctionWords, Sources};
pub use judge::{JUDGED, chance_of_first, shares};
pub use lexicon::Lexicon;
pub use lookup::{ChunkOrder, Found, Lookup, LookupOptions, Ranked, Trace};
pub use offline::OfflineReader;
pub use reader::{ModelReader, Reader, Task, Turn};
pub use run::{Brief, Keeping, Run, StepTrace, Strategy};
