//! Scans a tree again. Unchanged directories are not listed; only the metadata of their files is
//! read.
//!
//! ```text
//! known tree ──> a stat of each directory, rule file and file ──> same: done
//!                                                             └─> changed, or new below it: listed
//! ```
//!
//! **Invariant:** the result equals the result of walking the whole tree.
//!
//! **Cost:** a `stat` for each directory and file that is not hidden, spread over all threads.
//!
//! If a rule file changed, or if many directories changed, the whole tree is walked.
//!
//! **Tested by:** `tests/scan.rs`, against a walk, on random trees, rules and edits.

use super::Skip;
use super::checkout::Checkouts;
use super::failure::readable;
use super::files::{Scan, absolute, max_threads, walk};
use super::ignore_files::IgnorePaths;
use super::known::{KnownDirectory, KnownTree, joined};
use super::listing::{Listing, RawListing, root_above};
use super::rule_files::{RuleFile, rules_around};
use super::rules::{RuleBudget, RuleBuilder, Rules, Visibility};
use super::stamp::Stamp;
use super::tracked::KnownIndex;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::Result;
use whichfn_system::threads;
use whichfn_text::path_from_text;

/// Number of entries that one thread checks by itself. For fewer entries, starting a second thread
/// costs more than it saves.
const ENTRIES_PER_THREAD: usize = 512;
/// Number of changed directories up to which they are always listed one by one. A larger number is
/// listed one by one only if it is less than one in [`CHANGED_SHARE`] of all directories.
const FEW_CHANGED: usize = 32;
/// See [`FEW_CHANGED`]. Listing a single directory costs four times as much as in a walk, which has
/// already loaded the directory's rules.
const CHANGED_SHARE: usize = 8;

/// Returns the files below `root`, and the bytes to pass as `known` to the next call. The bytes are
/// `None` if they are unchanged, or if the next call must walk the whole tree. `scanned` is the
/// time before the call, in nanoseconds since 1970.
///
/// # Errors
/// Returns an error in the same cases as [`super::scan`].
pub fn scan_again(
    root: &Path,
    registry: &Registry,
    max_size: u64,
    known: Option<&[u8]>,
    scanned: i64,
) -> Result<(Scan, Option<Vec<u8>>)> {
    let known = known.and_then(KnownTree::read).filter(|known| known.languages == registry.digest());
    if let Some(known) = known
        && let Some(found) = (Rescan { root, registry, max_size, known, scanned }).run()?
    {
        return Ok(found);
    }
    let walked = walk(root, registry, max_size)?;
    let bytes = walked.known(root, registry.digest(), scanned)?.bytes();
    Ok((walked.scan, bytes))
}

struct Rescan<'a> {
    root: &'a Path,
    registry: &'a Registry,
    max_size: u64,
    known: KnownTree<'a>,
    scanned: i64,
}

/// The state of a known directory in a later scan.
enum DirectoryFate {
    /// The directory's entries are unchanged.
    Same,
    /// The directory changed and must be listed.
    Changed,
    Deleted,
    /// A rule file in the directory changed.
    RulesChanged,
}

impl Rescan<'_> {
    /// Scans the tree with the known directories. Returns `None` if the whole tree must be walked.
    fn run(&self) -> Result<Option<(Scan, Option<Vec<u8>>)>> {
        let watched = self.known.around.iter().chain(self.known.unusable.iter().map(|unusable| &unusable.file));
        let (around, notices) = rules_around(&absolute(self.root))?;
        if !are_unchanged(watched, self.known.scanned)? || around != self.known.around {
            return Ok(None);
        }
        let indexes = self.known.indexes.iter().map(|index| index.restamped(self.known.scanned));
        let Some(indexes) = indexes.collect::<Result<Option<Vec<KnownIndex>>>>()? else { return Ok(None) };
        let (mut scan, fates) = self.check_directories()?;
        if fates.iter().any(|fate| matches!(fate, DirectoryFate::RulesChanged)) {
            return Ok(None);
        }
        let is_same = fates.iter().all(|fate| matches!(fate, DirectoryFate::Same));
        let changed = fates.iter().filter(|fate| matches!(fate, DirectoryFate::Changed)).count();
        // After a change, the rule budget may suffice for a directory that was skipped before.
        if changed > FEW_CHANGED.max(fates.len() / CHANGED_SHARE) || (!is_same && !self.known.unusable.is_empty()) {
            return Ok(None);
        }
        let Some((listings, new_indexes)) = self.list(&fates)? else { return Ok(None) };
        scan.listed = listings.len();
        for listing in &listings {
            scan.add_listing(self.root, listing, self.max_size)?;
        }
        scan.skipped.extend(self.known.unusable.iter().map(|unusable| (unusable.path.clone(), Skip::Special)));
        scan.notices = notices;
        scan.left_out = self.known.unusable.iter().map(|unusable| unusable.path.clone()).collect();
        scan.files.sort();
        scan.skipped.sort();
        if is_same && indexes == self.known.indexes {
            return Ok(Some((scan, None)));
        }
        let indexes = joined_indexes(indexes, new_indexes);
        Ok(Some((scan, self.updated_tree(&fates, &listings, indexes)?)))
    }

    /// Checks all known directories in parallel. Returns the files of the unchanged directories,
    /// and the state of each directory.
    fn check_directories(&self) -> Result<(Scan, Vec<DirectoryFate>)> {
        let directories = &self.known.directories;
        let entries: usize = directories.iter().map(|directory| directory.files.len() + 1).sum();
        let threads = max_threads().min(entries / ENTRIES_PER_THREAD).max(1);
        let parts = split_evenly(directories, entries.div_ceil(threads));
        let checked = threads::map(&parts, threads, 1, |part: &&[KnownDirectory<'_>]| {
            let mut scan = Scan::default();
            let fates: Result<Vec<DirectoryFate>> =
                part.iter().map(|directory| self.check_directory(directory, &mut scan)).collect();
            Ok((scan, fates?))
        });
        let (mut scan, mut fates) = (Scan::default(), Vec::with_capacity(directories.len()));
        for checked in checked {
            let (part, part_fates): (Scan, Vec<DirectoryFate>) = checked?;
            scan.files.extend(part.files);
            scan.skipped.extend(part.skipped);
            fates.extend(part_fates);
        }
        Ok((scan, fates))
    }

    fn check_directory(&self, known: &KnownDirectory<'_>, scan: &mut Scan) -> Result<DirectoryFate> {
        let full_path = self.root.join(path_from_text(known.path));
        let meta = readable(&full_path, full_path.symlink_metadata())?;
        let Some(meta) = meta.filter(std::fs::Metadata::is_dir) else {
            return Ok(DirectoryFate::Deleted);
        };
        if !are_unchanged(known.rules.iter(), self.known.scanned)? {
            return Ok(DirectoryFate::RulesChanged);
        }
        let settled = known.stamp.filter(|stamp| stamp.is_settled_directory(self.known.scanned));
        if settled != Some(Stamp::from_metadata(&meta)) {
            return Ok(DirectoryFate::Changed);
        }
        let (files, skipped) = (scan.files.len(), scan.skipped.len());
        for name in &known.files {
            let full_path = full_path.join(path_from_text(name));
            match readable(&full_path, full_path.symlink_metadata())? {
                Some(meta) if meta.is_file() => scan.add(joined(known.path, name), Some(&meta), self.max_size),
                // The entry changed during the check.
                _ => {
                    scan.files.truncate(files);
                    scan.skipped.truncate(skipped);
                    return Ok(DirectoryFate::Changed);
                }
            }
        }
        scan.skipped.extend(known.skipped.iter().map(|&(name, skip)| (joined(known.path, name), skip)));
        Ok(DirectoryFate::Same)
    }

    /// Lists the changed directories and the new directories in them, and returns git's indexes that
    /// were needed for them. Returns `None` if a rule file in them changed or cannot be used.
    fn list(&self, fates: &[DirectoryFate]) -> Result<Option<(Vec<Listing>, Vec<KnownIndex>)>> {
        let directories = &self.known.directories;
        let known: FxHashMap<&str, &KnownDirectory<'_>> =
            directories.iter().map(|directory| (directory.path, directory)).collect();
        let changed = directories.iter().zip(fates).filter(|(_, fate)| matches!(fate, DirectoryFate::Changed));
        let mut pending: Vec<String> = changed.map(|(directory, _)| directory.path.to_owned()).collect();
        let mut listings = Vec::new();
        if pending.is_empty() {
            return Ok(Some((listings, Vec::new())));
        }
        let checkouts = Checkouts::new(absolute(self.root));
        let Some(mut lister) = DirectoryLister::new(self.root) else { return Ok(None) };
        while let Some(path) = pending.pop() {
            let Some(raw) = RawListing::read(self.root, &path)? else { return Ok(None) };
            let Some(rules) = lister.rules(&raw.path) else { return Ok(None) };
            let listing = raw.apply(&rules, self.registry, &checkouts)?;
            // New rules may exceed the budget, which only a walk can determine.
            let previous_rules = known.get(&*path).map_or(&[][..], |directory| &directory.rules);
            if raw.unusable.is_some() || listing.rules != previous_rules {
                return Ok(None);
            }
            pending.extend(listing.directories.iter().filter(|path| !known.contains_key(path.as_str())).cloned());
            listings.push(listing);
        }
        Ok(Some((listings, lister.builder.known_indexes()?)))
    }

    /// Returns the serialized tree for the next scan.
    fn updated_tree(
        &self,
        fates: &[DirectoryFate],
        listings: &[Listing],
        indexes: Vec<KnownIndex>,
    ) -> Result<Option<Vec<u8>>> {
        let same = self.known.directories.iter().zip(fates).filter(|(_, fate)| matches!(fate, DirectoryFate::Same));
        let same = same.map(|(directory, _)| directory.clone());
        let mut directories: Vec<KnownDirectory<'_>> = same.chain(listings.iter().map(Listing::to_known)).collect();
        directories.sort_unstable_by_key(|directory| directory.path);
        let (around, _) = rules_around(&absolute(self.root))?;
        let (languages, unusable) = (self.known.languages, self.known.unusable.clone());
        Ok(KnownTree { languages, scanned: self.scanned, around, directories, unusable, indexes }.bytes())
    }
}

/// Adds the indexes that were needed for the first time.
fn joined_indexes(mut known: Vec<KnownIndex>, new: Vec<KnownIndex>) -> Vec<KnownIndex> {
    let is_new = |index: &KnownIndex| known.iter().all(|known| known.file.path() != index.file.path());
    let new: Vec<KnownIndex> = new.into_iter().filter(is_new).collect();
    known.extend(new);
    known.sort_by(|a, b| a.file.path().cmp(b.file.path()));
    known
}

/// Checks whether all rule files are unchanged since the time `scanned`.
fn are_unchanged<'a>(mut rules: impl Iterator<Item = &'a RuleFile>, scanned: i64) -> Result<bool> {
    rules.try_fold(true, |same, rule| Ok(same && rule.is_same(scanned)?))
}

/// Loads the rules of single directories, each directory once.
struct DirectoryLister<'a> {
    root: &'a Path,
    builder: RuleBuilder,
    loaded: FxHashMap<PathBuf, Arc<Rules>>,
    around: Arc<Rules>,
}

impl<'a> DirectoryLister<'a> {
    /// Returns `None` if a rule file above the root cannot be used. A walk then reports the reason.
    fn new(root: &'a Path) -> Option<Self> {
        let builder = RuleBuilder::default();
        let around = builder.for_root(&absolute(root), &mut RuleBudget::default()).ok()?.0;
        Some(Self { root, builder, loaded: FxHashMap::default(), around })
    }

    /// Returns the rules for the entries of a directory, or `None` if a rule file cannot be used.
    fn rules(&mut self, directory: &str) -> Option<Arc<Rules>> {
        let directory = path_from_text(directory);
        let mut rules = self.around.clone();
        let mut ancestors: Vec<&Path> = directory.ancestors().collect();
        ancestors.reverse();
        for ancestor in ancestors {
            if let Some(loaded) = self.loaded.get(ancestor) {
                rules = loaded.clone();
                continue;
            }
            // The rules above determine whether only tracked files of the directory are shown.
            if let Some(name) = ancestor.file_name()
                && rules.visibility(ancestor, name, true, false) == Visibility::OnlyTracked
            {
                rules = rules.for_tracked(ancestor);
            }
            let rules_root = root_above(self.root, ancestor);
            let paths = IgnorePaths::find(&self.root.join(ancestor), rules_root, |_| true).ok()?;
            rules = self.builder.for_directory(&rules, ancestor, &paths, &paths.texts(rules_root).ok()?).ok()?;
            self.loaded.insert(ancestor.to_owned(), rules.clone());
        }
        Some(rules)
    }
}

/// Splits directories into groups of consecutive directories, with about `entries` entries per
/// group.
fn split_evenly<'d, 'a>(mut directories: &'d [KnownDirectory<'a>], entries: usize) -> Vec<&'d [KnownDirectory<'a>]> {
    let mut parts = Vec::new();
    while !directories.is_empty() {
        let mut count = 0;
        let more = directories.iter().take_while(|directory| {
            let is_first = count == 0;
            count += directory.files.len() + 1;
            is_first || count <= entries
        });
        let (part, rest) = directories.split_at(more.count());
        parts.push(part);
        directories = rest;
    }
    parts
}
