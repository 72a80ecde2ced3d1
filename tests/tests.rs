//! One test program with a module for each file of this directory, so that `cargo test` links once.
//! `just test NAME` runs one module. Tests of a single crate are in its own `tests/` directory.
//! Tests run as threads of one process, so none may set an environment variable or the current
//! directory: a test that needs either starts the program as a separate process (`support/env.rs`).

mod support;

// The repository itself: documents, packages, the figures of the benchmarks.
mod docs;
mod packaging;
mod quality;
mod wording;

// The library: the engine, evaluation, traces.
mod library;
mod paired;
mod pasted;
mod ranks;
mod refresh;
mod shown;
mod traces;

// The program, command by command.
mod answers;
mod calls;
mod check;
mod check_bases;
mod check_exports;
mod check_implementations;
mod check_libraries;
mod check_names;
mod check_parameters;
mod check_refactorings;
mod check_staged;
mod check_values;
mod checkouts;
mod cli;
#[cfg(unix)]
mod completions;
mod components;
mod context;
mod cursor;
mod embed;
mod entries;
mod eval;
mod features;
mod file_languages;
mod fleet;
mod found;
mod headers;
mod implementations;
mod install;
mod issues;
#[cfg(feature = "llm")]
mod iterations;
mod lsp;
mod many_entries;
mod mcp;
mod mcp_install;
#[cfg(feature = "llm")]
mod model_reader;
#[cfg(feature = "llm")]
mod model_server;
mod named_uses;
#[cfg(feature = "serve")]
mod outline;
mod page;
mod passages;
mod picture;
mod reaching;
#[cfg(feature = "llm")]
mod read;
#[cfg(feature = "llm")]
mod reading;
mod references;
mod relate;
mod related_scores;
mod relations;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod serve_page;
#[cfg(unix)]
mod terminal;
mod titled_tests;
mod twins;
mod unlinked;

// Failures: hostile files, broken indexes, wrong arguments, interrupted runs.
mod bad_input;
mod cache;
mod faults;
mod hostile;
mod hostile_git;
mod models;
mod mutations;
