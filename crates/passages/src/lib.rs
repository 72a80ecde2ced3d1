//! Searches the text around the code: splits documentation, configuration and other text files into
//! passages, and ranks the passages for a question.
//!
//! **Never:** lists files, reads a file by itself, or knows anything about definitions.

pub mod split;
