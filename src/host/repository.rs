//! A repository that is kept open. Its files are checked for changes before each answer. Questions
//! that arrive while other questions wait for a check share the next check, and are then answered
//! in parallel.
//!
//! **Invariant:** the check that a question's answer is based on began after the question arrived.
//!
//! **Cost:** one check at a time, independent of the number of questions; an unchanged index stays
//! in memory.

use super::progress::{Notices, ProgressState, ProgressStep};
use crate::engine::{Engine, SecondOpinion, healing};
use crate::typed::TypedPaths;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};
use tokio::sync::{Mutex as TurnMutex, OwnedMutexGuard, Semaphore, oneshot};
use whichfn_index::index::{Options, Progress};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::threads::no_thread;

/// A repository that is kept open.
pub struct Repository {
    /// Absolute path of its root.
    pub root: PathBuf,
    index_dir: PathBuf,
    options: Options,
    /// The model that reorders the first answers. It is opened once, although the index is opened after
    /// each change.
    second_opinion: Option<Arc<SecondOpinion>>,
    notices: Notices,
    /// Number of questions received so far.
    asked: AtomicU64,
    last_check: Arc<TurnMutex<LastCheck>>,
    /// Limits the number of questions that are answered in parallel.
    permits: Arc<Semaphore>,
    step: Mutex<ProgressStep>,
    /// Number of files parsed again since the last answer reported it.
    changed: AtomicUsize,
    held: Mutex<IndexStatistics>,
}

/// Statistics of the open index, available without checking the files.
#[derive(Debug, Clone, Copy, Default)]
pub struct IndexStatistics {
    /// Number of times that the files were checked so far.
    pub looks: usize,
    /// Number of files in the index.
    pub files: usize,
    /// Number of functions in the index.
    pub functions: usize,
}

/// Result of the last check of the files.
#[derive(Default)]
struct LastCheck {
    open: Option<Arc<OpenIndex>>,
    /// Number of questions received before the check began.
    asked: u64,
}

/// An index, with the time and the notices of its check.
struct OpenIndex {
    engine: Arc<Engine>,
    began: Instant,
    at: SystemTime,
    look_ms: f64,
    notices: Vec<String>,
}

/// Freshness of the index.
#[derive(Debug, Clone, Serialize)]
pub struct IndexFreshness {
    /// The root of the repository.
    pub root: String,
    /// Time of the last update of the index, before this answer: UTC, RFC 3339.
    pub up_to_date_at: String,
    /// Number of files that were new or changed since the previous answer, and were read again.
    pub changed_files: usize,
    /// Duration of the update in milliseconds.
    #[serde(skip)]
    pub look_ms: f64,
    /// Number of files in the index.
    pub files: usize,
    /// Number of functions in the index.
    pub functions: usize,
    /// Problems, such as an index that could not be updated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

impl Repository {
    /// Creates a repository that passes its notices on to `notice`. It answers as many questions in
    /// parallel as there are processors, but at least two.
    pub fn new(root: PathBuf, index_dir: PathBuf, options: Options, notice: fn(&str)) -> Self {
        let permits = std::thread::available_parallelism().map_or(2, |count| count.get().max(2));
        Self {
            root,
            index_dir,
            options,
            second_opinion: None,
            notices: Notices(notice),
            asked: AtomicU64::new(0),
            last_check: Arc::default(),
            permits: Arc::new(Semaphore::new(permits)),
            step: Mutex::default(),
            changed: AtomicUsize::new(0),
            held: Mutex::default(),
        }
    }

    /// Sets the model that reorders the first answers.
    #[must_use]
    pub fn with_second_opinion(self, second_opinion: Option<Arc<SecondOpinion>>) -> Self {
        Self { second_opinion, ..self }
    }

    /// Returns the converter for names and globs that clients send. Their paths are relative to the
    /// root.
    pub fn typed_paths(&self) -> TypedPaths<'_> {
        TypedPaths::at(&self.root)
    }

    /// Returns the progress of the check that questions wait for.
    pub fn step(&self) -> ProgressStep {
        self.step.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the statistics of the open index.
    pub fn held(&self) -> IndexStatistics {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` with the index brought up to date. Waiting questions do not occupy a thread.
    /// Work that has begun continues even if its caller stops waiting, because all questions share
    /// the resulting index.
    ///
    /// # Errors
    /// Returns an error if the index is not available, and the errors of `work`.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl Fn(&Engine) -> Result<T> + Send + 'static,
    ) -> Result<(T, IndexFreshness)> {
        let open = self.fresh().await?;
        let permit = self.permits.clone().acquire_owned().await;
        let repository = self.clone();
        let begun = on_a_thread(move || {
            let _permit = permit;
            repository.answered(open, &repository.notices, work)
        });
        begun.await?
    }

    /// Runs `work` on this thread with the index brought up to date, for a server that answers one
    /// request at a time. Progress and notices go to `listener`. Must not be called in an
    /// asynchronous runtime.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::ask`].
    pub fn ask_here<T>(&self, listener: &dyn Progress, work: impl Fn(&Engine) -> Result<T>) -> Result<T> {
        let open = self.check(self.last_check.clone().blocking_lock_owned(), listener)?;
        self.answered(open, listener, work).map(|(done, _)| done)
    }

    /// Returns the index after a check that begins after this call.
    async fn fresh(self: &Arc<Self>) -> Result<Arc<OpenIndex>> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let last_check = self.last_check.clone().lock_owned().await;
        if let Some(open) = last_check.open.as_ref().filter(|_| last_check.asked >= number) {
            return Ok(open.clone());
        }
        let repository = self.clone();
        on_a_thread(move || repository.check(last_check, &repository.notices)).await?
    }

    /// Checks the files for all waiting questions.
    fn check(&self, mut last_check: OwnedMutexGuard<LastCheck>, listener: &dyn Progress) -> Result<Arc<OpenIndex>> {
        let received = self.asked.load(Ordering::SeqCst);
        let open = self.opened(listener)?;
        let open = kept(&mut last_check, open);
        last_check.asked = received;
        Ok(open)
    }

    /// Checks the files while no question waits for it, and returns the index that is then open;
    /// `None` if the index is not available. Questions that arrive during the check run their own,
    /// and are answered from the former index if there is much to do.
    pub(super) async fn check_in_background(self: &Arc<Self>) -> Option<Arc<Engine>> {
        let repository = self.clone();
        let begun = on_a_thread(move || {
            let open = repository.opened(&repository.notices).ok()?;
            Some(kept(&mut repository.last_check.blocking_lock(), open).engine.clone())
        });
        begun.await.ok().flatten()
    }

    /// Opens the index and brings it up to date.
    fn opened(&self, listener: &dyn Progress) -> Result<OpenIndex> {
        let progress = || ProgressState::new(&self.step, listener);
        let opened = healing(
            || false,
            || {
                let progress = progress();
                let began = Instant::now();
                progress.set(ProgressStep { doing: "looking for changed files", ..ProgressStep::default() });
                let engine = Engine::open(&self.root, &self.index_dir, &self.options, &progress)?;
                let engine = engine.with_second_opinion(self.second_opinion.clone());
                self.changed.fetch_add(engine.summary().refreshed_files, Ordering::Relaxed);
                let (at, look_ms) = (SystemTime::now(), engine.summary().ms);
                Ok(OpenIndex { engine: Arc::new(engine), began, at, look_ms, notices: progress.notices() })
            },
        );
        progress().set(ProgressStep::default());
        if let Ok(open) = &opened {
            let (summary, mut held) = (open.engine.summary(), self.held.lock().unwrap_or_else(PoisonError::into_inner));
            *held = IndexStatistics { looks: held.looks + 1, files: summary.files, functions: summary.functions };
        }
        opened
    }

    fn answered<T>(
        &self,
        open: Arc<OpenIndex>,
        listener: &dyn Progress,
        work: impl Fn(&Engine) -> Result<T>,
    ) -> Result<(T, IndexFreshness)> {
        let first = Cell::new(Some(open));
        healing(
            || false,
            || {
                // A second attempt means that the index was damaged and was discarded, so it is
                // rebuilt.
                let open = first.take().map_or_else(|| self.opened(listener).map(Arc::new), Ok)?;
                let done = work(&open.engine)?;
                Ok((done, self.state(&open)))
            },
        )
    }

    fn state(&self, open: &OpenIndex) -> IndexFreshness {
        let summary = open.engine.summary();
        IndexFreshness {
            root: self.root.to_string_lossy().into_owned(),
            up_to_date_at: DateTime::<Utc>::from(open.at).to_rfc3339_opts(SecondsFormat::Secs, true),
            changed_files: self.changed.swap(0, Ordering::Relaxed),
            look_ms: open.look_ms,
            files: summary.files,
            functions: summary.functions,
            notices: open.notices.clone(),
        }
    }
}

/// Stores the result of a check, unless a later check finished earlier. If the index did not
/// change, the open one is kept: its parts are in memory and known to be intact.
fn kept(last: &mut LastCheck, mut found: OpenIndex) -> Arc<OpenIndex> {
    if let Some(before) = &last.open {
        if before.began > found.began {
            return before.clone();
        }
        if before.engine.generation().folder() == found.engine.generation().folder() {
            found.engine = before.engine.clone();
        }
    }
    let found = Arc::new(found);
    last.open = Some(found.clone());
    found
}

/// Runs work in a separate thread. `tokio` would panic, and the server with it, if the thread
/// cannot be started.
async fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let (sender, receiver) = oneshot::channel();
    // If the receiver was dropped, the result is dropped too.
    let run = move || drop(sender.send(work()));
    std::thread::Builder::new().spawn(run).map_err(|cause| no_thread(&cause))?;
    receiver.await.map_err(|_| ended_early())
}

fn ended_early() -> Error {
    let next = "try a different question; if it happens again, report it with the question";
    Error::new(Kind::Index, "answering the question failed unexpectedly", next)
}
