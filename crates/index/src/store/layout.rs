//! The location of an index on disk, and how a new generation replaces the old one: it is written
//! under a different name and then renamed.

use super::private::{create_folder, open_or_create, remove, write_private};
use std::fs::{self, File, TryLockError};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_system::platform::{is_owned_by_another_user, restrict_folder};

const LOCK: &str = "LOCK";
const CURRENT: &str = "CURRENT";
const GENERATION: &str = "generation-";
const UNFINISHED: &str = "unfinished-";
const PARTIAL: &str = "partial";
const TREE: &str = "tree";
/// File with the digests that identify other checkouts of the same repository.
const CHECKOUT: &str = "checkout";
/// Maximum number of other indexes that are examined.
const MOST_OTHERS: usize = 1000;
/// Interval at which a waiting process tries the lock again: short enough that a person does not
/// notice it, and long enough to cost the machine almost nothing.
const PATIENCE: Duration = Duration::from_millis(20);

/// The folder of one root's index.
#[derive(Debug, Clone)]
pub struct Layout {
    folder: PathBuf,
}

impl Layout {
    /// Returns the folder for `root` below `index_dir`. Its name is that of the root, followed by a
    /// hash of the whole path to distinguish roots of the same name.
    pub fn new(index_dir: &Path, root: &Path) -> Self {
        let name = root.file_name().map_or_else(|| "root".into(), |name| name.to_string_lossy());
        let name: String =
            name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).take(40).collect();
        let key = xxhash_rust::xxh3::xxh3_64(root.as_os_str().as_encoded_bytes());
        Self { folder: index_dir.join(format!("{name}-{key:016x}")) }
    }

    /// Returns the path of the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the data that the last scan of the root saved for the next one, or `None` if there
    /// is none.
    pub fn tree(&self) -> Option<Vec<u8>> {
        fs::read(self.folder.join(TREE)).ok()
    }

    /// Saves data for the next scan. Any process may do so, and a failure only slows down the next
    /// scan. Nothing is saved if the index is inside the scanned tree, because writing would change
    /// the very directories that the data describes.
    pub fn write_tree(&self, root: &Path, bytes: &[u8]) {
        if self.folder.starts_with(root) {
            return;
        }
        let temporary = self.folder.join(format!("{TREE}.{}", std::process::id()));
        let written = write_private(&temporary, bytes).and_then(|()| fs::rename(&temporary, self.folder.join(TREE)));
        if written.is_err() {
            let _ = fs::remove_file(temporary);
        }
    }

    /// Saves the digests that identify other checkouts of the same repository. A failure only means
    /// that they do not find this index.
    pub fn write_checkout(&self, digests: &[u128]) {
        let lines: String = digests.iter().map(|digest| format!("{digest:032x}\n")).collect();
        let place = self.folder.join(CHECKOUT);
        if fs::read_to_string(&place).ok().as_deref() == Some(&*lines) || lines.is_empty() && !place.exists() {
            return;
        }
        let temporary = self.folder.join(format!("{CHECKOUT}.{}", std::process::id()));
        if write_private(&temporary, lines.as_bytes()).and_then(|()| fs::rename(&temporary, place)).is_err() {
            let _ = fs::remove_file(temporary);
        }
    }

    /// Returns the indexes next to this one that share a digest with it, sorted by name.
    pub fn others(&self, digests: &[u128]) -> Vec<Self> {
        let entries = self.folder.parent().and_then(|parent| fs::read_dir(parent).ok()).into_iter().flatten();
        let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        folders.sort_unstable();
        folders.truncate(MOST_OTHERS);
        let is_same = |folder: &PathBuf| {
            let text = fs::read_to_string(folder.join(CHECKOUT)).unwrap_or_default();
            text.lines().any(|line| u128::from_str_radix(line, 16).is_ok_and(|digest| digests.contains(&digest)))
        };
        let is_other = |folder: &PathBuf| *folder != self.folder && !is_owned_by_another_user(folder);
        folders.into_iter().filter(|folder| is_other(folder) && is_same(folder)).map(|folder| Self { folder }).collect()
    }

    /// Rejects a folder that another user created: any user who can write to an index controls the
    /// answers from it.
    ///
    /// # Errors
    /// Returns an error if the folder belongs to another user. The superuser's folders are
    /// accepted.
    pub fn check_owner(&self) -> Result<()> {
        if !is_owned_by_another_user(&self.folder) {
            return Ok(());
        }
        let what = format!("the index folder {} belongs to another user", self.folder.display());
        Err(Error::new(Kind::Index, what, Remedy::MoveIndex))
    }

    /// Returns the folder of a partial index, which an interrupted build may have left.
    pub fn partial(&self) -> PathBuf {
        self.folder.join(PARTIAL)
    }

    /// Removes the partial index. A failure is ignored: it is only used if it fits.
    pub fn remove_partial(&self) {
        let _ = fs::remove_dir_all(self.partial());
    }

    /// Returns the folder of the generation in use, or `None` before the first one.
    pub fn current(&self) -> Option<PathBuf> {
        let current = self.folder.join(CURRENT);
        current.symlink_metadata().ok().filter(fs::Metadata::is_file)?;
        let name = fs::read_to_string(current).ok()?;
        let name = name.trim();
        let sound =
            name.strip_prefix(GENERATION).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
        sound.then(|| self.folder.join(name))
    }

    /// Acquires the write lock. While another process has it, this calls `on_wait` repeatedly
    /// with the progress that process noted, and waits as long as `on_wait` returns `true`. Returns
    /// `None` once it returns `false`.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn lock(&self, mut on_wait: impl FnMut(Option<WriterProgress>) -> bool) -> Result<Option<WriteLock>> {
        let failed =
            |doing: &'static str| move |cause: std::io::Error| Error::io(Kind::Index, doing, &self.folder, &cause);
        create_folder(&self.folder).map_err(failed("create the index folder"))?;
        let place = self.folder.join(LOCK);
        let lock = open_or_create(&place).map_err(failed("write to the index folder"))?;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if on_wait(WriterProgress::read(&place)) => std::thread::sleep(PATIENCE),
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(cause)) => return Err(failed("lock the index folder")(cause)),
            }
        }
        restrict_folder(&self.folder);
        let write_lock = WriteLock { layout: self.clone(), lock };
        write_lock.note(0, 0);
        write_lock.clean();
        Ok(Some(write_lock))
    }
}

/// The word after the numbers once all files are parsed.
const LINKING: &str = "linking";

/// The progress that a writer notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterProgress {
    /// Number of files parsed.
    pub done: usize,
    /// Number of files to parse; 0 while the writer is still finding out.
    pub total: usize,
    /// True once all files are parsed and calls are being linked.
    pub is_linking: bool,
}

impl WriterProgress {
    fn read(lock: &Path) -> Option<Self> {
        let text = fs::read_to_string(lock).ok()?;
        let mut words = text.split_whitespace();
        let mut number = || words.next()?.parse().ok();
        let (done, total) = (number()?, number()?);
        Some(Self { done, total, is_linking: words.next() == Some(LINKING) })
    }
}

/// The write lock, held until it is dropped.
pub struct WriteLock {
    layout: Layout,
    lock: File,
}

impl WriteLock {
    /// Notes the progress for waiting processes. A failure is ignored.
    pub fn note(&self, done: usize, total: usize) {
        let mut lock = &self.lock;
        let _ = lock.set_len(0).and_then(|()| lock.rewind()).and_then(|()| writeln!(lock, "{done} {total}"));
    }

    /// Notes for waiting processes that all files are parsed. A failure is ignored.
    pub fn note_linking(&self, files: usize) {
        let mut lock = &self.lock;
        let _ = lock.set_len(0).and_then(|()| lock.rewind()).and_then(|()| writeln!(lock, "{files} {files} {LINKING}"));
    }

    /// Creates a new empty folder to write into.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created.
    pub fn begin(&self) -> Result<PathBuf> {
        let folder = self.layout.folder.join(format!("{UNFINISHED}{}", std::process::id()));
        // A leftover that this process gave up when it met a damaged file.
        let _ = fs::remove_dir_all(&folder);
        create_folder(&folder).map_err(|cause| Error::io(Kind::Index, "create", &folder, &cause))?;
        Ok(folder)
    }

    /// Makes a finished folder the partial index. Returns its new path.
    ///
    /// # Errors
    /// Returns an error if it cannot be renamed.
    pub fn keep_partial(&self, folder: &Path) -> std::io::Result<PathBuf> {
        self.layout.remove_partial();
        fs::rename(folder, self.layout.partial())?;
        Ok(self.layout.partial())
    }

    /// Makes a finished folder the generation in use. Returns its new path.
    ///
    /// # Errors
    /// Returns an error if it cannot be renamed. The previous generation then stays in use.
    pub fn publish(&self, folder: &Path) -> Result<PathBuf> {
        let previous = self.layout.current();
        let number = |path: &Path| path.file_name()?.to_str()?.strip_prefix(GENERATION)?.parse::<u64>().ok();
        // `CURRENT` may name a generation that was deleted. A new one under the same number would
        // be removed below as the old one, so that number is counted too.
        let known = self.generations().into_iter().chain(previous.clone());
        let next = known.filter_map(|path| number(&path)).max().unwrap_or(0) + 1;
        let name = format!("{GENERATION}{next}");
        let place = self.layout.folder.join(&name);
        let failed = |cause: std::io::Error| Error::io(Kind::Index, "write", &place, &cause);
        fs::rename(folder, &place).map_err(failed)?;
        let temporary = self.layout.folder.join(format!("{CURRENT}.new"));
        write_private(&temporary, format!("{name}\n").as_bytes()).map_err(failed)?;
        let current = self.layout.folder.join(CURRENT);
        if current.is_dir() {
            remove(&current).map_err(failed)?;
        }
        fs::rename(&temporary, current).map_err(failed)?;
        // Readers of the previous generation have its files open. Where that prevents removal, the
        // next writer tries again.
        previous.into_iter().for_each(|old| drop(fs::remove_dir_all(old)));
        Ok(place)
    }

    fn generations(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.layout.folder).into_iter().flatten().flatten().map(|e| e.path());
        entries.filter(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with(GENERATION))).collect()
    }

    /// Removes the leftovers of interrupted writers, and generations that are no longer in use.
    fn clean(&self) {
        let current = self.layout.current();
        let entries = fs::read_dir(&self.layout.folder).into_iter().flatten().flatten().map(|e| e.path());
        for path in entries {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let old = name.starts_with(GENERATION) && Some(&path) != current.as_ref();
            if name.starts_with(UNFINISHED) || old {
                let _ = fs::remove_dir_all(path);
            }
        }
    }
}
