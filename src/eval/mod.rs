//! Question sets to figures, and two runs to what changed between them (SPEC section 3). **Never:** asks a question; it
//! judges results.

mod compare;
mod figures;
mod groups;
mod judge;
mod paired;
mod random;
mod run;
mod set;

pub use compare::{Change, Comparison, GroupChange, Move, compare};
pub use figures::Figures;
pub use groups::{By, Group, groups};
pub use judge::{DEPTH, Outcome, judge};
pub use paired::{interval, mean, p_value};
pub use random::SplitMix64;
pub use run::{Run, RunSet};
pub use set::{Case, Gold, read_cases};
