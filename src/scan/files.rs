//! The files below a root, in parallel, as `ripgrep` would see them: ignore files and hidden files count.
//!
//! Price: one `stat` a file; this is what a question pays to know that its index is fresh.

use super::{Skip, ignore_files};
use crate::error::{Error, Kind, Result};
use crate::lang::Registry;
use crate::text::path_text;
use ignore::{DirEntry, WalkBuilder, WalkState};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;

/// A file worth reading.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScannedFile {
    /// Path from the root, as [`path_text`] writes it.
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

/// Lists the files below `root`; files above `max_size` bytes are left out, and directories with an ignore file that cannot
/// be read, which counts as [`Skip::Special`].
///
/// # Errors
/// When the root itself cannot be read, or an ignore file of it or above it.
pub fn scan(root: &Path, registry: &Registry, max_size: u64) -> Result<Scan> {
    std::fs::read_dir(root).map_err(|cause| Error::io(Kind::Path, "read", root, &cause))?;
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(8));
    ignore_files::check(root)?;
    let odd = Arc::<Mutex<Vec<PathBuf>>>::default();
    let found_odd = odd.clone();
    let mut walker = rules(root);
    walker.filter_entry(move |entry| match odd_in(entry) {
        None => true,
        Some(file) => {
            found_odd.lock().unwrap_or_else(PoisonError::into_inner).push(file);
            false
        }
    });
    let walker = walker.threads(threads).build_parallel();
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
    let mut scan = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    let odd = odd.lock().unwrap_or_else(PoisonError::into_inner);
    scan.skipped.extend(odd.iter().map(|file| (relative(root, file), Skip::Special)));
    scan.files.sort_unstable();
    scan.skipped.sort_unstable();
    Ok(scan)
}

/// Whether [`scan`] of `root` would come to this place below it: no ignore file and no leading dot hides it, and it is no link.
///
/// Price: only the directories on the way to it are listed.
pub fn sees(root: &Path, place: &Path) -> bool {
    let target = place.to_owned();
    if ignore_files::check(root).is_err() {
        return false;
    }
    let is_on_the_way = move |entry: &DirEntry| target.starts_with(entry.path()) && odd_in(entry).is_none();
    let walker = rules(root).filter_entry(is_on_the_way).build();
    walker.flatten().any(|entry| entry.path() == place && !entry.path_is_symlink())
}

/// An ignore file of a directory that cannot be read.
fn odd_in(entry: &DirEntry) -> Option<PathBuf> {
    entry.file_type().filter(std::fs::FileType::is_dir).and_then(|_| ignore_files::odd_in(entry.path()))
}

/// What ignore files and leading dots hide.
fn rules(root: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder.require_git(false).add_custom_ignore_filename(ignore_files::OWN);
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
        let mut all = self.into.lock().unwrap_or_else(PoisonError::into_inner);
        all.files.append(&mut self.found.files);
        all.skipped.append(&mut self.found.skipped);
    }
}

fn relative(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    path_text(below)
}

fn unreadable_path(root: &Path, cause: &ignore::Error) -> String {
    match cause {
        ignore::Error::WithPath { path, .. } => relative(root, path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => unreadable_path(root, err),
        other => other.to_string(),
    }
}
