//! What can go wrong for a whole run, in words for a person.
//!
//! An [`Error`] ends the run. One unreadable or half-parsed file never does: it becomes a counted skip
//! ([`crate::scan::Skip`]) that is reported beside the result.

use std::fmt;
use std::path::Path;

/// The result of everything that can end a run.
pub type Result<T> = std::result::Result<T, Error>;

/// What kind of thing failed. Faces map it to an exit status; nothing else depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The command line or a settings file asks for something impossible.
    Usage,
    /// A path is missing, of the wrong kind, or may not be read.
    Path,
    /// The index on disk cannot be written or read.
    Index,
    /// A language's data files are wrong.
    Language,
    /// A question set is wrong.
    Questions,
    /// A model cannot be found, reached or run.
    Model,
    /// A ceiling that the user set on calls, tokens or money is reached.
    Ceiling,
    /// Somebody asked the run to stop.
    Cancelled,
    /// Nothing failed: with `--dry-run` the first prompt is shown, and nothing is sent.
    DryRun,
}

/// What failed, and what the person can do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    what: String,
    next: String,
}

impl Error {
    /// `what` failed (one line); `next` says what to do about it (one line).
    pub fn new(kind: Kind, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { kind, what: what.into(), next: next.into() }
    }

    /// A failed file operation on `path`, in the operating system's words.
    pub fn io(kind: Kind, doing: &str, path: &Path, cause: &std::io::Error) -> Self {
        let next = match cause.kind() {
            std::io::ErrorKind::PermissionDenied => "check its permissions, or choose another place",
            std::io::ErrorKind::StorageFull => "free some space, or put the index elsewhere with --index-dir DIR",
            std::io::ErrorKind::NotFound => "check the path",
            std::io::ErrorKind::ReadOnlyFilesystem => "put the index elsewhere with --index-dir DIR",
            _ => "see the cause above, then try again",
        };
        Self::new(kind, format!("cannot {doing} {}: {}", path.display(), plain(cause)), next)
    }

    /// The kind of failure.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// One line: what failed, and where.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// One line: what to do next.
    pub fn next(&self) -> &str {
        &self.next
    }
}

/// The system's message without the number that Rust appends.
fn plain(cause: &std::io::Error) -> String {
    let text = cause.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_lowercase(),
        None => text,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nnext: {}", self.what, self.next)
    }
}

impl std::error::Error for Error {}
