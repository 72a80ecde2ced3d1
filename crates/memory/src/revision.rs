//! Revisions of a memory and their results.

use super::path::Path;
use super::value::Value;
use std::fmt;
use whichfn_text::prefix;

/// A requested change of one place of a memory.
///
/// - **Implements:** PRISM: a revision is a path, an operation and a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    /// The place.
    pub path: Path,
    /// The operation: add to the existing value or replace it.
    pub operation: Operation,
    /// The value. An object may be incomplete: omitted fields are not set.
    pub value: Value,
}

/// The operation of a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Keeps the existing value and adds what it lacks.
    Add,
    /// Replaces the existing value.
    Update,
}

/// The effect of an applied revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// Set a value where there was none, or appended to a list. An update of an absent value has
    /// this effect, too.
    Added,
    /// Added the missing fields of an existing object or map.
    Merged {
        /// Number of offered values that differ from the existing ones and were not taken.
        kept: usize,
    },
    /// Replaced the existing value.
    Updated,
}

/// The reason why a revision was not applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RejectionReason {
    /// The text is not a revision.
    Unread,
    /// The reply ends before the revision does.
    CutOff,
    /// The path is invalid, or leads to a place that the schema does not define.
    Place,
    /// The value does not have the type that the schema defines for this place.
    Type,
    /// A text, a key or a list exceeds the limits.
    TooLarge,
    /// An add to a place that already has a value.
    Exists,
    /// The memory already contains all of it.
    NothingNew,
    /// An update of an existing value while updates are off.
    UpdatesOff,
}

/// A revision that was not applied, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The path of the revision, or the beginning of the unparsed text. At most 300 bytes.
    pub what: String,
    /// The kind of fault.
    pub reason: RejectionReason,
    /// A description of the fault, at most 300 bytes.
    pub message: String,
}

impl Rejection {
    pub(super) fn new(what: impl Into<String>, reason: RejectionReason, message: impl Into<String>) -> Self {
        Self { what: shortened(&what.into()), reason, message: shortened(&message.into()) }
    }
}

/// Maximum number of bytes of foreign text in a message.
const SHOWN: usize = 300;

/// Shortens a text for a message. Short texts are returned unchanged.
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
