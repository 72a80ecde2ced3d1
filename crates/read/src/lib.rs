//! Answers questions by reading code or other text in small steps, with or without a language
//! model.
//!
//! ```text
//! search ──> lookup ───┐                                    functions: --strategy prism, cok
//! texts ───> inquiry ──┴─> reading ──> memory, llm          any text: `whichfn read`
//! INDEX ───> memwalk ─────────────────────────> llm         functions: --strategy walk
//! cursor ──> context ─────────────────────────> search, llm `whichfn context`
//! ```
//!
//! # How reading works
//!
//! `Engine::answer` takes a `Plan` (`src/engine/plan.rs`), which defines the step after the search:
//! none (`direct`), reading, or a walk.
//!
//! 1. **Order and chunks** (`lookup/run.rs`, `lookup/chunks.rs`). Functions are read in the order
//!    of the search results, or file by file. They are packed into chunks with a maximum number of
//!    tokens; a function that is longer is split between lines. Each function has a unique name
//!    (`lookup/candidates.rs`). A model sees short keys instead, and a different order
//!    (`lookup/reading_order.rs`, `lookup/model_chunks.rs`).
//! 2. **Prompt** (`reading/reading_loop.rs`, `crates/llm/src/prompts/`). The prompt consists of the
//!    task, the question, the schema, the memory and the chunk, in this order, so that everything
//!    before the first change is a prefix that the next prompt shares.
//!    `crates/memory/src/account.rs` computes the cost of a prompt.
//! 3. **Reply.** The reply is written by a model, or by `lookup/offline.rs`, which writes the same
//!    kind of text. `crates/memory/src/reply.rs` parses the reply. Each revision is checked against
//!    the schema and against the names that were shown. For Chain-of-Key, an update keeps the value
//!    that it would replace (`reading/preserving.rs`).
//! 4. **End.** Without a model, reading ends when the memory contains twenty candidates. With a
//!    model (`lookup/model_lookup.rs`), it ends when the model is certain, or when two chunks in a
//!    row added nothing. A model may request functions, which are shown next
//!    (`lookup/requests.rs`).
//! 5. **Reranking** (`lookup/features.rs`, `lookup/rerank.rs`). Each candidate is compared with the
//!    other candidates by features (`lookup/feature_table.rs` lists them), with weights that
//!    `training/` learned. Features that describe what a function does come from `[flow]` and
//!    `[idioms]` in `grammars/` (`lookup/traits.rs`). If a model reads, it ranks the candidates in
//!    its memory itself; the prompt contains their code.
//!
//! A walk (`memwalk/`) works without a previous search. It uses a tree of summaries
//! (`memwalk/tree.rs`). Without a model, two queues contain the most promising nodes
//! (`memwalk/offline.rs`). With a model, the model chooses an entry, goes back, or accepts a
//! function (`memwalk/guided.rs`).
//!
//! `context` ranks windows of 20 lines (`context/rank.rs`). Its question is the lines before the
//! cursor and, if there is one, a draft of the next lines, which a model may write
//! (`context/iterate.rs`).
//!
//! Prompts are the files in `crates/llm/src/prompts/`: those named `rank` and `nearest` rank what
//! was read; `chunk`, `revise` and `merge` read; `compress` shortens the memory; `answer` answers
//! from it; `triage` and `leaf` walk; `summarise` writes the summaries for a walk; `schema` writes
//! schemas; `complete` guesses the next lines of code.
//!
//! # Where to change what
//!
//! - which functions are read, and when reading ends: `lookup/reading_order.rs`, `lookup/run.rs`,
//!   `lookup/model_lookup.rs`
//! - what the offline reader notes: `lookup/offline.rs`; how notes are weighed:
//!   `lookup/features.rs`
//! - lines of code that are shown with a result: `lookup/code.rs`; the few that decide:
//!   `lookup/deciding.rs`
//! - kinds of text that `whichfn read` accepts: `inquiry/`
//! - how prompts fit into a context window, limits of replies: `reading/window.rs`,
//!   `reading/budget.rs`, `reply_limit` in `reading/reader.rs`
//! - the ranking for completions: `context/rank.rs`; its output: `src/render/context.rs`
//!
//! **Never:** returns a function that the index does not contain, or that the reader was not shown.

pub mod context;
pub mod inquiry;
pub mod lookup;
pub mod memwalk;
pub mod reading;
