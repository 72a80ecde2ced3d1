//! Updates the index of a repository, whatever state it is in. This is the only entry point for
//! updates.

use super::files::PreviousGeneration;
use super::lock::{ProgressForwarder, lock};
use super::partial::{self, StagedBuild};
use super::plan::{RefreshPlan, RefreshStep};
use super::progress::Progress;
use super::sibling::sibling;
use super::write::Build;
use crate::embed::Choice;
use crate::store::{
    Damaged, Fingerprint, Freshness, Generation, Layout, Manifest, SkipRecord, WriteLock, catch_damaged,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use whichfn_scan::{Scan, Skip, checkout_digests, large_folder, nanoseconds_since_epoch, scan_again};
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_system::threads;
use whichfn_text::path_from_text;

/// Options of a refresh.
#[derive(Debug, Clone)]
pub struct Options {
    /// Maximum size of a file in bytes. Larger files are skipped.
    pub max_size: u64,
    /// True to build the index from scratch, even if it is up to date.
    pub force: bool,
    /// True to read every file and the whole index, without trusting times and sizes.
    pub verify: bool,
    /// True to require an index that matches the current files. The refresh then waits for another
    /// writer, and fails if the index cannot be written. Otherwise, it may use the old index, with
    /// a notice.
    pub newest: bool,
    /// Model that embeds the functions, if any.
    pub embed: Option<Choice>,
    /// Languages that the user assigns to files, indexed by globs over paths from the root.
    pub languages: BTreeMap<String, String>,
    /// True to build the first index of the directory without a question, even if it is in no
    /// repository and contains many files.
    pub requested: bool,
}

/// Number of files above which a directory outside a repository is indexed only on request.
const MOST_UNREQUESTED: usize = 5_000;

impl Default for Options {
    /// Returns the default options. The default of `max_size` is 1 MiB (SPEC section 2).
    fn default() -> Self {
        Self {
            max_size: 1 << 20,
            force: false,
            verify: false,
            newest: true,
            embed: None,
            languages: BTreeMap::new(),
            requested: true,
        }
    }
}

/// The result of a refresh.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Number of files that were read and parsed.
    pub parsed: usize,
    /// True if the index was built from scratch.
    pub built: bool,
    /// Root of the checkout whose index this one was copied from.
    pub taken_from: Option<PathBuf>,
    /// True if a file of the index was damaged, and the index was therefore built from scratch.
    pub damaged: bool,
    /// Paths of files whose content changed although the file system reports no change. Only a
    /// refresh with `verify` detects such files.
    pub differing: Vec<String>,
    /// Paths of files that are skipped because of their size since this refresh.
    pub oversized: Vec<String>,
    /// Number of functions that were newly embedded.
    pub embedded: usize,
    /// Duration of the refresh.
    pub elapsed: Duration,
}

/// Opens the index of the repository at `root`, and builds or refreshes it as needed.
///
/// # Errors
/// Returns an error if the root cannot be read, if the index folder belongs to another user, or if
/// the index cannot be written.
pub fn refresh(
    root: &Path,
    layout: &Layout,
    registry: &Registry,
    options: &Options,
    progress: &dyn Progress,
) -> Result<(Generation, Report)> {
    let started = Instant::now();
    progress.looking();
    threads::start_pool()?;
    layout.check_owner()?;
    if !options.requested && layout.current().is_none() {
        confirm_large_folder(root, registry, options, progress)?;
    }
    let fingerprint = Fingerprint::new(registry.digest(), options.max_size);
    // Read before the scan, so that a file that changes during the scan counts as changed.
    let scanned = nanoseconds_since_epoch(SystemTime::now());
    // With `force` or `verify`, the tree of the last scan is not trusted.
    let trusts_file_system = !options.force && !options.verify;
    let known = || layout.tree().filter(|_| trusts_file_system);
    let (found, opened) = rayon::join(
        || scan_again(root, registry, options.max_size, known().as_deref(), scanned),
        || Generation::open(layout, &fingerprint),
    );
    let (found, left) = &found?;
    tracing::debug!(files = found.files.len(), listed = found.listed, "scanned");
    found.warnings().iter().for_each(|line| progress.notice(line));
    let run = RefreshRun { root, layout, registry, options, progress, fingerprint, found, scanned };
    let (generation, report) = run.refresh(opened)?;
    left.iter().for_each(|tree| layout.write_tree(root, tree));
    Ok((generation, Report { elapsed: started.elapsed(), ..report }))
}

/// Asks before the first index of a directory with many files that is in no repository: the user may
/// have started the program in the wrong directory.
fn confirm_large_folder(root: &Path, registry: &Registry, options: &Options, progress: &dyn Progress) -> Result<()> {
    let Some(large) = large_folder(root, registry, options.max_size, MOST_UNREQUESTED)? else { return Ok(()) };
    let what = format!("{} is not a repository and has more than {MOST_UNREQUESTED} files", root.display());
    let shown = |path: &String| root.join(path_from_text(path)).to_string_lossy().into_owned();
    let repositories: Vec<String> = large.repositories.iter().map(shown).collect();
    match progress.confirm(&format!("{what}. Index all of it?")) {
        true => Ok(()),
        false => {
            let folder = root.to_string_lossy().into_owned();
            Err(Error::new(Kind::Path, what, Remedy::IndexFolder { folder, repositories }))
        }
    }
}

/// The inputs of one refresh.
struct RefreshRun<'a> {
    root: &'a Path,
    layout: &'a Layout,
    registry: &'a Registry,
    options: &'a Options,
    progress: &'a dyn Progress,
    fingerprint: Fingerprint,
    found: &'a Scan,
    /// Time at which the scan began, in nanoseconds since 1970.
    scanned: i64,
}

/// An opened index, or the reason why it cannot be used.
type OpenResult = std::result::Result<Generation, Freshness>;

impl RefreshRun<'_> {
    fn refresh(&self, opened: OpenResult) -> Result<(Generation, Report)> {
        let opened = match opened {
            Ok(generation) if self.is_fresh(&generation)? => return Ok((generation, Report::default())),
            opened => opened,
        };
        // An old index must not be used if the caller requested a rebuild.
        let may_use_stale = opened.is_ok() && !self.options.force && !self.options.verify;
        let done = lock(self.layout, self.progress, may_use_stale && !self.options.newest).and_then(|write_lock| {
            match write_lock {
                Some(write_lock) => self.update_or_rebuild(&write_lock, opened),
                None => opened.map(|previous| (previous, Report::default())).map_err(|_| cannot_read_back()),
            }
        });
        match done {
            Err(error) if may_use_stale && error.is_unwritable() => self.open_stale(error),
            done => done,
        }
    }

    fn is_fresh(&self, generation: &Generation) -> Result<bool> {
        if self.options.force || self.options.verify {
            return Ok(false);
        }
        let mut plan = RefreshPlan::compare(self.found, &generation.manifest);
        plan.retry_unreadable(self.root, self.found, &generation.manifest)?;
        Ok(plan.is_empty())
    }

    /// Returns the old index if the new one cannot be written. If only times changed, the old index
    /// is still correct.
    fn open_stale(&self, error: Error) -> Result<(Generation, Report)> {
        let Ok(previous) = Generation::open(self.layout, &self.fingerprint) else { return Err(error) };
        let mut plan = RefreshPlan::compare(self.found, &previous.manifest);
        plan.verify_steps(self.root, self.found, &previous.manifest, false)?;
        match plan.changes() {
            0 => {}
            _ if self.options.newest => return Err(error),
            files => self.progress.notice(&format!(
                "{}; using the existing index, although {files} {}",
                error.what(),
                if files == 1 { "file changed" } else { "files changed" }
            )),
        }
        Ok((previous, Report::default()))
    }

    fn update_or_rebuild(&self, write_lock: &WriteLock, opened: OpenResult) -> Result<(Generation, Report)> {
        // Opens the index again if it was replaced: the other writer may have done the work.
        let opened = match opened {
            Ok(previous) if self.layout.current().as_deref() == Some(previous.folder()) => Ok(previous),
            _ => Generation::open(self.layout, &self.fingerprint),
        };
        match opened {
            Ok(_) if self.options.force => self.build(write_lock),
            Ok(previous) if self.options.verify && previous.verify().is_err() => {
                self.rebuild(write_lock, Freshness::Damaged)
            }
            Ok(previous) => match catch_damaged(|| self.update(write_lock, previous)) {
                Err(Damaged { .. }) => self.rebuild(write_lock, Freshness::Damaged),
                // A new build does not help against a full or read-only disk.
                Ok(Err(error)) if error.kind() == Kind::Index && !error.is_disk_full_or_read_only() => {
                    self.progress.notice(&format!("{}; rebuilding the index", error.what()));
                    self.build(write_lock)
                }
                Ok(result) => result,
            },
            Err(Freshness::Missing) if !self.options.force && !self.options.verify => self.build_first(write_lock),
            Err(reason) => self.rebuild(write_lock, reason),
        }
    }

    /// Builds the first index: from the index of another checkout if there is one, or else from
    /// scratch.
    fn build_first(&self, write_lock: &WriteLock) -> Result<(Generation, Report)> {
        match catch_damaged(|| self.take_over(write_lock)) {
            Ok(Ok(Some(done))) => Ok(done),
            Ok(Err(error)) if error.kind() != Kind::Index || error.is_disk_full_or_read_only() => Err(error),
            // No other index exists, or it is damaged, or another process replaced it meanwhile.
            _ => self.build(write_lock),
        }
    }

    /// Copies the index of another checkout, and parses only the files that differ.
    fn take_over(&self, write_lock: &WriteLock) -> Result<Option<(Generation, Report)>> {
        let Some(sibling) = sibling(self.root, self.layout, &self.fingerprint, self.found)? else { return Ok(None) };
        tracing::debug!(from = %sibling.root.display(), changes = sibling.plan.changes(), "taking over an index");
        let previous = PreviousGeneration { generation: &sibling.generation, is_sibling: true };
        let (generation, report) = self.write(write_lock, &sibling.plan, Some(&previous))?;
        Ok(Some((generation, Report { taken_from: Some(sibling.root), ..report })))
    }

    /// Builds the index from scratch because the previous one cannot be used.
    fn rebuild(&self, write_lock: &WriteLock, reason: Freshness) -> Result<(Generation, Report)> {
        match reason {
            Freshness::Fingerprint => self
                .progress
                .notice("the index was built by a different version or with different settings; rebuilding it"),
            Freshness::Damaged => self.progress.notice("the index is damaged; rebuilding it"),
            Freshness::Missing | Freshness::Usable => {}
        }
        let (generation, report) = self.build(write_lock)?;
        Ok((generation, Report { damaged: reason == Freshness::Damaged, ..report }))
    }

    fn build(&self, write_lock: &WriteLock) -> Result<(Generation, Report)> {
        if self.options.force || self.options.verify {
            self.layout.remove_partial();
        }
        catch_damaged(|| self.build_in_stages(write_lock)).unwrap_or_else(|_| {
            self.layout.remove_partial();
            self.write(write_lock, &RefreshPlan::all(self.found), None)
        })
    }

    /// Parses the files in stages, and builds the index from the files of all stages.
    fn build_in_stages(&self, write_lock: &WriteLock) -> Result<(Generation, Report)> {
        let &RefreshRun { root, layout, registry, progress, fingerprint, found: scan, scanned, .. } = self;
        let staged = StagedBuild { root, registry, fingerprint, scan, scanned, layout, write_lock, progress };
        let (partial, parsed) = staged.run();
        let previous = partial.as_ref().map(|generation| PreviousGeneration { generation, is_sibling: true });
        let (generation, report) = self.write(write_lock, &partial::plan(scan, partial.as_ref()), previous.as_ref())?;
        Ok((generation, Report { parsed: report.parsed + parsed, built: true, ..report }))
    }

    fn update(&self, write_lock: &WriteLock, previous: Generation) -> Result<(Generation, Report)> {
        let mut plan = RefreshPlan::compare(self.found, &previous.manifest);
        let times_are_known = plan.is_empty();
        let differing = plan.verify_steps(self.root, self.found, &previous.manifest, self.options.verify)?;
        if plan.is_empty() {
            if !times_are_known {
                previous.rewrite_manifest(&plan.with_new_stamps(self.found, &previous.manifest, self.scanned))?;
            }
            return Ok((previous, Report::default()));
        }
        // If most files changed, copying the rest costs more than it saves. Skipped files cost nothing.
        let count = |is_counted: fn(&RefreshStep) -> bool| plan.steps.iter().filter(|step| is_counted(step)).count();
        let same = count(|step| matches!(step, RefreshStep::Same(_)));
        let all = count(|step| !matches!(step, RefreshStep::SameSkip(_)));
        let (generation, report) = if same * 2 < all && all > 64 {
            self.build(write_lock)?
        } else {
            self.write(write_lock, &plan, Some(&PreviousGeneration { generation: &previous, is_sibling: false }))?
        };
        Ok((generation, Report { differing, ..report }))
    }

    fn write(
        &self,
        write_lock: &WriteLock,
        plan: &RefreshPlan,
        previous: Option<&PreviousGeneration<'_>>,
    ) -> Result<(Generation, Report)> {
        let folder = write_lock.begin()?;
        let built = previous.is_none();
        let is_partial = previous.is_some_and(|previous| previous.generation.folder() == self.layout.partial());
        let known = if is_partial { partial::known(plan, self.found) } else { (0, 0) };
        let build = Build {
            root: self.root,
            registry: self.registry,
            fingerprint: self.fingerprint,
            scan: self.found,
            scanned: self.scanned,
            plan,
            previous,
            progress: &ProgressForwarder { progress: self.progress, write_lock, known, all: None },
        };
        let parsed = build.run(&folder).inspect_err(|_| drop(std::fs::remove_dir_all(&folder)))?;
        // Vectors are identified by the content that they are made of, so even a rebuild can copy
        // them.
        let other = previous
            .filter(|previous| previous.is_sibling && !is_partial)
            .map(|other| other.generation.folder().to_owned());
        if let Some(previous) = other.or_else(|| self.layout.current()).filter(|_| !self.options.force) {
            Generation::copy_embeddings(&previous, &folder);
        }
        write_lock.publish(&folder)?;
        self.layout.remove_partial();
        self.layout.write_checkout(&checkout_digests(self.root));
        let generation = Generation::open(self.layout, &self.fingerprint).map_err(|_| cannot_read_back())?;
        let known = previous.filter(|previous| !previous.is_sibling).map(|previous| &previous.generation.manifest);
        let oversized = oversized(&generation.manifest, known);
        Ok((generation, Report { parsed, built, oversized, ..Report::default() }))
    }
}

/// Returns the paths of the files that are skipped because of their size, except for those that were
/// skipped before.
fn oversized(manifest: &Manifest, known: Option<&Manifest>) -> Vec<String> {
    let is_oversized = |skip: &&SkipRecord| skip.reason == Skip::Oversized;
    let known: BTreeSet<&str> =
        known.iter().flat_map(|known| known.skipped.iter().filter(is_oversized)).map(|skip| &*skip.path).collect();
    let all = manifest.skipped.iter().filter(is_oversized).filter(|skip| !known.contains(&*skip.path));
    all.map(|skip| skip.path.clone()).collect()
}

fn cannot_read_back() -> Error {
    Error::new(Kind::Index, "cannot read the index that was just written", Remedy::CheckDisk)
}
