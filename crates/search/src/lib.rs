//! Ranks the definitions of an index by a question, relates them to each other, and shows the
//! evidence.

pub mod answer;
pub mod picture;
pub mod relation;
pub mod search;
