//! Reads source files: describes languages as data, and extracts definitions, calls and imports
//! from syntax trees.

pub mod ids;
pub mod lang;
pub mod packed;
pub mod parse;
pub mod tree;
pub mod varint;
