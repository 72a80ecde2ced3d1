//! The files below a root, in parallel, as `ripgrep` would see them: ignore files and hidden files count.
//!
//! Price: one `stat` a file; this is what a question pays to know that its index is fresh.

use super::Skip;
use crate::error::{Error, Kind, Result};
use crate::lang::Registry;
use ignore::{DirEntry, WalkBuilder, WalkState};
use std::path::Path;
use std::sync::Mutex;
use std::time::UNIX_EPOCH;

/// Our own ignore file, beside `.gitignore` and `.ignore`.
const IGNORE_FILE: &str = ".whichfnignore";

/// A file worth reading.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScannedFile {
    /// Path from the root, with slashes.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// Last change, in nanoseconds since 1970.
    pub modified: u64,
}

/// What lies below a root.
#[derive(Debug, Default)]
pub struct Scan {
    /// Files worth reading, in order of path.
    pub files: Vec<ScannedFile>,
    /// Files left out by name or kind, in order of path.
    pub skipped: Vec<(String, Skip)>,
}

/// Lists the files below `root`; files above `max_size` bytes are left out.
///
/// # Errors
/// When the root itself cannot be read.
pub fn scan(root: &Path, registry: &Registry, max_size: u64) -> Result<Scan> {
    std::fs::read_dir(root).map_err(|cause| Error::io(Kind::Path, "read", root, &cause))?;
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(8));
    let walker = rules(root).threads(threads).build_parallel();
    let all = Mutex::new(Scan::default());
    walker.run(|| {
        let mut local = Local { into: &all, found: Scan::default() };
        Box::new(move |entry| {
            match entry {
                Ok(entry) if entry.depth() > 0 => local.add(root, registry, max_size, &entry),
                Ok(_) => {}
                Err(cause) => local.found.skipped.push((unreadable_path(root, &cause), Skip::Unreadable)),
            }
            WalkState::Continue
        })
    });
    let mut scan = all.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    scan.files.sort_unstable();
    scan.skipped.sort_unstable();
    Ok(scan)
}

/// Whether [`scan`] of `root` would come to this place below it: no ignore file and no leading dot hides it, and it is no link.
///
/// Price: only the directories on the way to it are listed.
pub fn sees(root: &Path, place: &Path) -> bool {
    let target = place.to_owned();
    let walker = rules(root).filter_entry(move |entry| target.starts_with(entry.path())).build();
    walker.flatten().any(|entry| entry.path() == place && !entry.path_is_symlink())
}

/// What ignore files and leading dots hide.
fn rules(root: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder.require_git(false).add_custom_ignore_filename(IGNORE_FILE);
    builder
}

/// One thread's findings, handed over when the thread is done.
struct Local<'a> {
    into: &'a Mutex<Scan>,
    found: Scan,
}

impl Local<'_> {
    fn add(&mut self, root: &Path, registry: &Registry, max_size: u64, entry: &DirEntry) {
        let Some(kind) = entry.file_type() else { return };
        if kind.is_dir() {
            return;
        }
        let path = relative(root, entry.path());
        let name = entry.file_name().to_string_lossy();
        let skip = if kind.is_symlink() {
            Some(Skip::Link)
        } else if !kind.is_file() {
            Some(Skip::Special)
        } else if registry.is_data(&name) {
            Some(Skip::Data)
        } else {
            None
        };
        if let Some(skip) = skip {
            return self.found.skipped.push((path, skip));
        }
        match entry.metadata() {
            Ok(meta) if meta.len() > max_size => self.found.skipped.push((path, Skip::Oversized)),
            Ok(meta) => {
                let age = meta.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok());
                let modified = age.map_or(0, |age| age.as_nanos() as u64);
                self.found.files.push(ScannedFile { path, size: meta.len(), modified });
            }
            Err(_) => self.found.skipped.push((path, Skip::Unreadable)),
        }
    }
}

impl Drop for Local<'_> {
    fn drop(&mut self) {
        let mut all = self.into.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.files.append(&mut self.found.files);
        all.skipped.append(&mut self.found.skipped);
    }
}

fn relative(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let text = below.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace(std::path::MAIN_SEPARATOR, "/") }
}

fn unreadable_path(root: &Path, cause: &ignore::Error) -> String {
    match cause {
        ignore::Error::WithPath { path, .. } => relative(root, path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => unreadable_path(root, err),
        other => other.to_string(),
    }
}
