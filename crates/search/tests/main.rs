//! One test program with a module for each file, so that cargo links once.

mod environment;
mod format;
mod relation;
mod sparse_forest;
mod structure;
mod windows;
