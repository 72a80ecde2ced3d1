//! Reading on: chunk after chunk through a small window, keeping a structured memory of candidates.
//!
//! **Never:** returns what the index does not hold.

mod asked;
mod evidence;
mod flow;
mod function;
mod lexicon;
mod traits;

pub use asked::Asked;
pub use evidence::{Bench, Evidence};
pub use flow::Flow;
pub use function::{Function, FunctionWords, Sources};
pub use lexicon::Lexicon;
