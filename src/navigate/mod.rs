//! A tree of summaries, walked from the root (MemWalker).
//!
//! **Never:** returns what the index does not hold.
