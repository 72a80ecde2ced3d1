//! The files below a root, in parallel, as `ripgrep` would see them: ignore files and hidden files count.
//!
//! Price: lists each directory that is not hidden, and a `stat` a file; [`super::again`] lists only what changed.

use super::Skip;
use super::ignore_files::{self, odd_in};
use super::known::{KnownDirectory, KnownTree};
use super::rule_files::{RuleFile, rules_around, rules_in};
use super::stamp::Stamp;
use crate::error::{Error, Kind, Result};
use crate::lang::Registry;
use crate::text::path_text;
use ignore::{DirEntry, WalkBuilder, WalkState};
use rustc_hash::FxHashMap;
use std::fs::{FileType, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A file worth reading.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScannedFile {
    /// Path from the root, as [`path_text`] writes it.
    pub path: String,
    /// What tells whether it changed.
    pub stamp: Stamp,
}

/// What lies below a root.
#[derive(Debug, Default)]
pub struct Scan {
    /// Files worth reading, in order of path.
    pub files: Vec<ScannedFile>,
    /// Files left out by name or kind, in order of path.
    pub skipped: Vec<(String, Skip)>,
    /// How many directories were listed to find them.
    pub listed: usize,
}

/// Lists the files below `root`; files above `max_size` bytes are left out, and directories with an ignore file that cannot
/// be read, which counts as [`Skip::Special`].
///
/// # Errors
/// When the root itself cannot be read, or an ignore file of it or above it.
pub fn scan(root: &Path, registry: &Registry, max_size: u64) -> Result<Scan> {
    Ok(walk(root, registry, max_size)?.scan)
}

/// What a walk came by.
#[derive(Default)]
pub(super) struct Walk {
    pub scan: Scan,
    directories: Vec<WalkedDirectory>,
}

struct WalkedDirectory {
    path: String,
    stamp: Option<Stamp>,
    rules: Vec<RuleFile>,
}

/// Lists the files below `root`, and the directories that hold them.
pub(super) fn walk(root: &Path, registry: &Registry, max_size: u64) -> Result<Walk> {
    std::fs::read_dir(root).map_err(|cause| Error::io(Kind::Path, "read", root, &cause))?;
    ignore_files::check(root)?;
    let odd = Arc::<Mutex<Vec<PathBuf>>>::default();
    let found_odd = odd.clone();
    let mut walker = rules(root);
    walker.filter_entry(move |entry| match odd_entry(entry) {
        None => true,
        Some(file) => {
            found_odd.lock().unwrap_or_else(PoisonError::into_inner).push(file);
            false
        }
    });
    let walker = walker.threads(threads()).build_parallel();
    let all = Mutex::new(Walk::default());
    walker.run(|| {
        let mut local = Local { into: &all, found: Walk::default() };
        Box::new(move |entry| {
            match entry {
                Ok(entry) => local.add(root, registry, max_size, &entry),
                Err(cause) => local.found.scan.skipped.push((unreadable_path(root, &cause), Skip::Unreadable)),
            }
            WalkState::Continue
        })
    });
    let mut walk = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    let odd = odd.lock().unwrap_or_else(PoisonError::into_inner);
    walk.scan.skipped.extend(odd.iter().map(|file| (relative(root, file), Skip::Special)));
    walk.scan.listed = walk.directories.len();
    walk.scan.files.sort_unstable();
    walk.scan.skipped.sort_unstable();
    walk.directories.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(walk)
}

/// Threads that look at files: the disk's answers, not the processor's work, are waited for.
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get().min(8))
}

impl Walk {
    /// What the next scan may rely on; none if some of it has no place in a tree of names.
    pub fn known(&self, root: &Path, languages: u64, scanned: i64) -> Option<KnownTree<'_>> {
        let mut directories: Vec<KnownDirectory<'_>> = self.directories.iter().map(WalkedDirectory::known).collect();
        let at: FxHashMap<&str, usize> = directories.iter().map(|directory| directory.path).zip(0..).collect();
        for file in &self.scan.files {
            let (around, name) = split(&file.path);
            directories[*at.get(around)?].files.push(name);
        }
        for (path, reason) in &self.scan.skipped {
            if let Some(&unreadable) = at.get(path.as_str()) {
                directories[unreadable].stamp = None;
                continue;
            }
            let (around, name) = split(path);
            let directory = &mut directories[*at.get(around)?];
            match reason {
                Skip::Link | Skip::Special | Skip::Data => directory.skipped.push((name, *reason)),
                // Only a look at the file says so, and the next may say otherwise.
                _ => directory.files.push(name),
            }
        }
        Some(KnownTree { languages, scanned, around: rules_around(root), directories })
    }
}

impl WalkedDirectory {
    fn known(&self) -> KnownDirectory<'_> {
        let (stamp, rules) = (self.stamp, self.rules.clone());
        KnownDirectory { path: &self.path, stamp, rules, files: Vec::new(), skipped: Vec::new() }
    }
}

/// A path's directory (empty for the root), and the name in it.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Whether [`scan`] of `root` would come to this place below it: no ignore file and no leading dot hides it, and it is no link.
///
/// Price: only the directories on the way to it are listed.
pub fn sees(root: &Path, place: &Path) -> bool {
    let target = place.to_owned();
    if ignore_files::check(root).is_err() {
        return false;
    }
    let is_on_the_way = move |entry: &DirEntry| target.starts_with(entry.path()) && odd_entry(entry).is_none();
    let walker = rules(root).filter_entry(is_on_the_way).build();
    walker.flatten().any(|entry| entry.path() == place && !entry.path_is_symlink())
}

/// An ignore file of a directory that cannot be read.
fn odd_entry(entry: &DirEntry) -> Option<PathBuf> {
    entry.file_type().filter(std::fs::FileType::is_dir).and_then(|_| odd_in(entry.path()))
}

/// What ignore files and leading dots hide.
pub(super) fn rules(root: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder.require_git(false).add_custom_ignore_filename(ignore_files::OWN);
    builder
}

/// Why a file of this kind and name is left out without a look at it.
pub(super) fn kind_of(kind: FileType, name: &str, registry: &Registry) -> Option<Skip> {
    if kind.is_symlink() {
        Some(Skip::Link)
    } else if !kind.is_file() {
        Some(Skip::Special)
    } else if registry.is_data(name) {
        Some(Skip::Data)
    } else {
        None
    }
}

impl Scan {
    /// Adds what a look at a file says, if it could be had.
    pub(super) fn add(&mut self, path: String, meta: Option<&Metadata>, max_size: u64) {
        match meta {
            Some(meta) if meta.len() > max_size => self.skipped.push((path, Skip::Oversized)),
            Some(meta) => {
                self.files.push(ScannedFile { path, stamp: Stamp::of(meta) });
            }
            None => self.skipped.push((path, Skip::Unreadable)),
        }
    }
}

/// One thread's findings, handed over when the thread is done.
struct Local<'a> {
    into: &'a Mutex<Walk>,
    found: Walk,
}

impl Local<'_> {
    fn add(&mut self, root: &Path, registry: &Registry, max_size: u64, entry: &DirEntry) {
        let Some(kind) = entry.file_type() else { return };
        let path = relative(root, entry.path());
        if kind.is_dir() {
            // The time may be that of a change after the entries were read; then it is not settled.
            let stamp = entry.path().symlink_metadata().ok().as_ref().map(Stamp::of);
            return self.found.directories.push(WalkedDirectory { path, stamp, rules: rules_in(entry.path()) });
        }
        match kind_of(kind, &entry.file_name().to_string_lossy(), registry) {
            Some(skip) => self.found.scan.skipped.push((path, skip)),
            None => self.found.scan.add(path, entry.metadata().ok().as_ref(), max_size),
        }
    }
}

impl Drop for Local<'_> {
    fn drop(&mut self) {
        let mut all = self.into.lock().unwrap_or_else(PoisonError::into_inner);
        all.scan.files.append(&mut self.found.scan.files);
        all.scan.skipped.append(&mut self.found.scan.skipped);
        all.directories.append(&mut self.found.directories);
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
