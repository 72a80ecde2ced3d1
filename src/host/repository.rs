//! One repository that is kept open. Before each answer its files are looked at; questions that come while others wait for a
//! look share the next one, and then are answered at the same time.
//!
//! Law:   the look that a question is answered from began after the question came
//! Price: one look at a time, however many ask; an index that did not change stays as it is in memory

use super::Face;
use super::progress::{KeptProgress, LookStep};
use super::time::utc;
use crate::engine::{Engine, healing};
use crate::error::{Error, Kind, Result};
use crate::index::Options;
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};
use tokio::sync::{Mutex as TurnMutex, OwnedMutexGuard, Semaphore};
use tokio::task::{JoinError, spawn_blocking};

/// A repository that is kept open.
pub struct Repository {
    /// Its root, absolute.
    pub root: PathBuf,
    index_dir: PathBuf,
    options: Options,
    notice: fn(&str),
    /// Questions that came so far.
    asked: AtomicU64,
    looked: Arc<TurnMutex<LastLook>>,
    /// Questions that may be answered at the same time.
    places: Arc<Semaphore>,
    step: Mutex<LookStep>,
    /// Files read anew that no answer told of yet.
    changed: AtomicUsize,
    held: Mutex<HeldIndex>,
}

/// What is open, told without a look.
#[derive(Debug, Clone, Copy, Default)]
pub struct HeldIndex {
    /// Looks at the files so far.
    pub looks: usize,
    /// Files in the index.
    pub files: usize,
    /// Functions in the index.
    pub functions: usize,
}

/// What the last look found.
#[derive(Default)]
struct LastLook {
    open: Option<Arc<OpenIndex>>,
    /// Questions that had come when it began.
    asked: u64,
}

/// An index, and how it came about.
struct OpenIndex {
    engine: Arc<Engine>,
    began: Instant,
    at: SystemTime,
    look_ms: f64,
    notices: Vec<String>,
}

/// How fresh the index is that an answer comes from.
#[derive(Debug, Clone)]
pub struct IndexState {
    /// The root of the repository.
    pub root: String,
    /// When its files were looked at for this answer: UTC, RFC 3339.
    pub up_to_date_at: String,
    /// Files that were new or changed since the answer before, and read for this one.
    pub changed_files: usize,
    /// How long the look took, in milliseconds.
    pub look_ms: f64,
    /// Files in the index.
    pub files: usize,
    /// Functions in the index.
    pub functions: usize,
    /// What went otherwise than usual; above all that the index could not be brought up to date.
    pub notices: Vec<String>,
}

impl Repository {
    /// A repository that nobody has asked about yet; as many questions at once as there are processors, and two at least.
    pub fn new(root: PathBuf, index_dir: PathBuf, options: Options, face: Face) -> Self {
        let places = std::thread::available_parallelism().map_or(2, |count| count.get().max(2));
        Self {
            root,
            index_dir,
            options,
            notice: face.notice,
            asked: AtomicU64::new(0),
            looked: Arc::default(),
            places: Arc::new(Semaphore::new(places)),
            step: Mutex::default(),
            changed: AtomicUsize::new(0),
            held: Mutex::default(),
        }
    }

    /// How far the look is that questions wait for.
    pub fn step(&self) -> LookStep {
        self.step.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is open now.
    pub fn held(&self) -> HeldIndex {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the index brought up to date. Those who wait have no thread of their own; once begun, work goes on
    /// even if nobody waits for it any more, because the index that it makes is everybody's.
    ///
    /// # Errors
    /// When the index cannot be had, and those of `work`.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl Fn(&Engine) -> Result<T> + Send + 'static,
    ) -> Result<(T, IndexState)> {
        let open = self.fresh().await?;
        let place = self.places.clone().acquire_owned().await;
        let repository = self.clone();
        let begun = spawn_blocking(move || {
            let _place = place;
            repository.answered(open, work)
        });
        begun.await.unwrap_or_else(|cause| Err(ended_early(&cause)))
    }

    /// The index as of a look that begins after this call.
    async fn fresh(self: &Arc<Self>) -> Result<Arc<OpenIndex>> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let looked = self.looked.clone().lock_owned().await;
        if let Some(open) = looked.open.as_ref().filter(|_| looked.asked >= number) {
            return Ok(open.clone());
        }
        let repository = self.clone();
        spawn_blocking(move || repository.look(looked)).await.unwrap_or_else(|cause| Err(ended_early(&cause)))
    }

    /// Looks at the files for all who wait.
    fn look(&self, mut looked: OwnedMutexGuard<LastLook>) -> Result<Arc<OpenIndex>> {
        let asked = self.asked.load(Ordering::SeqCst);
        let open = self.opened()?;
        let open = kept(&mut looked, open);
        looked.asked = asked;
        Ok(open)
    }

    /// Looks at the files while nobody waits for it, and gives what is open then; none if the index cannot be had. Questions that
    /// come meanwhile look for themselves, and are answered from the index as it was if there is much to do.
    pub(super) async fn look_aside(self: &Arc<Self>) -> Option<Arc<Engine>> {
        let repository = self.clone();
        let begun = spawn_blocking(move || {
            let open = repository.opened().ok()?;
            Some(kept(&mut repository.looked.blocking_lock(), open).engine.clone())
        });
        begun.await.ok().flatten()
    }

    /// The index brought up to date, opened anew.
    fn opened(&self) -> Result<OpenIndex> {
        let telling = || KeptProgress::new(&self.step, self.notice);
        let opened = healing(
            || false,
            || {
                let telling = telling();
                let began = Instant::now();
                telling.set(LookStep { doing: "looking for changed files", ..LookStep::default() });
                let engine = Engine::open(&self.root, &self.index_dir, &self.options, &telling)?;
                self.changed.fetch_add(engine.summary().refreshed_files, Ordering::Relaxed);
                let (at, look_ms) = (SystemTime::now(), engine.summary().ms);
                Ok(OpenIndex { engine: Arc::new(engine), began, at, look_ms, notices: telling.notices() })
            },
        );
        telling().set(LookStep::default());
        if let Ok(open) = &opened {
            let (summary, mut held) = (open.engine.summary(), self.held.lock().unwrap_or_else(PoisonError::into_inner));
            *held = HeldIndex { looks: held.looks + 1, files: summary.files, functions: summary.functions };
        }
        opened
    }

    fn answered<T>(&self, open: Arc<OpenIndex>, work: impl Fn(&Engine) -> Result<T>) -> Result<(T, IndexState)> {
        let first = Cell::new(Some(open));
        healing(
            || false,
            || {
                // A second time comes after the index was found damaged and given up: it is built anew.
                let open = first.take().map_or_else(|| self.opened().map(Arc::new), Ok)?;
                let done = work(&open.engine)?;
                Ok((done, self.state(&open)))
            },
        )
    }

    fn state(&self, open: &OpenIndex) -> IndexState {
        let summary = open.engine.summary();
        IndexState {
            root: self.root.to_string_lossy().into_owned(),
            up_to_date_at: utc(open.at),
            changed_files: self.changed.swap(0, Ordering::Relaxed),
            look_ms: open.look_ms,
            files: summary.files,
            functions: summary.functions,
            notices: open.notices.clone(),
        }
    }
}

/// Takes in what a look found, unless a later one was faster. Of an index that did not change the one that was open is kept: its
/// parts are in memory and known to be whole.
fn kept(last: &mut LastLook, mut found: OpenIndex) -> Arc<OpenIndex> {
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

fn ended_early(cause: &JoinError) -> Error {
    let next = "ask something else; if it happens again, report it with the question";
    Error::new(Kind::Index, format!("answering ended early: {cause}"), next)
}
