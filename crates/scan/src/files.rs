//! Lists the files below a root in parallel, as `ripgrep` does: it respects ignore files and skips
//! hidden files.
//!
//! **Cost:** lists each directory that is not hidden, and needs a `stat` for each file.
//! [`super::rescan`] lists only changed directories.

use super::Skip;
use super::checkout::Checkouts;
use super::failure::{is_not_found, machine_failure, readable};
use super::ignore_files::IgnorePaths;
use super::known::{KnownTree, UnusableRules, joined};
use super::listing::{Listing, RawListing, root_above};
use super::root::root_around;
use super::rule_files::{RuleFile, rules_around};
use super::rule_text::Unusable;
use super::rules::{RuleBudget, RuleBuilder, Rules, Visibility};
use super::stamp::Stamp;
use super::tracked::KnownIndex;
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use whichfn_syntax::lang::Registry;
use whichfn_syntax::parse::is_notebook;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::threads;
use whichfn_text::{path_from_text, path_text};

/// Number of directories that one thread lists by itself. For fewer directories, starting a second
/// thread costs more than it saves.
const DIRECTORIES_PER_THREAD: usize = 16;

/// Factor by which a notebook may exceed the maximum size of a file, because most of its bytes are
/// usually outputs.
const NOTEBOOK_SIZE: u64 = 4;

/// A file worth indexing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScannedFile {
    /// Path from the root, in the format of [`whichfn_text::path_text`].
    pub path: String,
    /// Metadata that shows whether the file changed.
    pub stamp: Stamp,
}

/// The result of a scan: the files below a root.
#[derive(Debug, Default)]
pub struct Scan {
    /// Files worth indexing, sorted by path.
    pub files: Vec<ScannedFile>,
    /// Files that were skipped because of their name or kind, with the reason, sorted by path.
    pub skipped: Vec<(String, Skip)>,
    /// Number of directories that the scan listed.
    pub listed: usize,
    /// Notices about the user's own ignore files that cannot be used.
    pub notices: Vec<String>,
    /// Paths of the unusable ignore files, each of which causes its directory to be skipped.
    pub left_out: Vec<String>,
}

/// Lists the files below `root`. It skips files larger than `max_size` bytes, and directories with
/// an ignore file that cannot be used, which count as [`Skip::Special`].
///
/// # Errors
/// Returns an error if the root itself cannot be read, if an ignore file in the root or above it
/// cannot be used, or if the machine failed.
pub fn scan(root: &Path, registry: &Registry, max_size: u64) -> Result<Scan> {
    Ok(walk(root, registry, max_size)?.scan)
}

/// The result of a walk, including the data for the next scan.
#[derive(Default)]
pub(super) struct Walk {
    pub scan: Scan,
    listings: Vec<Listing>,
    unusable: Vec<UnusableRules>,
    indexes: Vec<KnownIndex>,
}

/// A directory with many files outside a repository: probably a folder of repositories, or of
/// everything else that a user has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargeFolder {
    /// Paths of the repositories in the uppermost directories, sorted.
    pub repositories: Vec<String>,
}

/// Checks whether a directory is in no repository and contains more than `most` files.
///
/// **Cost:** lists directories until it has found so many files.
///
/// # Errors
/// Returns an error in the same cases as [`scan`].
pub fn large_folder(root: &Path, registry: &Registry, max_size: u64, most: usize) -> Result<Option<LargeFolder>> {
    if root_around(root).is_some() {
        return Ok(None);
    }
    let walked = walk_until(root, registry, max_size, |walk| walk.scan.files.len() > most)?;
    if walked.scan.files.len() <= most {
        return Ok(None);
    }
    let is_repository = |path: &&String| root_around(&root.join(path_from_text(path))).is_some();
    let mut paths: Vec<&String> = walked.listings.iter().flat_map(|listing| &listing.directories).collect();
    paths.sort();
    let mut repositories: Vec<String> = Vec::new();
    for path in paths.into_iter().filter(is_repository) {
        let is_below = |top: &String| path.strip_prefix(&**top).is_some_and(|rest| rest.starts_with('/'));
        if !repositories.iter().any(is_below) {
            repositories.push(path.clone());
        }
    }
    Ok(Some(LargeFolder { repositories }))
}

/// Lists the files below `root` and the directories that contain them.
pub(super) fn walk(root: &Path, registry: &Registry, max_size: u64) -> Result<Walk> {
    walk_until(root, registry, max_size, |_| false)
}

/// Lists files until the condition is true after a level of directories.
fn walk_until(root: &Path, registry: &Registry, max_size: u64, is_enough: impl Fn(&Walk) -> bool) -> Result<Walk> {
    std::fs::read_dir(root).map_err(|cause| root_error(root, &cause))?;
    let mut budget = RuleBudget::default();
    let builder = RuleBuilder::default();
    let (around, notices) = builder.for_root(&absolute(root), &mut budget).map_err(Unusable::into_error)?;
    let walker = Walker { root, registry, max_size, builder, checkouts: Checkouts::new(absolute(root)) };
    let mut walk = Walk::default();
    let mut level = vec![(String::new(), around)];
    // Level by level, so that the same ignore files fit into the budget regardless of the speed of
    // threads.
    while !level.is_empty() && !is_enough(&walk) {
        level = walker.list_level(level, &mut budget, &mut walk)?;
    }
    walk.indexes = walker.builder.known_indexes()?;
    walk.scan.notices = notices;
    walk.scan.left_out = walk.unusable.iter().map(|unusable| unusable.path.clone()).collect();
    walk.scan.listed = walk.listings.len();
    walk.scan.files.sort_unstable();
    walk.scan.skipped.sort_unstable();
    walk.listings.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(walk)
}

/// Path of a directory to list, and the rules of its parent.
type ToList = (String, Arc<Rules>);

struct Walker<'a> {
    root: &'a Path,
    registry: &'a Registry,
    max_size: u64,
    builder: RuleBuilder,
    checkouts: Checkouts,
}

impl Walker<'_> {
    /// Lists the directories of one level of the tree, and returns their subdirectories, sorted by
    /// path.
    fn list_level(&self, level: Vec<ToList>, budget: &mut RuleBudget, walk: &mut Walk) -> Result<Vec<ToList>> {
        let raw = in_parallel(&level, |(path, _)| RawListing::read(self.root, path))?;
        let mut usable = Vec::with_capacity(raw.len());
        for (raw, (_, above)) in raw.into_iter().zip(&level) {
            let Some(mut raw) = raw else { continue };
            let rules_result = match raw.unusable.take() {
                Some(unusable) => Err(unusable),
                None => budget.charge(&raw.paths, &raw.texts),
            };
            match rules_result {
                Ok(()) => usable.push((raw, above)),
                Err(cause) => walk.skip_directory(self.root, &raw.path, cause)?,
            }
        }
        let listed = in_parallel(&usable, |(raw, above)| self.list(raw, above))?;
        let mut next = Vec::new();
        for ((raw, _), listed) in usable.iter().zip(listed) {
            let (listing, rules, mut scan) = match listed {
                Ok(listed) => listed,
                Err(cause) => {
                    walk.skip_directory(self.root, &raw.path, cause)?;
                    continue;
                }
            };
            next.extend(listing.directories.iter().map(|path| (path.clone(), listing.rules_below(path, &rules))));
            walk.scan.files.append(&mut scan.files);
            walk.scan.skipped.append(&mut scan.skipped);
            walk.listings.push(listing);
        }
        next.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        Ok(next)
    }

    /// Returns a directory's entries, the rules for them, and its files; or the ignore file that
    /// cannot be used.
    #[allow(clippy::type_complexity)] // two kinds of failure
    fn list(
        &self,
        raw: &RawListing,
        above: &Arc<Rules>,
    ) -> Result<std::result::Result<(Listing, Arc<Rules>, Scan), Unusable>> {
        let rules = match self.builder.for_directory(above, &path_from_text(&raw.path), &raw.paths, &raw.texts) {
            Ok(rules) => rules,
            Err(cause) => return Ok(Err(cause)),
        };
        let listing = raw.apply(&rules, self.registry, &self.checkouts)?;
        let mut scan = Scan::default();
        scan.add_listing(self.root, &listing, self.max_size)?;
        Ok(Ok((listing, rules, scan)))
    }
}

/// Applies a fallible step to each item, in parallel if there are many items.
fn in_parallel<T: Sync, R: Send>(items: &[T], step: impl Fn(&T) -> Result<R> + Sync) -> Result<Vec<R>> {
    threads::map(items, max_threads(), DIRECTORIES_PER_THREAD, step).into_iter().collect()
}

/// Returns the maximum number of threads that read metadata. They wait for the disk and not for the
/// processor.
pub(super) fn max_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get().min(8))
}

/// Returns the error for a root that cannot be listed.
fn root_error(root: &Path, cause: &std::io::Error) -> Error {
    machine_failure(root, cause).unwrap_or_else(|| Error::io(Kind::Path, "read", root, cause))
}

/// Returns the absolute path of a root, which the rules above the root need.
pub(super) fn absolute(root: &Path) -> PathBuf {
    root.canonicalize().unwrap_or_else(|_| root.to_owned())
}

impl Walk {
    /// Skips a directory because its ignore file cannot be used.
    fn skip_directory(&mut self, root: &Path, directory: &str, cause: Unusable) -> Result<()> {
        let (file, watched) = match cause {
            Unusable::Invalid(file) if !directory.is_empty() => (file.clone(), RuleFile::read(file)?),
            Unusable::Busy(file) if !directory.is_empty() => (file.clone(), RuleFile::unsettled(file)),
            cause => return Err(cause.into_error()),
        };
        let below =
            file.strip_prefix(root).ok().filter(|below| below.components().all(|c| matches!(c, Component::Normal(_))));
        let path = below.map_or_else(|| joined(directory, ".git"), path_text);
        self.scan.skipped.push((path.clone(), Skip::Special));
        self.unusable.push(UnusableRules { path, file: watched });
        Ok(())
    }

    /// Returns the tree that the next scan needs.
    pub fn known(&self, root: &Path, languages: u64, scanned: i64) -> Result<KnownTree<'_>> {
        let directories = self.listings.iter().map(Listing::to_known).collect();
        let (around, _) = rules_around(&absolute(root))?;
        Ok(KnownTree {
            languages,
            scanned,
            around,
            directories,
            unusable: self.unusable.clone(),
            indexes: self.indexes.clone(),
        })
    }
}

/// Checks whether [`scan`] of `root` would find the file at this path: the path is below the root,
/// no ignore file or leading dot hides it, and no part of it is a link.
///
/// **Cost:** reads only the directories on the path.
pub fn is_scanned(root: &Path, path: &Path) -> bool {
    is_scanned_or_unusable(root, path, false).unwrap_or(false)
}

/// Checks the same as [`is_scanned`], but a leading dot does not hide the file.
pub(super) fn is_scanned_or_hidden(root: &Path, path: &Path) -> bool {
    is_scanned_or_unusable(root, path, true).unwrap_or(false)
}

fn is_scanned_or_unusable(root: &Path, path: &Path, shows_hidden: bool) -> std::result::Result<bool, Unusable> {
    let Ok(below) = path.strip_prefix(root) else { return Ok(false) };
    let (builder, mut budget) = (RuleBuilder::default(), RuleBudget::default());
    let (mut rules, _) = builder.for_root(&absolute(root), &mut budget)?;
    let checkouts = Checkouts::new(absolute(root));
    let mut directory = PathBuf::new();
    for part in below.components() {
        let Component::Normal(name) = part else { return Ok(false) };
        let at = root.join(&directory);
        if !directory.as_os_str().is_empty() && checkouts.is_other(&directory).0 {
            return Ok(false);
        }
        let rules_root = root_above(root, &directory);
        let paths = IgnorePaths::find(&at, rules_root, |_| true)?;
        let texts = paths.texts(rules_root)?;
        budget.charge(&paths, &texts)?;
        rules = builder.for_directory(&rules, &directory, &paths, &texts)?;
        let Ok(meta) = at.join(name).symlink_metadata() else { return Ok(false) };
        directory.push(name);
        let is_last = directory == below;
        let visibility = rules.visibility(&directory, name, meta.is_dir(), shows_hidden);
        if meta.is_symlink() || (!is_last && !meta.is_dir()) || visibility == Visibility::Hidden {
            return Ok(false);
        }
        if visibility == Visibility::OnlyTracked {
            rules = rules.for_tracked(&directory);
        }
    }
    Ok(true)
}

impl Scan {
    /// Returns warnings to show with the answer: the user's ignore files that cannot be used, and
    /// the directories that were skipped.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.notices.clone();
        if let Some(first) = self.left_out.first() {
            let count = self.left_out.len();
            let directories = if count == 1 { "1 directory is" } else { &format!("{count} directories are") };
            warnings.push(format!(
                "{directories} skipped because of ignore files that cannot be used, such as {first}: each must be a \
                 regular file, and all of them together must stay within a limit (see docs/limits.md)"
            ));
        }
        warnings
    }

    /// Adds the files of one directory, after reading the metadata of each.
    pub(super) fn add_listing(&mut self, root: &Path, listing: &Listing, max_size: u64) -> Result<()> {
        for name in &listing.files {
            let path = joined(&listing.path, name);
            let full_path = root.join(path_from_text(&path));
            match full_path.symlink_metadata() {
                Err(cause) if is_not_found(&cause) => {}
                found => self.add(path, readable(&full_path, found)?.as_ref(), max_size),
            }
        }
        for (name, skip) in &listing.skipped {
            self.skipped.push((joined(&listing.path, name), *skip));
        }
        Ok(())
    }

    /// Adds a file with its metadata. A file without metadata counts as unreadable.
    pub(super) fn add(&mut self, path: String, meta: Option<&Metadata>, max_size: u64) {
        let max_size = if is_notebook(&path) { max_size.saturating_mul(NOTEBOOK_SIZE) } else { max_size };
        match meta {
            Some(meta) if meta.len() > max_size => self.skipped.push((path, Skip::Oversized)),
            Some(meta) => self.files.push(ScannedFile { path, stamp: Stamp::from_metadata(meta) }),
            None => self.skipped.push((path, Skip::Unreadable)),
        }
    }
}
