//! What requests are answered from: the repositories, each with its index brought up to date before it, and the texts that the editor
//! holds.

use super::outbox::{Code, Outbox, RefusedRequest};
use crate::engine::{Engine, healing};
use crate::error::{Error, Remedy, Result};
use crate::index::{Options, Progress};
use crate::text::{path_of_uri, path_text};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Fewer files are read before a line about it could be.
const WORTH_TELLING: usize = 64;

/// A repository that an editor has open.
pub struct Workspace {
    /// Its root, absolute.
    pub root: PathBuf,
    /// Where indexes lie.
    pub index_dir: PathBuf,
    /// How it is indexed.
    pub options: Options,
}

/// What the one who reads and the one who answers share.
#[derive(Clone, Default)]
pub(super) struct SharedState {
    /// The texts that the editor holds, by address.
    documents: Arc<Mutex<FxHashMap<String, String>>>,
    /// The ids of requests that were given up.
    cancelled: Arc<Mutex<FxHashSet<String>>>,
    /// A refresh waits for its turn already.
    is_stale: Arc<AtomicBool>,
}

impl SharedState {
    pub fn documents(&self) -> MutexGuard<'_, FxHashMap<String, String>> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn cancelled(&self) -> MutexGuard<'_, FxHashSet<String>> {
        self.cancelled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A refresh begins.
    pub fn is_refreshed(&self) {
        self.is_stale.store(false, Ordering::Relaxed);
    }

    /// Says that files changed; whether nobody had said so since the last refresh.
    pub fn becomes_stale(&self) -> bool {
        !self.is_stale.swap(true, Ordering::Relaxed)
    }
}

/// The repositories, and what is known of the editor.
pub(super) struct Desk {
    pub open: Vec<OpenWorkspace>,
    pub out: Outbox,
    pub shared: SharedState,
    /// What would help, in words.
    pub advice: fn(&Remedy) -> String,
    /// The editor shows progress.
    pub shows_progress: bool,
}

/// A repository with its index, once that was opened.
pub(super) struct OpenWorkspace {
    pub workspace: Workspace,
    engine: RefCell<Option<Engine>>,
}

impl From<Workspace> for OpenWorkspace {
    fn from(workspace: Workspace) -> Self {
        Self { workspace, engine: RefCell::default() }
    }
}

impl Desk {
    /// Does something with an index that is up to date.
    ///
    /// # Errors
    /// When the index cannot be had, and those of `work`.
    pub fn with<T>(&self, one: &OpenWorkspace, work: impl Fn(&Engine) -> Result<T>) -> Result<T> {
        let Workspace { root, index_dir, options } = &one.workspace;
        healing(
            || false,
            || {
                let progress = ClientProgress { out: &self.out, is_shown: self.shows_progress, told: Mutex::default() };
                let refreshed = one
                    .engine
                    .take()
                    .and_then(|mut engine| engine.refresh(&progress).ok().map(|_| ()).map(|()| engine));
                // What fails leaves none behind: it is opened anew, as the first time.
                let engine = match refreshed {
                    Some(engine) => engine,
                    None => Engine::open(root, index_dir, options, &progress)?,
                };
                drop(progress);
                let done = work(&engine)?;
                one.engine.replace(Some(engine));
                Ok(done)
            },
        )
    }

    /// As [`Self::with`], for a client.
    pub fn ask<T>(
        &self,
        one: &OpenWorkspace,
        work: impl Fn(&Engine) -> Result<T>,
    ) -> std::result::Result<T, RefusedRequest> {
        self.with(one, work).map_err(|error| RefusedRequest::new(Code::Failed, self.said(&error)))
    }

    /// What failed and what would help, on a line.
    pub fn said(&self, error: &Error) -> String {
        format!("{}; next: {}", error.what(), (self.advice)(error.remedy()))
    }

    /// The repository that a file lies in, and its path from the root there.
    pub fn place(&self, uri: &str) -> std::result::Result<(&OpenWorkspace, String), RefusedRequest> {
        let path = path_of_uri(uri).and_then(|path| canonical(&path));
        let path =
            path.ok_or_else(|| RefusedRequest::new(Code::InvalidParams, format!("{uri} is the address of no file")))?;
        let inside = self.open.iter().filter_map(|one| Some((one, path.strip_prefix(&one.workspace.root).ok()?)));
        // The innermost repository.
        let found = inside.min_by_key(|(_, path)| path.components().count());
        let outside = || format!("{uri} lies in none of the folders that are open");
        found
            .map(|(one, path)| (one, path_text(path)))
            .ok_or_else(|| RefusedRequest::new(Code::InvalidParams, outside()))
    }

    /// The text of a file as the editor holds it, or else as it is on disk.
    pub fn text(&self, uri: &str, engine: &Engine, path: &str) -> Option<String> {
        let held = self.shared.documents().get(uri).cloned();
        held.or_else(|| engine.text_on_disk(path))
    }
}

/// A path without links in it; the file itself may not be there yet.
fn canonical(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?)))
}

/// A place in a document.
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

/// Tells the editor how far the index is, if it shows that.
struct ClientProgress<'a> {
    out: &'a Outbox,
    is_shown: bool,
    /// The last hundredth that was told; none if nothing was begun.
    told: Mutex<Option<usize>>,
}

/// The one thing whose progress is told at a time.
const TOKEN: &str = "whichfn/index";

impl ClientProgress<'_> {
    fn tell(&self, value: Value) {
        self.out.notify("$/progress", json!({"token": TOKEN, "value": value}));
    }

    fn told(&self) -> MutexGuard<'_, Option<usize>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for ClientProgress<'_> {
    fn step(&self, done: usize, total: usize) {
        if !self.is_shown || total < WORTH_TELLING {
            return;
        }
        let (mut told, now) = (self.told(), done * 100 / total);
        match *told {
            None => {
                self.out.request(TOKEN, "window/workDoneProgress/create", json!({"token": TOKEN}));
                self.tell(json!({"kind": "begin", "title": "whichfn: indexing", "percentage": now}));
            }
            Some(before) if now <= before => return,
            Some(_) => {
                let message = format!("{done} of {total} files");
                self.tell(json!({"kind": "report", "percentage": now, "message": message}));
            }
        }
        *told = Some(now);
    }

    fn linking(&self, _: usize) {
        if self.told().is_some() {
            self.tell(json!({"kind": "report", "percentage": 100, "message": "linking calls"}));
        }
    }

    fn embedded(&self, _: usize, _: usize) {}

    fn notice(&self, line: &str) {
        self.out.log(line);
    }
}

impl Drop for ClientProgress<'_> {
    fn drop(&mut self) {
        if self.told().is_some() {
            self.tell(json!({"kind": "end"}));
        }
    }
}
