//! Reading on: chunk after chunk through a small window, keeping a structured memory of candidates.
//!
//! ```text
//! hits ──order──> chunks ──prompt──> reader ──reply──> revisions ──checked──> memory ──judge──> candidates in order
//!                   └───────────────── until the memory is settled ─────────────┘
//! ```
//! `run` is the loop over any chunks and any schema; `lookup` makes it answer questions about functions, `inquiry` about any
//! texts. The reader is this program (`offline` for functions, `extractive` for texts) or a language model; all reply in text
//! that is read and checked the same way.
//!
//! ```text
//! texts ──stretch──> chunks ──unit──> sentences, rows, lines ──relevance──> those worth a note ──fill──> revisions
//! ```
//!
//! **Never:** returns a function that the index does not hold; sends a file that the walk may not see.

mod asked;
mod candidates;
mod chunk;
mod evidence;
mod extractive;
mod fill;
mod flow;
mod function;
mod generate;
mod inquiry;
mod judge;
mod lexicon;
mod lookup;
mod offline;
mod preserving;
mod reader;
mod relevance;
mod run;
mod stretch;
mod table;
mod texts;
mod traits;
mod unit;

pub use asked::Asked;
pub use candidates::Candidates;
pub use chunk::{CHUNK_TOKENS, Chunk, Chunks, Piece};
pub use evidence::{Bench, Evidence};
pub use extractive::ExtractiveReader;
pub use flow::Flow;
pub use function::{Function, FunctionWords, Sources};
pub use generate::generate;
pub use inquiry::{Findings, Inquiry, TextTrace};
pub use judge::{JUDGED, chance_of_first, shares};
pub use lexicon::Lexicon;
pub use lookup::{ChunkOrder, Found, Lookup, LookupOptions, Ranked, Trace};
pub use offline::OfflineReader;
pub use reader::{ModelReader, Reader, Task, Turn};
pub use run::{Brief, Keeping, Run, StepTrace, Strategy};
pub use stretch::{Stretch, chunks};
pub use table::Head;
pub use texts::{Limits, Text, Texts};
