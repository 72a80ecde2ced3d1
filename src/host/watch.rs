//! Watches the directories of a repository, so that the index is brought up to date when a file is
//! saved, instead of when the next question waits for it.
//!
//! In any case, every question checks the files itself. Changes that the system does not report (on
//! a network file system, or beyond its limit of watches) are therefore found by the next question,
//! and never missed.
//!
//! **Cost:** one watch for each directory that contains an indexed file; one check for each burst
//! of changes.

use super::repository::Repository;
use crate::engine::Engine;
use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use whichfn_text::path_from_text;

/// Time without changes before the files are checked: an editor writes a file in several steps, git
/// writes many files.
const QUIET: Duration = Duration::from_millis(30);
/// Maximum duration of a burst of changes before the files are checked anyway.
const LONGEST_BURST: Duration = Duration::from_millis(100);

/// Events that the system reported since the last check.
#[derive(Default)]
struct WatchEvents {
    /// Directories that were added, removed or renamed, so that watches on them are no longer
    /// valid.
    directories: FxHashSet<PathBuf>,
    /// True if events were lost, possibly about directories.
    lost: bool,
}

/// Watches on a repository's directories.
struct Watch {
    watcher: RecommendedWatcher,
    watched: FxHashSet<PathBuf>,
    events: Arc<Mutex<WatchEvents>>,
    changed: Arc<Notify>,
    notice: fn(&str),
    is_full: bool,
}

/// Brings the index of a repository up to date whenever something changes below its root. Never
/// returns, unless watching is not available.
pub(super) async fn follow(repository: Arc<Repository>, notice: fn(&str)) {
    let Ok(mut watch) = Watch::new(notice) else { return };
    let changed = watch.changed.clone();
    loop {
        // One more check finds changes in a directory from before it was watched.
        while let Some(engine) = repository.check_in_background().await {
            let root = repository.root.clone();
            let taken = tokio::task::spawn_blocking(move || {
                let is_new = watch.take_in(&root, &engine);
                (watch, is_new)
            });
            let Ok((back, is_new)) = taken.await else { return };
            watch = back;
            if !is_new {
                break;
            }
        }
        changed.notified().await;
        let until = Instant::now() + LONGEST_BURST;
        while Instant::now() < until && timeout(QUIET, changed.notified()).await.is_ok() {}
    }
}

impl Watch {
    fn new(notice: fn(&str)) -> notify::Result<Self> {
        let (events, changed) = (Arc::<Mutex<WatchEvents>>::default(), Arc::new(Notify::new()));
        let (shared, waking) = (events.clone(), changed.clone());
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let mut events = shared.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Ok(event) if is_reading(event.kind) => return,
                Ok(event) => {
                    events.lost |= event.need_rescan();
                    if is_of_directory(event.kind) {
                        events.directories.extend(event.paths);
                    }
                }
                Err(_) => events.lost = true,
            }
            waking.notify_one();
        })?;
        Ok(Self { watcher, watched: FxHashSet::default(), events, changed, notice, is_full: false })
    }

    /// Watches the directories of an index that are not watched yet, and returns whether there were
    /// any.
    fn take_in(&mut self, root: &Path, engine: &Engine) -> bool {
        let events = std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner));
        if events.lost {
            self.watched.clear();
        }
        self.watched.retain(|known| !known.ancestors().any(|around| events.directories.contains(around)));
        let mut wanted: FxHashSet<&str> = FxHashSet::default();
        for file in &engine.generation().manifest.files {
            let mut path: &str = &file.path;
            // If a directory is already included, so are its parents.
            while let Some((directory, _)) = path.rsplit_once('/').filter(|(directory, _)| wanted.insert(directory)) {
                path = directory;
            }
        }
        let below = wanted.into_iter().map(|directory| root.join(path_from_text(directory)));
        let new = events.directories.iter().filter(|path| path.is_dir()).cloned();
        let missing: BTreeSet<PathBuf> =
            below.chain(new).chain([root.to_owned()]).filter(|path| !self.watched.contains(path)).collect();
        let mut is_new = false;
        for directory in missing {
            is_new |= self.add(directory);
        }
        is_new
    }

    fn add(&mut self, directory: PathBuf) -> bool {
        match self.watcher.watch(&directory, RecursiveMode::NonRecursive) {
            Ok(()) => self.watched.insert(directory),
            Err(cause) => {
                if matches!(cause.kind, notify::ErrorKind::MaxFilesWatch) && !self.is_full {
                    self.is_full = true;
                    (self.notice)(
                        "cannot watch more directories: edits will be detected when you ask the next question",
                    );
                }
                false
            }
        }
    }
}

/// Checks whether an event reports no change: reading a file also causes events.
fn is_reading(kind: EventKind) -> bool {
    matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}

/// Checks whether a directory was added, removed or renamed. The system may not report the type of
/// an entry that was removed or renamed.
fn is_of_directory(kind: EventKind) -> bool {
    match kind {
        EventKind::Create(made) => made != CreateKind::File,
        EventKind::Remove(removed) => removed != RemoveKind::File,
        EventKind::Modify(what) => matches!(what, ModifyKind::Name(_)),
        _ => false,
    }
}
