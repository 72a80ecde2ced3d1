//! Errors that end a whole run: their kind, a one-line message, and a remedy.
//!
//! One unreadable or half-parsed file never causes an [`Error`]. It becomes a counted skip
//! (`whichfn_scan::Skip`) that is reported along with the result.

use std::path::Path;
use std::{fmt, io};

/// The result of any operation that can end a run.
pub type Result<T> = std::result::Result<T, Error>;

/// The kind of a failure. Front ends map it to an exit status; nothing else depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The command line or a settings file requests something impossible.
    Usage,
    /// A path is missing, is of the wrong type, or cannot be read.
    Path,
    /// The index on disk cannot be written or read.
    Index,
    /// The data files of a language are invalid.
    Language,
    /// A question set is invalid.
    Questions,
    /// A model cannot be found, reached or run.
    Model,
    /// A limit that the user set on calls, tokens or money is reached.
    Ceiling,
    /// The user or a client cancelled the run.
    Cancelled,
    /// Nothing failed: `--dry-run` shows the first prompt and sends nothing.
    DryRun,
}

/// A suggestion for how the user can fix an error.
///
/// A module below the front ends chooses the remedy. The front end in use (`src/cli/advice.rs` for
/// the command line) turns it into a command or an option, so no lower module names the options of
/// a front end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// A line in plain words, shown unchanged by every front end.
    Plain(String),
    /// Free up space on the disk that contains the index, or move the index.
    FreeSpace,
    /// Move the index: the disk is read-only.
    MoveIndex,
    /// Check the disk, or move the index: data that was written does not read back.
    CheckDisk,
    /// Refresh the index, which this question skipped.
    RefreshIndex,
    /// Use one of the repositories in this directory, or request an index of all of it.
    IndexFolder {
        /// The directory.
        folder: String,
        /// Repositories in it.
        repositories: Vec<String>,
    },
    /// Refresh the index with the requested embedding model.
    EmbedIndex,
    /// Name an embedding model, or choose a different relation.
    NameEmbedding,
    /// Rank definitions instead of windows, or choose a different relation.
    RankDefinitions,
    /// Install a build that can run embedding models, or use no embeddings.
    InstallEmbedding,
    /// Install a build that can call language models on servers, or name a command that replaces
    /// the model.
    InstallClient,
    /// Check the network, or name a directory with the model's files instead of the model.
    GiveModelDirectory,
    /// Specify the location of ONNX Runtime.
    NameRuntime,
    /// Provide the file's unsaved text, or choose a different path.
    GiveUnsavedText,
    /// Use a file that is in the index, or a retrieval that calls no model.
    SendNothing,
    /// Pipe the text through standard input, if it may be sent.
    PipeText,
    /// Enter a question.
    AskSomething,
    /// Write a valid path pattern.
    WriteGlob,
    /// Raise this limit, or choose a smaller task.
    Raise(Limit),
    /// Allow the model more time, or use a faster one.
    WaitLonger,
    /// Start the server with a larger context window, or read less at once.
    WidenContext,
    /// Use the name of a model that the server has.
    NameModel,
    /// Run the command that replaces the model by hand.
    TryModelCommand,
    /// Specify a valid server address.
    GiveAddress,
    /// Specify the address that the server redirects to, if it is trusted.
    TrustAddress,
    /// Start the server, or correct its address.
    StartServer,
    /// Check the address and the network.
    CheckServer,
    /// Specify the name of an environment variable that contains a key.
    NameKey,
    /// Set this environment variable to a key, or name a different variable.
    SetKey(String),
    /// Use encryption, explicitly allow sending the key in this environment variable without it, or
    /// use no key.
    EncryptKey(String),
    /// Use a valid prompt template, or the built-in one.
    CorrectTemplate,
    /// Write the log to a different file, or do not write a log.
    MoveLog,
    /// Repeat the dry run without `--dry-run`.
    SendPrompt,
    /// Describe the domain in more detail, use a different model, or write a schema by hand.
    WriteSchema,
    /// Pass a valid JSON Schema.
    CorrectSchema,
    /// Use a saved run that this program wrote.
    SaveRun,
    /// Require a token from clients, or listen on an address that no other machine reaches.
    GiveToken,
    /// Listen on a different address or port.
    ListenElsewhere,
}

/// A limit that a user can set on the use of a language model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Number of model calls.
    Calls,
    /// Number of tokens in prompts and replies.
    Tokens,
    /// Cost in money.
    Cost,
}

impl Limit {
    /// Returns the limit that an error reports as reached.
    pub fn reached(error: &Error) -> Option<Self> {
        match error.remedy() {
            Remedy::Raise(limit) if error.kind() == Kind::Ceiling => Some(*limit),
            _ => None,
        }
    }

    /// Returns the noun for the limited quantity.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Tokens => "tokens",
            Self::Cost => "cost",
        }
    }
}

impl From<&str> for Remedy {
    fn from(text: &str) -> Self {
        Self::Plain(text.to_owned())
    }
}

impl From<String> for Remedy {
    fn from(text: String) -> Self {
        Self::Plain(text)
    }
}

/// An error that ends a run, with a remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    what: String,
    remedy: Remedy,
    cause: Option<io::ErrorKind>,
}

impl Error {
    /// Creates an error. `what` describes the failure in one line; `remedy` is the suggested fix.
    pub fn new(kind: Kind, what: impl Into<String>, remedy: impl Into<Remedy>) -> Self {
        Self { kind, what: what.into(), remedy: remedy.into(), cause: None }
    }

    /// Creates an error for a failed file operation on `path`, with the operating system's message.
    /// `action` is the verb that follows "cannot".
    pub fn io(kind: Kind, action: &str, path: &Path, cause: &io::Error) -> Self {
        let remedy = match cause.kind() {
            io::ErrorKind::PermissionDenied => "check its permissions, or choose another path".into(),
            io::ErrorKind::StorageFull => Remedy::FreeSpace,
            io::ErrorKind::NotFound => "check the path".into(),
            io::ErrorKind::ReadOnlyFilesystem => Remedy::MoveIndex,
            _ => "see the cause above, then try again".into(),
        };
        Self::new(kind, format!("cannot {action} {}: {}", path.display(), message_without_code(cause)), remedy)
            .caused_by(cause.kind())
    }

    /// Adds the kind of I/O error that the operating system reported.
    #[must_use]
    pub fn caused_by(self, cause: io::ErrorKind) -> Self {
        Self { cause: Some(cause), ..self }
    }

    /// Returns the kind of failure.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns a one-line description of the failure and its location.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Returns the suggested fix.
    pub fn remedy(&self) -> &Remedy {
        &self.remedy
    }

    /// Checks whether the target cannot be written: the user lacks permission, or the disk is full
    /// or read-only.
    pub fn is_unwritable(&self) -> bool {
        self.is_disk_full_or_read_only() || self.cause == Some(io::ErrorKind::PermissionDenied)
    }

    /// Checks whether the disk is full or read-only, so that retrying or writing more cannot
    /// succeed.
    pub fn is_disk_full_or_read_only(&self) -> bool {
        matches!(
            self.cause,
            Some(io::ErrorKind::StorageFull | io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::QuotaExceeded)
        )
    }
}

/// Returns the system's message without the "(os error N)" suffix that Rust appends.
fn message_without_code(cause: &io::Error) -> String {
    let text = cause.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_lowercase(),
        None => text,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.remedy {
            Remedy::Plain(next) => write!(f, "{}\nnext: {next}", self.what),
            other => write!(f, "{}\nnext: {other:?}", self.what),
        }
    }
}

impl std::error::Error for Error {}
