//! Reading on: chunk after chunk through a small window, keeping a structured memory of candidates.
//!
//! **Never:** returns what the index does not hold.
