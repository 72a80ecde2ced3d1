//! Which definitions can reach others through calls: the tests of a function, what a change can
//! affect, and the paths between two functions.
//!
//! ```text
//! callers: one step back ──> nearest: the shortest way from each definition ──> tests ──> runner
//!     ├── roles: what a test runner runs by itself                          ├──> impact
//!     │     └── body_call: the call that takes the body of a test           └──> paths
//!     └── blocks: the tests of a file that are such bodies
//! ```
//!
//! **Invariant:** a call that is matched by name only counts as [`GUESS`] calls, so a way without
//! guesses comes first. Calls in an anonymous function count as calls in the named function around
//! it, unless a test runner runs the anonymous function as a test, or tests are inside it.
//!
//! **Never:** decides what changed; the caller passes definitions.

mod blocks;
mod body_call;
mod callers;
mod cases;
mod collection;
mod impact;
mod nearest;
mod paths;
mod reached_tests;
mod roles;
mod runner;
mod titles;

pub use callers::{GUESS, StepKind, parts_of, users_of};
pub use impact::{AffectedFile, Impact, impact};
pub use nearest::Distance;
pub use paths::{CallPath, PathStep, call_paths};
pub use reached_tests::{ReachedTests, tests_of};
pub use roles::test_title;
