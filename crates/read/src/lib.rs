//! Answers questions by reading code or other text in small steps, with or without a language
//! model.

pub mod context;
pub mod inquiry;
pub mod lookup;
pub mod memwalk;
pub mod reading;
