//! One test program with a module for each file, so that cargo links once.
#![allow(clippy::disallowed_methods)] // tests read files of an index, not sources

mod lookup;
mod memwalk;
