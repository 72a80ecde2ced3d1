//! The verbs that list definitions and places, once for all front ends.
//!
//! ```text
//! arguments, a query string, a tool call ──> Verb ──> run ──> Listing ──> text, JSON, lines for editors and agents
//! ```
//!
//! A verb is one file: its arguments, a description, and a function to a [`Listing`]. The row in [`VERBS`]
//! makes it a command with help, completion and a manual page, an HTTP endpoint with a description, and a
//! relation of the tool `graph`.
//!
//! **Never:** prints, or decides what an ambiguous name refers to: the front end passes its [`Names`].

mod calls;
mod impact;
mod implementations;
mod listing;
mod options;
mod outline;
mod path;
mod references;
mod registered;
mod relate;
mod test_list;

pub use listing::{Format, Head, Lead, Listing, Reader, Row, Section, short};
pub use options::{LanguageName, ListOptions};
pub use registered::{About, Registered};

use crate::engine::Engine;
use crate::typed::TypedPaths;
use std::fmt::Debug;
use whichfn_check::{ChangeOf, ChangedDefinitions};
use whichfn_search::answer::Named;
use whichfn_search::search::{KindFilter, ListingFilter};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Error, Kind, Result};

/// All verbs, in the order of the help.
pub static VERBS: &[Registered] = &[
    calls::CALLERS,
    calls::CALLEES,
    implementations::VERB,
    references::VERB,
    relate::VERB,
    test_list::VERB,
    impact::VERB,
    path::VERB,
    outline::VERB,
];

/// A verb with its arguments.
pub trait Verb: Debug + Send + Sync {
    /// Returns the names, locations and paths in the arguments; they decide which repository is meant.
    fn typed(&self) -> Vec<&str>;

    /// Returns the change that the verb is about; `None` if it is about names.
    fn change(&self) -> Option<ChangeOf> {
        None
    }

    /// Returns what makes the exit status 1, as words of `--fail-on`.
    fn fail_on(&self) -> &[String] {
        &[]
    }

    /// Returns the lists, one for each definition that the name refers to; none if the front end has
    /// explained why there is nothing to list.
    ///
    /// # Errors
    /// Returns an error if a name refers to nothing, or to more than the verb accepts.
    fn run(&self, request: &Request<'_>) -> Result<Vec<Listing>>;
}

/// What a front end passes to a verb.
pub struct Request<'a> {
    /// The open repository.
    pub engine: &'a Engine,
    /// Resolves names.
    pub names: &'a dyn Names,
    /// Converts paths.
    pub paths: TypedPaths<'a>,
    /// What is listed.
    pub filter: &'a ListingFilter,
    /// Maximum number of entries.
    pub max: usize,
    /// Definitions that the change touches; `None` if the verb is about names.
    pub change: Option<&'a ChangedDefinitions>,
    /// Kind of definitions that the settings choose.
    pub kind: Option<KindFilter>,
}

/// What a name must refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A function, or everything in a type or file, for its calls.
    Called,
    /// A type or method; of several definitions with the name, the type.
    Type,
    /// A single definition.
    Single,
    /// Code: of a type or file, everything in it; of a value, the definitions that use it.
    Code,
    /// Code as in [`Role::Code`]; a name may refer to several definitions, as in a question.
    MergedCode,
    /// An end of a call path, with its variants.
    End,
    /// A definition that call paths avoid.
    Avoided,
}

/// Resolves the names that users, programs or agents type. Each front end decides what an ambiguous or
/// misspelled name refers to, and explains its choice.
pub trait Names {
    /// Returns the definitions that a name refers to; with `all`, every definition with this name.
    ///
    /// # Errors
    /// Returns an error if the name refers to nothing, or to more than the role allows.
    fn definitions(&self, typed: &str, role: Role, all: bool) -> Result<Vec<DefinitionId>>;

    /// Returns the definitions or values that a name refers to; with `all`, each of them.
    ///
    /// # Errors
    /// Returns an error if the name refers to nothing, or to several without `all`.
    fn named(&self, typed: &str, all: bool) -> Result<Vec<Named>>;
}

/// Checks that the number of an option is not 0.
pub fn at_least_one(option: &str, count: usize, what: &str) -> Result<()> {
    match count {
        0 => Err(Error::new(Kind::Usage, format!("{option} 0 requests no {what}"), "pass a number of at least 1")),
        _ => Ok(()),
    }
}
