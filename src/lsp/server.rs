//! Implements the life cycle of the server: `initialize` first, answered at once; then requests and
//! notifications from the editor; `shutdown`, `exit`.

use super::framing::{Incoming, read};
use super::outbox::{Answered, Code, Outbox, RefusedRequest};
use super::session::{Session, SharedState};
use super::worker::{Job, METHODS, work};
use crate::host::Repository;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_system::threads::no_thread;
use whichfn_text::path_from_uri;

/// Finds the repository around a folder.
pub type FindRepository<'o> = Box<dyn Fn(Option<&Path>) -> Result<Repository> + 'o>;

/// Callbacks of the front end that starts the server: they find repositories and word advice.
pub struct RepositoryOpener<'o> {
    /// The repositories that were named at the start of the server; if empty, the editor's folders
    /// are used.
    pub given: Vec<Repository>,
    /// Finds the repository around a folder; around the current directory for `None`.
    pub around: FindRepository<'o>,
    /// Returns advice as text.
    pub advice: fn(&Remedy) -> String,
}

enum Lifecycle {
    New,
    /// A running server, with the sender to the thread that answers requests.
    Running(Sender<Job>),
    ShutDown,
}

struct EditorServer<'o> {
    opener: RepositoryOpener<'o>,
    out: Outbox,
    shared: SharedState,
    life: Lifecycle,
}

/// Serves an editor until it sends `exit` or closes the stream. Returns true if the editor sent
/// `shutdown` first.
///
/// # Errors
/// Returns an error if standard input cannot be read.
pub fn serve(opener: RepositoryOpener<'_>) -> Result<bool> {
    let mut server = EditorServer { opener, out: Outbox::new(), shared: SharedState::default(), life: Lifecycle::New };
    let mut input = std::io::stdin().lock();
    loop {
        let incoming = read(&mut input).map_err(|cause| {
            let what = format!("cannot read standard input: {cause}");
            Error::new(Kind::Usage, what, "start it from an editor that supports the protocol")
        })?;
        let goes_on = match incoming {
            Incoming::End => false,
            Incoming::Message(message) => server.take(message),
            Incoming::Malformed(reason) => {
                server.out.answer(&Value::Null, Err(RefusedRequest::new(Code::Parse, reason)));
                true
            }
            // The next bytes could be the rest of this message, so reading stops. The editor starts
            // the server again.
            Incoming::OutOfStep(reason) => {
                server.out.answer(&Value::Null, Err(RefusedRequest::new(Code::Parse, &*reason)));
                let what = format!("cannot find the next message: {reason}");
                return Err(Error::new(
                    Kind::Usage,
                    what,
                    "restart the server; the editor sent something that is not part of the protocol",
                ));
            }
        };
        if !goes_on {
            return Ok(matches!(server.life, Lifecycle::ShutDown));
        }
    }
}

impl EditorServer<'_> {
    /// Handles a message; returns false after the last one.
    fn take(&mut self, mut message: Value) -> bool {
        let id = message.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64()).cloned();
        let params = message.get_mut("params").map(Value::take).unwrap_or(Value::Null);
        let method = message.get("method").and_then(Value::as_str);
        match (method, id) {
            (Some("exit"), None) => return false,
            (Some(method), None) if message.get("id").is_none() => self.handle_notification(method, &params),
            (Some(method), Some(id)) => {
                let done = self.answer(&id, method, params);
                done.into_iter().for_each(|result| self.out.answer(&id, result));
            }
            // A response to a request of the server; nothing depends on it.
            (None, Some(_)) if message.get("result").is_some() || message.get("error").is_some() => {}
            (_, id) => {
                let what = "a message must have a method, and an id if it is a request; batches are not supported";
                self.out.answer(&id.unwrap_or_default(), Err(RefusedRequest::new(Code::InvalidRequest, what)));
            }
        }
        true
    }

    /// Answers a request, or queues it for the worker and returns `None`.
    fn answer(&mut self, id: &Value, method: &str, params: Value) -> Option<Answered> {
        let refused = |code: Code, what: &str| Some(Err(RefusedRequest::new(code, what)));
        match (&self.life, method) {
            (Lifecycle::New, "initialize") => Some(self.initialize(&params)),
            (Lifecycle::New, _) => refused(Code::NotInitialized, "the first request must be initialize"),
            (Lifecycle::ShutDown, _) => refused(Code::InvalidRequest, "the server is shut down"),
            (Lifecycle::Running(_), "initialize") => refused(Code::InvalidRequest, "the server is already initialized"),
            (Lifecycle::Running(_), "shutdown") => {
                // The worker thread ends after its current job, because the sender is dropped.
                self.life = Lifecycle::ShutDown;
                Some(Ok(Value::Null))
            }
            (Lifecycle::Running(jobs), _) if METHODS.contains(&method) => {
                let job = Job::Answer { id: id.clone(), method: method.to_owned(), params };
                match jobs.send(job) {
                    Ok(()) => None,
                    Err(_) => refused(Code::Internal, "the server stopped answering; restart it"),
                }
            }
            _ => refused(Code::NoMethod, &format!("unknown method {method}")),
        }
    }

    /// Returns the capabilities of the server, and starts updating the indexes of all folders in
    /// the background.
    fn initialize(&mut self, params: &Value) -> Answered {
        let advice = self.opener.advice;
        let open = self.open(params).map_err(|error| RefusedRequest::from_error(&error, advice))?;
        let shows_progress = params["capabilities"]["window"]["workDoneProgress"] == true;
        let (out, shared) = (self.out.clone(), self.shared.clone());
        let (jobs, receiver) = channel();
        let session = Session { open, out, shared, advice, shows_progress, shown: Mutex::default() };
        let started = std::thread::Builder::new().spawn(move || work(&session, &receiver));
        started.map_err(|cause| RefusedRequest::from_error(&no_thread(&cause), advice))?;
        self.life = Lifecycle::Running(jobs);
        self.refresh();
        const FULL: u32 = 1;
        Ok(json!({
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": {"openClose": true, "change": FULL, "save": {"includeText": false}},
                "workspaceSymbolProvider": true,
                "documentSymbolProvider": true,
                "definitionProvider": true,
                "hoverProvider": true,
                "callHierarchyProvider": true,
                "implementationProvider": true,
                "typeHierarchyProvider": true,
                "referencesProvider": true,
                "experimental": {"whichfnContext": true},
            },
            "serverInfo": {"name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION")},
        }))
    }

    /// Opens the repositories: the named ones, or else the ones around the editor's folders.
    fn open(&mut self, params: &Value) -> Result<Vec<Repository>> {
        if !self.opener.given.is_empty() {
            return Ok(std::mem::take(&mut self.opener.given));
        }
        let folders = params["workspaceFolders"].as_array().into_iter().flatten().filter_map(|one| one["uri"].as_str());
        let folders = folders.chain(params["rootUri"].as_str()).filter_map(path_from_uri);
        let folders: Vec<PathBuf> = folders.chain(params["rootPath"].as_str().map(PathBuf::from)).collect();
        let around = |folder: Option<&Path>| (self.opener.around)(folder);
        let mut open: Vec<Repository> = Vec::new();
        let found: Vec<Result<Repository>> = match folders[..] {
            [] => vec![around(None)],
            _ => folders.iter().map(|folder| around(Some(folder))).collect(),
        };
        for repository in found {
            let repository = repository?;
            if !open.iter().any(|known| known.root == repository.root) {
                open.push(repository);
            }
        }
        Ok(open)
    }

    /// Handles a notification from the editor.
    fn handle_notification(&mut self, method: &str, params: &Value) {
        let Lifecycle::Running(_) = self.life else { return };
        let document = &params["textDocument"];
        let uri = document["uri"].as_str();
        match method {
            "textDocument/didOpen" => self.hold(uri, document["text"].as_str()),
            "textDocument/didChange" => {
                let changes = params["contentChanges"].as_array().and_then(|all| all.last());
                self.hold(uri, changes.and_then(|change| change["text"].as_str()));
            }
            "textDocument/didClose" => self.hold(uri, None),
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.refresh(),
            "$/cancelRequest" => drop(self.shared.cancelled().insert(params["id"].to_string())),
            // Optional notifications may be ignored.
            _ => {}
        }
    }

    /// Stores the text of a document; without text, the file on disk is used again.
    fn hold(&self, uri: Option<&str>, text: Option<&str>) {
        let Some(uri) = uri else { return };
        match text {
            Some(text) => drop(self.shared.documents().insert(uri.to_owned(), text.to_owned())),
            None => drop(self.shared.documents().remove(uri)),
        }
    }

    fn refresh(&self) {
        if let Lifecycle::Running(jobs) = &self.life
            && self.shared.mark_stale()
        {
            // If the worker has ended, the next request reports that.
            let _ = jobs.send(Job::Refresh);
        }
    }
}
