//! Ranks the definitions of an index by a question, relates them to each other, and shows the
//! evidence.
//!
//! - [`search`]: a question to hits; the same steps for one index, the members of a shard, and the
//!   shards of a fleet
//! - [`relation`]: how strongly fragments are related (FragRel)
//! - [`answer`]: what a reader sees: typed names resolved, signatures, evidence, callers, uses,
//!   tests
//! - [`picture`]: the part of the graph to draw
//!
//! # Where to change what
//!
//! Ranking:
//!
//! - how a question is read: `search/question.rs`; pasted names and stack traces:
//!   `search/pasted.rs`; messages: `search/message_marks.txt`, and `answer/literals/` finds their
//!   text in the code; questions for a type: `search/type_questions.txt`; issues: `search/issue/`
//!   (`search/issue/text.rs` takes them apart, `search/issue/trace.rs` reads stack traces,
//!   `search/issue/found.rs` finds what they refer to)
//! - a constant of the ranking: `search/weights.rs`; most are inputs of learned features, so a
//!   change needs new weights
//! - learned weights: `search/order.toml`, `search/types.toml`, `search/issue.toml`, written by
//!   `training/`
//! - a feature: a row in `search/feature.rs`, its value in `search/features.rs`, then `training/`
//! - "sure" and "likely": limits in `search/weights.rs`, formula in `search/confidence.rs`, signals
//!   of the question's words in `search/familiarity.rs`; after reading: `read_signals` in
//!   `crates/read/src/lookup/rerank.rs`
//! - the parts of a score that `--explain` prints: `search/part.rs`
//! - several results of one file or subject: `search/subject.rs`; thin wrappers:
//!   `search/wrappers.rs`
//! - files and windows: `search/file_order.rs`, `search/windows.rs`
//! - merging the results of many repositories: `search/pipeline.rs`, `search/order.rs`
//! - the default number of results: `DEFAULT_RESULTS` in `search/query.rs`
//!
//! Answers:
//!
//! - how a typed name is resolved or corrected, and similar names: `answer/resolve.rs`,
//!   `answer/corrected.rs`, `answer/similar_names.rs`
//! - questions about callers, tests or types: `answer/relation_questions.txt`, answered in
//!   `src/engine/relations.rs`; about documentation: `answer/docs_questions.txt`
//! - routes, commands and flags: `answer/entries.rs`; the code that reads a flag:
//!   `answer/flag_uses.rs`
//! - near-duplicates: `answer/duplicates.rs`; the line "why: ...": `answer/evidence.rs`
//! - uses of a name: kinds in `answer/references/syntax.rs`, the decision in
//!   `answer/references/file_uses.rs`
//! - which tests reach a function: `answer/reach/callers.rs`; their order:
//!   `answer/reach/nearest.rs`; what a test runner runs: `[tests]` in `grammars/`, applied in
//!   `answer/reach/roles.rs`, `answer/reach/body_call.rs`, `answer/reach/collection.rs` and
//!   `answer/reach/runner.rs`
//! - which nodes `graph` draws: `picture/`; formats: `src/render/picture/`
//!
//! **Never:** prints.

pub mod answer;
pub mod picture;
pub mod relation;
pub mod search;
