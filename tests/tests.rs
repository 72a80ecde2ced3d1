//! One test program: every file beside this one is a module of it, so that `cargo test` links once. `just test NAME` runs
//! one module. Tests run as threads of one process, so none may set an environment variable or the current directory:
//! what needs either starts the program as a process of its own (`support/env.rs`).

// What the modules share: fixtures, homes for end-to-end runs, small random repositories, slow twins, a scripted server.
mod support;

// The house itself: rooms, names, documents, the benchmark's own figures.
mod docs;
mod packaging;
mod quality;

// The way in: words, languages, fragments, the structure graph; an index kept fresh, and its bytes.
mod comments;
mod declarations;
mod format;
mod fragment;
mod languages;
mod linking;
mod patterns;
mod postings;
mod refresh;
mod relinking;
mod scan;
mod structure;
mod totals;
mod words;

// Relations and ranking against slow, plain twins and against recorded ranks.
mod environment;
mod paired;
mod ranks;
mod relation;
mod windows;

// The library's readers: memory, a question read on, a tree of summaries walked, a model on a server.
#[cfg(feature = "llm")]
mod llm;
mod lookup;
mod memory;
mod memwalk;
#[cfg(feature = "llm")]
mod model_reader;

// The program as a person or a script sees it, command by command.
mod calls;
mod check;
mod cli;
#[cfg(unix)]
mod completions;
mod context;
mod cursor;
mod embed;
mod eval;
mod features;
mod fleet;
#[cfg(feature = "llm")]
mod iterations;
mod library;
mod lsp;
mod mcp;
mod mcp_install;
mod page;
mod picture;
#[cfg(feature = "llm")]
mod read;
#[cfg(feature = "llm")]
mod reading;
mod relate;
mod related_scores;
mod relations;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod serve_page;
#[cfg(unix)]
mod terminal;
mod traces;
mod twins;

// What goes wrong: hostile files, broken indexes, wrong arguments, interrupted runs.
mod bad_input;
mod cache;
mod faults;
mod hostile;
mod hostile_git;
mod mutations;
