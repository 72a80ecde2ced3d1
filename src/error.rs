//! What can go wrong for a whole run: its kind, what failed in one line, and what would help.
//!
//! An [`Error`] ends the run. One unreadable or half-parsed file never does: it becomes a counted skip
//! ([`crate::scan::Skip`]) that is reported beside the result.

use std::path::Path;
use std::{fmt, io};

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

/// What would help. A room says what; how that is typed, as a command or an option, is said by the face that the person uses
/// (`src/cli/advice.rs` for the command line), so that no room below a face names its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// A line in plain words, the same on every face.
    Plain(String),
    /// Space on the disk of the index, or another place for it.
    FreeSpace,
    /// Another place for the index: the disk may not be written.
    MoveIndex,
    /// A look at the disk, or another place for the index: what was written does not read back.
    CheckDisk,
    /// A refresh of the index, which this question did without.
    RefreshIndex,
    /// A refresh of the index with the embedding model that was asked for.
    EmbedIndex,
    /// A model of embeddings by name, or another relation.
    NameEmbedding,
    /// Definitions in place of windows, or another relation.
    RankDefinitions,
    /// A build that can run embedding models, or none.
    InstallEmbedding,
    /// A build that can ask language models on servers, or a command that plays the model.
    InstallClient,
    /// The network, or the model's files in a directory that is named in the model's place.
    GiveModelDirectory,
    /// ONNX Runtime, and where it lies.
    NameRuntime,
    /// The unsaved text of the file, or another path.
    GiveUnsavedText,
    /// The file in the index, or a retrieval that asks no model.
    SendNothing,
    /// The text through standard input, if it may be sent.
    PipeText,
    /// A question.
    AskSomething,
    /// A path pattern that reads.
    WriteGlob,
    /// A higher limit, or a smaller task.
    Raise(Limit),
    /// More time for the model, or a faster one.
    WaitLonger,
    /// The command that plays the model, run by hand.
    TryModelCommand,
    /// An address that a server can have.
    GiveAddress,
    /// The address that a server redirects to, if it is trusted.
    TrustAddress,
    /// The server started, or its address corrected.
    StartServer,
    /// The address and the network.
    CheckServer,
    /// The name of an environment variable that holds a key.
    NameKey,
    /// A key in this environment variable, or the name of another.
    SetKey(String),
    /// Encryption, or a word that the key in this environment variable may be sent without, or no key.
    EncryptKey(String),
    /// A prompt template that reads, or the built-in one.
    CorrectTemplate,
    /// Another file for the log, or none.
    MoveLog,
    /// A dry run made real.
    SendPrompt,
    /// More about the domain, another model, or a schema written by hand.
    WriteSchema,
    /// A saved run made by this program.
    SaveRun,
    /// A token that clients must send, or an address that no other machine reaches.
    GiveToken,
    /// Another address or port to listen on.
    ListenElsewhere,
}

/// What a user may limit in the use of a language model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Calls of the model.
    Calls,
    /// Tokens of prompts and replies.
    Tokens,
    /// Money.
    Cost,
}

impl Limit {
    /// The word for what is limited.
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

/// What failed, and what would help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    what: String,
    remedy: Remedy,
    cause: Option<io::ErrorKind>,
}

impl Error {
    /// `what` failed (one line); `remedy` would help.
    pub fn new(kind: Kind, what: impl Into<String>, remedy: impl Into<Remedy>) -> Self {
        Self { kind, what: what.into(), remedy: remedy.into(), cause: None }
    }

    /// A failed file operation on `path`, in the operating system's words.
    pub fn io(kind: Kind, doing: &str, path: &Path, cause: &io::Error) -> Self {
        let remedy = match cause.kind() {
            io::ErrorKind::PermissionDenied => "check its permissions, or choose another place".into(),
            io::ErrorKind::StorageFull => Remedy::FreeSpace,
            io::ErrorKind::NotFound => "check the path".into(),
            io::ErrorKind::ReadOnlyFilesystem => Remedy::MoveIndex,
            _ => "see the cause above, then try again".into(),
        };
        Self::new(kind, format!("cannot {doing} {}: {}", path.display(), plain(cause)), remedy).caused_by(cause.kind())
    }

    /// The same error, with what the operating system reported.
    #[must_use]
    pub fn caused_by(self, cause: io::ErrorKind) -> Self {
        Self { cause: Some(cause), ..self }
    }

    /// The kind of failure.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// One line: what failed, and where.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What would help.
    pub fn remedy(&self) -> &Remedy {
        &self.remedy
    }

    /// What should be written may not be, or the disk takes no more.
    pub fn is_unwritable(&self) -> bool {
        self.is_disk_trouble() || self.cause == Some(io::ErrorKind::PermissionDenied)
    }

    /// The disk is full or may not be written: doing the same again, or more, does not help.
    pub fn is_disk_trouble(&self) -> bool {
        matches!(
            self.cause,
            Some(io::ErrorKind::StorageFull | io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::QuotaExceeded)
        )
    }
}

/// The system's message without the number that Rust appends.
fn plain(cause: &io::Error) -> String {
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
