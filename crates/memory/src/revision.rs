//! Revisions to a memory and their results.

use super::path::Path;
use super::value::Value;
use std::fmt;
use whichfn_text::prefix;

/// A requested change to one location in a memory.
///
/// - **Implements:** PRISM: a revision is a path, an operation and a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    /// Path of the location to change.
    pub path: Path,
    /// Operation: add to the existing value or replace it.
    pub operation: Operation,
    /// Value to add or set. An object may be incomplete: omitted fields are not set.
    pub value: Value,
}

/// Operation of a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Keeps the existing value and adds the parts that it lacks.
    Add,
    /// Replaces the existing value.
    Update,
}

/// Effect of an applied revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// Set a value where there was none, or appended to a list. An update of an absent value also
    /// has this effect.
    Added,
    /// Added the missing fields of an existing object or map.
    Merged {
        /// Number of offered values that were not accepted because they differ from existing ones.
        kept: usize,
    },
    /// Replaced the existing value.
    Updated,
}

/// Reason why a revision was not applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RejectionReason {
    /// The text cannot be parsed as a revision.
    Unread,
    /// The reply ends before the revision does.
    CutOff,
    /// The path is invalid, or leads to a location that the schema does not define.
    Place,
    /// The value does not have the type that the schema defines for its location.
    Type,
    /// A string, a key or a list exceeds the limits.
    TooLarge,
    /// The revision adds to a location that already has a value.
    Exists,
    /// The memory already contains everything in the value.
    NothingNew,
    /// The revision updates an existing value while updates are off.
    UpdatesOff,
}

/// A revision that was not applied, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// Path of the revision, or the beginning of the unparsed text; at most 300 bytes.
    pub what: String,
    /// Kind of fault.
    pub reason: RejectionReason,
    /// Description of the fault, at most 300 bytes.
    pub message: String,
}

impl Rejection {
    pub(super) fn new(what: impl Into<String>, reason: RejectionReason, message: impl Into<String>) -> Self {
        Self { what: shortened(&what.into()), reason, message: shortened(&message.into()) }
    }
}

/// Maximum number of bytes of a model's or user's text in a message.
const SHOWN: usize = 300;

/// Shortens a string for a message. A string that is short enough is returned unchanged.
pub(super) fn shortened(text: &str) -> String {
    if text.len() <= SHOWN {
        return text.to_string();
    }
    format!("{}...", prefix(text, SHOWN))
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.message)
    }
}

/// A fault in a value or a path, before the revision that it belongs to is known.
pub(super) type Fault = (RejectionReason, String);
