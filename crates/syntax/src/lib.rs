//! Reads source files: languages as data, and the definitions, calls and imports that a parser
//! finds.

pub mod ids;
pub mod lang;
pub mod parse;
pub mod tree;
pub mod varint;
