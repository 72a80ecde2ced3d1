//! One test program with a module for each file, so that cargo links once.

#[cfg(feature = "http")]
mod llm;
