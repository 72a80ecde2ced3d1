//! One test program with a module for each file, so that cargo links once.
#![allow(clippy::disallowed_methods)] // tests read files of an index and fixtures, not sources

mod environment;
mod format;
mod relation;
mod sparse_forest;
mod structure;
mod windows;
