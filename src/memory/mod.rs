//! Structured memory: a typed hierarchy, revisions of it, and what its prompts cost.
//!
//! **Never:** knows code, an index or a model.
