//! A tree scanned again: directories that are as they were are not listed, their files are only looked at.
//!
//! ```text
//! known tree ──> a stat of each directory, rule file and file ──> same: done
//!                                                             └─> changed, or new below it: listed
//! ```
//! Law:     gives what a walk of the whole tree gives
//! Price:   a `stat` for each directory and file that is not hidden, by all threads
//! Departs: where a rule file changed, or many directories did, the whole tree is walked
//! Checked: `tests/scan.rs` against a walk, over random trees, rules and edits

use super::Skip;
use super::files::{Scan, rules, threads, walk};
use super::known::{KnownDirectory, KnownTree, joined};
use super::listing::{Lister, Listing};
use super::rule_files::rules_around;
use super::stamp::Stamp;
use crate::error::Result;
use crate::lang::Registry;
use crate::text::path_of;
use rustc_hash::FxHashSet;
use std::path::Path;

/// Fewer entries are looked at by one thread: starting another costs as much.
const ENTRIES_PER_THREAD: usize = 512;
/// So many changed directories are listed one by one in any case; above that, if they are fewer than one in
/// [`CHANGED_SHARE`] of all.
const FEW_CHANGED: usize = 32;
/// See [`FEW_CHANGED`]: one directory costs four times as much as in a walk, whose rules come with it.
const CHANGED_SHARE: usize = 8;

/// What the files below `root` are, and what the next call should be given as `known`; none if that is the same, or
/// nothing can be relied on. `scanned` is the time before the call, in nanoseconds since 1970.
///
/// # Errors
/// When the root itself cannot be read.
pub fn scan_again(
    root: &Path,
    registry: &Registry,
    max_size: u64,
    known: Option<&[u8]>,
    scanned: i64,
) -> Result<(Scan, Option<Vec<u8>>)> {
    let known = known.and_then(KnownTree::read).filter(|known| known.languages == registry.digest());
    let again = known.and_then(|known| Again { root, registry, max_size, known, scanned }.run());
    if let Some(found) = again {
        return Ok(found);
    }
    let walked = walk(root, registry, max_size)?;
    let bytes = walked.known(root, registry.digest(), scanned).and_then(|known| known.bytes());
    Ok((walked.scan, bytes))
}

struct Again<'a> {
    root: &'a Path,
    registry: &'a Registry,
    max_size: u64,
    known: KnownTree<'a>,
    scanned: i64,
}

/// What became of a known directory.
enum DirectoryFate {
    /// Its entries are as they were.
    Same,
    /// It is to be listed.
    Changed,
    Gone,
    /// A rule file in it changed.
    Ruled,
}

impl Again<'_> {
    /// None if the whole tree is to be walked.
    fn run(&self) -> Option<(Scan, Option<Vec<u8>>)> {
        let settled = self.known.around.iter().all(|rule| rule.is_same(self.known.scanned));
        if !settled || rules_around(self.root) != self.known.around {
            return None;
        }
        let (mut scan, fates) = self.look();
        if fates.iter().any(|fate| matches!(fate, DirectoryFate::Ruled)) {
            return None;
        }
        let changed = fates.iter().filter(|fate| matches!(fate, DirectoryFate::Changed)).count();
        if changed > FEW_CHANGED.max(fates.len() / CHANGED_SHARE) {
            return None;
        }
        let listings = self.list(&fates)?;
        scan.listed = listings.len();
        listings.iter().for_each(|listing| self.add(listing, &mut scan));
        scan.files.sort();
        scan.skipped.sort();
        let is_same = fates.iter().all(|fate| matches!(fate, DirectoryFate::Same));
        Some((scan, if is_same { None } else { self.renewed(&fates, &listings) }))
    }

    /// Looks at everything known, by several threads; gives the files of directories that are as they were.
    fn look(&self) -> (Scan, Vec<DirectoryFate>) {
        let directories = &self.known.directories;
        let entries: usize = directories.iter().map(|directory| directory.files.len() + 1).sum();
        let threads = threads().min(entries / ENTRIES_PER_THREAD).max(1);
        let parts = shared_out(directories, entries.div_ceil(threads));
        let look = |part: &[KnownDirectory<'_>]| {
            let mut scan = Scan::default();
            let fates = part.iter().map(|directory| self.look_at(directory, &mut scan)).collect::<Vec<DirectoryFate>>();
            (scan, fates)
        };
        let (mut scan, mut fates) = (Scan::default(), Vec::with_capacity(directories.len()));
        let mut join = |(part, of): (Scan, Vec<DirectoryFate>)| {
            scan.files.extend(part.files);
            scan.skipped.extend(part.skipped);
            fates.extend(of);
        };
        std::thread::scope(|scope| {
            let (first, others) = parts.split_first().map_or((&[][..], &[][..]), |(first, others)| (*first, others));
            let others: Vec<_> = others.iter().map(|part| scope.spawn(|| look(part))).collect();
            join(look(first));
            for other in others {
                match other.join() {
                    Ok(part) => join(part),
                    Err(cause) => std::panic::resume_unwind(cause),
                }
            }
        });
        (scan, fates)
    }

    fn look_at(&self, known: &KnownDirectory<'_>, scan: &mut Scan) -> DirectoryFate {
        let place = self.root.join(path_of(known.path));
        let Some(meta) = place.symlink_metadata().ok().filter(std::fs::Metadata::is_dir) else {
            return DirectoryFate::Gone;
        };
        if !known.rules.iter().all(|rule| rule.is_same(self.known.scanned)) {
            return DirectoryFate::Ruled;
        }
        let settled = known.stamp.filter(|stamp| stamp.is_settled_directory(self.known.scanned));
        if settled != Some(Stamp::of(&meta)) {
            return DirectoryFate::Changed;
        }
        let (files, skipped) = (scan.files.len(), scan.skipped.len());
        for name in &known.files {
            match place.join(path_of(name)).symlink_metadata() {
                Ok(meta) if meta.is_file() => scan.add(joined(known.path, name), Some(&meta), self.max_size),
                // It changed while it was looked at.
                _ => {
                    scan.files.truncate(files);
                    scan.skipped.truncate(skipped);
                    return DirectoryFate::Changed;
                }
            }
        }
        scan.skipped.extend(known.skipped.iter().map(|&(name, skip)| (joined(known.path, name), skip)));
        DirectoryFate::Same
    }

    /// Lists the changed directories and those that are new in them; none if a rule file changed with them.
    fn list(&self, fates: &[DirectoryFate]) -> Option<Vec<Listing>> {
        let mut lister = Lister::new(self.root, self.registry, &rules(self.root));
        let directories = &self.known.directories;
        let known: FxHashSet<&str> = directories.iter().map(|directory| directory.path).collect();
        let changed = directories.iter().zip(fates).filter(|(_, fate)| matches!(fate, DirectoryFate::Changed));
        let (mut listings, mut new) = (Vec::new(), Vec::new());
        for (directory, _) in changed {
            let mut listing = lister.list(directory.path)?;
            if listing.rules != directory.rules {
                return None;
            }
            new.extend(listing.directories.drain(..).filter(|path| !known.contains(path.as_str())));
            listings.push(listing);
        }
        while let Some(path) = new.pop() {
            let mut listing = lister.list(&path)?;
            new.append(&mut listing.directories);
            listings.push(listing);
        }
        Some(listings)
    }

    fn add(&self, listing: &Listing, scan: &mut Scan) {
        for name in &listing.files {
            let path = joined(&listing.path, name);
            let meta = self.root.join(path_of(&path)).symlink_metadata().ok();
            scan.add(path, meta.as_ref(), self.max_size);
        }
        for (name, skip) in &listing.skipped {
            let path = if name.is_empty() { listing.path.clone() } else { joined(&listing.path, name) };
            scan.skipped.push((path, *skip));
        }
    }

    /// What the next scan may rely on.
    fn renewed(&self, fates: &[DirectoryFate], listings: &[Listing]) -> Option<Vec<u8>> {
        let same = self.known.directories.iter().zip(fates).filter(|(_, fate)| matches!(fate, DirectoryFate::Same));
        let same = same.map(|(directory, _)| directory.clone());
        let mut directories: Vec<KnownDirectory<'_>> = same.chain(listings.iter().map(Listing::known)).collect();
        directories.sort_unstable_by_key(|directory| directory.path);
        let around = rules_around(self.root);
        KnownTree { languages: self.known.languages, scanned: self.scanned, around, directories }.bytes()
    }
}

impl Listing {
    fn known(&self) -> KnownDirectory<'_> {
        let skipped = self.skipped.iter().filter(|(name, _)| !name.is_empty());
        KnownDirectory {
            path: &self.path,
            stamp: self.stamp,
            rules: self.rules.clone(),
            files: self.files.iter().map(String::as_str).collect(),
            skipped: skipped.map(|(name, skip): &(String, Skip)| (name.as_str(), *skip)).collect(),
        }
    }
}

/// Runs of directories with about so many entries each.
fn shared_out<'d, 'a>(mut directories: &'d [KnownDirectory<'a>], entries: usize) -> Vec<&'d [KnownDirectory<'a>]> {
    let mut parts = Vec::new();
    while !directories.is_empty() {
        let mut held = 0;
        let more = directories.iter().take_while(|directory| {
            let is_first = held == 0;
            held += directory.files.len() + 1;
            is_first || held <= entries
        });
        let (part, rest) = directories.split_at(more.count());
        parts.push(part);
        directories = rest;
    }
    parts
}
