//! A change that is asked for, and what became of it.

use super::path::Path;
use super::value::Value;
use crate::text::prefix;
use std::fmt;

/// A change of one place of a memory, as a reader asks for it.
///
/// Paper:    PRISM: a revision is a path, an operation and a value
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    /// The place.
    pub path: Path,
    /// Whether the value is added to what is there, or takes its place.
    pub operation: Operation,
    /// The value. Of an object some fields will do: those left out are not set.
    pub value: Value,
}

/// How a place is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// What is there stays; what is not is added.
    Add,
    /// What is there is replaced.
    Update,
}

/// What a revision did that was applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// Nothing was there, or it was put at the end of a list. An update of what is not there is one of these.
    Added,
    /// An object or map was there, and was given what it lacked.
    Merged {
        /// Values that were offered, differ from what was there, and were not taken.
        kept: usize,
    },
    /// What was there was replaced.
    Updated,
}

/// Why a revision was not applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RejectionReason {
    /// The text is no revision.
    Unread,
    /// The reply ends before the revision does.
    CutOff,
    /// The path cannot be read, or leads nowhere that the schema knows.
    Place,
    /// The value is not of the type that the schema has at this place.
    Type,
    /// Text, a key or a list beyond the limits.
    TooLarge,
    /// An add where there is a value already.
    Exists,
    /// All of it is there already.
    NothingNew,
    /// An update of what is there, while updates are off.
    UpdatesOff,
}

/// A revision that was not applied, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The path of the revision; of what could not be read, its beginning. At most 300 bytes.
    pub what: String,
    /// The kind of fault.
    pub reason: RejectionReason,
    /// The fault in words, at most 300 bytes.
    pub why: String,
}

impl Rejection {
    pub(super) fn new(what: impl Into<String>, reason: RejectionReason, why: impl Into<String>) -> Self {
        Self { what: shortened(&what.into()), reason, why: shortened(&why.into()) }
    }
}

/// The most bytes of what others wrote that stand in a message.
const SHOWN: usize = 300;

/// A text for a message: all of it if it is short.
pub(super) fn shortened(text: &str) -> String {
    if text.len() <= SHOWN {
        return text.to_string();
    }
    format!("{}...", prefix(text, SHOWN))
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.why)
    }
}

/// A fault in a value or a path, before it is known which revision it belongs to.
pub(super) type Fault = (RejectionReason, String);
