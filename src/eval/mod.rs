//! Measures the ranking on question sets, and compares two runs (SPEC section 3).
//!
//! **Never:** runs a search. It only evaluates results.

mod compare;
mod figures;
mod groups;
mod metrics;
mod paired;
mod random;
mod run;
mod set;

pub use compare::{Comparison, FigureChange, GroupChange, Move, Verdict, compare};
pub use figures::Figures;
pub use groups::{GroupBy, QuestionGroup, groups};
pub use metrics::{EVALUATED_RESULTS, QuestionOutcome, evaluate};
pub use paired::{interval, mean, p_value};
pub use random::SplitMix64;
pub use run::{SavedRun, SavedSet};
pub use set::{Case, Gold, read_cases};
