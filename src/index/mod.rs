//! A repository into the store: what changed is read and parsed, everything else is taken over, and the result is the
//! same as if all had been built anew.
//!
//! **Never:** ranks, or knows that questions exist.

mod embed;
mod parsers;
mod plan;
mod refresh;
mod write;

pub use embed::{embed, embedded_by};
pub use refresh::{Options, Progress, Report, Silent, refresh};
