//! Reports what a reviewer would want to know about a change: calls that no longer match, and
//! functions that are no longer called.
//!
//! ```text
//! git ──> change: files before and after ──> sides: parsed, functions paired
//!     ──> one file for each rule ──> findings
//! ```
//!
//! The state before the change is obtained by parsing the old file contents with the index's
//! parser. The index describes the working tree.
//!
//! # Where to change what
//!
//! - a new rule: a file in this crate, a variant of `Rule` in `finding.rs`, a call in `run.rs`, its
//!   setting and default severity in `src/cli/settings.rs`
//! - `callers`, calls that no longer match: `callers.rs`, `fit.rs`; parameters: `head.rs`
//! - `references`, removed names and what still refers to them: `lost.rs`, `removed.rs`, `@export`
//!   in the queries; `references.rs` resolves names with `crates/graph/src/resolver.rs`, `uses.rs`
//!   members with `crates/graph/src/uses.rs`
//! - `returns`: `returns.rs`, `usage.rs`; types are compared in `returned_type.rs`; `position.rs`
//!   decides whether a call is a statement
//! - `dead`: `dead.rs`; functions that only the repository can call: `private.rs`; their names
//!   elsewhere: `mentions.rs`
//! - `stale-doc`, `reuse`, `questions`: `stale_doc.rs`, `reuse.rs`, `questions.rs`
//! - bases that may supply a method: `library_bases` in `grammars/`, `bases.rs`
//! - how git is run: `git_repository.rs`, `git_process.rs`; how a change is read: `git.rs`
//!
//! **Never:** prints, or decides which findings fail a check. The front end assigns the severities.

mod bases;
mod before;
mod body;
mod callers;
mod change;
mod changed;
mod dead;
mod dropped;
mod finding;
mod fit;
mod former_calls;
mod git;
mod git_pipes;
mod git_process;
mod git_repository;
mod head;
mod ignored;
mod implementations;
mod keys;
mod lost;
mod lost_calls;
mod lost_mentions;
mod lost_name;
mod macro_names;
mod mentions;
mod name_use;
mod names;
mod overrides;
mod parameters_change;
mod position;
mod private;
mod proof;
mod questions;
mod references;
mod removed;
mod returned_type;
mod returns;
mod reuse;
mod revision;
mod run;
mod sides;
mod stale_doc;
mod tests_of_name;
mod usage;
mod uses;

pub use change::{Change, ChangeOf, FileChange};
pub use changed::{ChangedDefinitions, changed_definitions};

pub use finding::{Finding, FindingLocation, Rule};
pub use git::{described_head, read_change};
pub use private::{header, is_private};
pub use questions::{ExpectedAnswer, QuestionFile, WITHIN};
pub use revision::{commit_unless_checked_out, differs_from_staged, write_revision, write_staged};
pub use run::{CheckReport, check, check_dead};
