//! State that requests are answered from: the repositories, and the text open in the editor.

use super::outbox::{Answered, Code, Outbox, RefusedRequest};
use super::position::{byte, word_at};
use crate::engine::Engine;
use crate::host::Repository;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use whichfn_index::index::Progress;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Remedy, Result};
use whichfn_text::{path_from_uri, path_text};

/// Minimum number of files for which progress is shown; fewer are read before a message could
/// appear.
const LEAST_FILES: usize = 64;

/// State shared by the thread that reads and the thread that answers.
#[derive(Clone, Default)]
pub(super) struct SharedState {
    /// Text of the documents open in the editor, indexed by URI.
    documents: Arc<Mutex<FxHashMap<String, String>>>,
    /// Ids of cancelled requests.
    cancelled: Arc<Mutex<FxHashSet<String>>>,
    /// True if a refresh is already queued.
    is_stale: Arc<AtomicBool>,
}

impl SharedState {
    pub fn documents(&self) -> MutexGuard<'_, FxHashMap<String, String>> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn cancelled(&self) -> MutexGuard<'_, FxHashSet<String>> {
        self.cancelled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a refresh begins.
    pub fn mark_refreshed(&self) {
        self.is_stale.store(false, Ordering::Relaxed);
    }

    /// Records that files changed, and returns whether this is the first change since the last
    /// refresh.
    pub fn mark_stale(&self) -> bool {
        !self.is_stale.swap(true, Ordering::Relaxed)
    }
}

/// The repositories, and the capabilities of the editor.
pub(super) struct Session {
    pub open: Vec<Repository>,
    pub out: Outbox,
    pub shared: SharedState,
    /// Returns advice in words for a remedy.
    pub advice: fn(&Remedy) -> String,
    /// True if the editor shows progress.
    pub shows_progress: bool,
    /// Notices that were shown.
    pub shown: Mutex<FxHashSet<String>>,
}

impl Session {
    /// Runs `work` with an index that is up to date.
    ///
    /// # Errors
    /// Returns an error if the index is not available, and the errors of `work`.
    pub fn ask<T>(&self, one: &Repository, work: impl Fn(&Engine) -> Result<T>) -> Answered<T> {
        let progress = ClientProgress { out: &self.out, is_shown: self.shows_progress, sent: Mutex::default() };
        one.ask_here(&progress, work).map_err(|error| RefusedRequest::from_error(&error, self.advice))
    }

    /// Shows what an answer lacks to the user, once for each line.
    pub fn show_once(&self, notices: &[String]) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        notices.iter().filter(|line| shown.insert((*line).clone())).for_each(|line| self.out.show(line));
    }

    /// Returns the repository that contains a file, and the file's path relative to its root.
    pub fn place(&self, uri: &str) -> Answered<(&Repository, String)> {
        let path = path_from_uri(uri).and_then(|path| canonical(&path));
        let path = path
            .ok_or_else(|| RefusedRequest::new(Code::InvalidParams, format!("{uri} is not the address of a file")))?;
        let inside = self.open.iter().filter_map(|one| Some((one, path.strip_prefix(&one.root).ok()?)));
        // Repositories may be nested; take the innermost.
        let found = inside.min_by_key(|(_, path)| path.components().count());
        let outside = || format!("{uri} is not in an open folder");
        found
            .map(|(one, path)| (one, path_text(path)))
            .ok_or_else(|| RefusedRequest::new(Code::InvalidParams, outside()))
    }

    /// Runs `work` with the definitions that a position refers to.
    pub fn at_position<T>(
        &self,
        at: &DocumentPosition,
        work: impl Fn(&Repository, &Engine, &[DefinitionId]) -> T,
    ) -> Answered<T> {
        let (one, path) = self.place(&at.text_document.uri)?;
        let line = at.position.line.saturating_add(1);
        self.ask(one, |engine| {
            let text = self.text(&at.text_document.uri, engine, &path).unwrap_or_default();
            let shown = text.lines().nth(at.position.line as usize).unwrap_or_default();
            let ids = engine.definitions_at(&path, line, word_at(shown, byte(shown, at.position.character)));
            Ok(work(one, engine, &ids))
        })
    }

    /// Returns the text of a file that is open in the editor, or else its text on disk.
    pub fn text(&self, uri: &str, engine: &Engine, path: &str) -> Option<String> {
        let open = self.shared.documents().get(uri).cloned();
        open.or_else(|| engine.text_on_disk(path))
    }
}

/// Resolves the links in a path; the file itself may not exist yet.
fn canonical(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?)))
}

/// A position in a document.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DocumentPosition {
    pub text_document: DocumentName,
    pub position: Utf16Position,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct DocumentName {
    pub uri: String,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Utf16Position {
    pub line: u32,
    pub character: u32,
}

/// Sends the progress of the index to the editor, if it shows progress.
struct ClientProgress<'a> {
    out: &'a Outbox,
    is_shown: bool,
    /// Percentage that was sent last; `None` if nothing was sent yet.
    sent: Mutex<Option<usize>>,
}

/// Token of the progress; only one operation reports progress at a time.
const TOKEN: &str = "whichfn/index";

impl ClientProgress<'_> {
    fn send(&self, value: Value) {
        self.out.notify("$/progress", json!({"token": TOKEN, "value": value}));
    }

    fn sent(&self) -> MutexGuard<'_, Option<usize>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for ClientProgress<'_> {
    fn step(&self, done: usize, total: usize) {
        if !self.is_shown || total < LEAST_FILES {
            return;
        }
        let (mut sent, now) = (self.sent(), done * 100 / total);
        match *sent {
            None => {
                self.out.request(TOKEN, "window/workDoneProgress/create", json!({"token": TOKEN}));
                self.send(json!({"kind": "begin", "title": "whichfn: indexing", "percentage": now}));
            }
            Some(before) if now <= before => return,
            Some(_) => {
                let message = format!("{done} of {total} files");
                self.send(json!({"kind": "report", "percentage": now, "message": message}));
            }
        }
        *sent = Some(now);
    }

    fn linking(&self, _: usize) {
        if self.sent().is_some() {
            self.send(json!({"kind": "report", "percentage": 100, "message": "linking calls"}));
        }
    }

    fn embedded(&self, _: usize, _: usize) {}

    fn notice(&self, line: &str) {
        self.out.log(line);
    }
}

impl Drop for ClientProgress<'_> {
    fn drop(&mut self) {
        if self.sent().is_some() {
            self.send(json!({"kind": "end"}));
        }
    }
}
