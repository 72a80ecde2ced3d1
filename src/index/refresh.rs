//! The one way in: bring the index of a root up to date, whatever state it is in.

use super::files::Former;
use super::plan::{RefreshPlan, RefreshStep};
use super::progress::Progress;
use super::write::Build;
use crate::embed::Choice;
use crate::error::{Error, Kind, Remedy, Result};
use crate::lang::Registry;
use crate::scan::{Scan, scan_again};
use crate::store::{Damaged, Fingerprint, Freshness, Generation, Layout, Writing, caught};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What a refresh may be told.
#[derive(Debug, Clone)]
pub struct Options {
    /// Files above this many bytes are left out.
    pub max_size: u64,
    /// Build anew even if the index is fresh.
    pub force: bool,
    /// The model to embed functions with, if any.
    pub embed: Option<Choice>,
}

impl Default for Options {
    /// SPEC section 2: 1 MiB.
    fn default() -> Self {
        Self { max_size: 1 << 20, force: false, embed: None }
    }
}

/// What a refresh did.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// How many files were read and parsed.
    pub parsed: usize,
    /// The index was built from nothing.
    pub built: bool,
    /// How many functions were embedded anew.
    pub embedded: usize,
    /// How long it took.
    pub took: Duration,
}

/// Opens the index of `root`, made or refreshed as needed.
///
/// # Errors
/// When the root cannot be read or the index cannot be written.
pub fn refresh(
    root: &Path,
    layout: &Layout,
    registry: &Registry,
    options: &Options,
    progress: &dyn Progress,
) -> Result<(Generation, Report)> {
    let started = Instant::now();
    let fingerprint = Fingerprint::new(registry.digest(), options.max_size);
    // Taken before the scan: a file that changes during it counts as changed.
    let scanned = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    let (found, opened) = rayon::join(
        || scanned_tree(root, layout, registry, options, scanned),
        || Generation::open(layout, &fingerprint),
    );
    let (found, left) = found?;
    tracing::debug!(files = found.files.len(), listed = found.listed, "scanned");
    let opened = match opened {
        Ok(generation) if !options.force && RefreshPlan::compare(&found, &generation.manifest).is_empty() => {
            left.into_iter().for_each(|tree| layout.keep_tree(root, &tree));
            return Ok((generation, Report { took: started.elapsed(), ..Report::default() }));
        }
        opened => opened,
    };
    let writing = layout.lock(|| progress.notice("another whichfn is indexing this repository; waiting for it"))?;
    let force = options.force;
    let run = RefreshRun { root, layout, registry, progress, fingerprint, found: &found, scanned, force };
    // Opened again if another was faster: the one we waited for may have done the work.
    let opened = match opened {
        Ok(former) if layout.current().as_deref() == Some(former.folder()) => Ok(former),
        _ => Generation::open(layout, &fingerprint),
    };
    let (generation, mut report) = match opened {
        Ok(former) if !options.force => match caught(|| run.update(&writing, former)) {
            Err(Damaged { .. }) => {
                progress.notice("the index is damaged; building it again");
                run.build(&writing)?
            }
            // A full or read-only disk is not cured by building again.
            Ok(Err(error)) if error.kind() == Kind::Index && !error.is_disk_trouble() => {
                progress.notice(&format!("{}; building the index again", error.what()));
                run.build(&writing)?
            }
            Ok(result) => result?,
        },
        Ok(_) => run.build(&writing)?,
        Err(why) => {
            match why {
                Freshness::Fingerprint => {
                    progress.notice("the index was made by another version or with other settings; building it again")
                }
                Freshness::Damaged => progress.notice("the index is damaged; building it again"),
                Freshness::Missing | Freshness::Usable => {}
            }
            run.build(&writing)?
        }
    };
    left.into_iter().for_each(|tree| layout.keep_tree(root, &tree));
    report.took = started.elapsed();
    Ok((generation, report))
}

/// The files below the root, and what the next scan may rely on. With `force` nothing is relied on.
fn scanned_tree(
    root: &Path,
    layout: &Layout,
    registry: &Registry,
    options: &Options,
    scanned: u64,
) -> Result<(Scan, Option<Vec<u8>>)> {
    let known = layout.tree().filter(|_| !options.force);
    scan_again(root, registry, options.max_size, known.as_deref(), scanned)
}

/// What one refresh works on.
struct RefreshRun<'a> {
    root: &'a Path,
    layout: &'a Layout,
    registry: &'a Registry,
    progress: &'a dyn Progress,
    fingerprint: Fingerprint,
    found: &'a Scan,
    scanned: u64,
    force: bool,
}

impl RefreshRun<'_> {
    fn build(&self, writing: &Writing) -> Result<(Generation, Report)> {
        self.write(writing, &RefreshPlan::all(self.found), None)
    }

    fn update(&self, writing: &Writing, former: Generation) -> Result<(Generation, Report)> {
        let plan = RefreshPlan::compare(self.found, &former.manifest);
        if plan.is_empty() {
            return Ok((former, Report::default()));
        }
        // When most files changed, taking over the rest costs more than it saves.
        let same = plan.steps.iter().filter(|s| matches!(s, RefreshStep::Same(_))).count();
        if same * 2 < plan.steps.len() && plan.steps.len() > 64 {
            return self.build(writing);
        }
        self.write(writing, &plan, Some(former))
    }

    fn write(&self, writing: &Writing, plan: &RefreshPlan, former: Option<Generation>) -> Result<(Generation, Report)> {
        let folder = writing.begin()?;
        let carried = former.as_ref().map(Former::new).transpose()?;
        let built = carried.is_none();
        let build = Build {
            root: self.root,
            registry: self.registry,
            fingerprint: self.fingerprint,
            scan: self.found,
            scanned: self.scanned,
            plan,
            former: carried,
            progress: self.progress,
        };
        let done = build.run(&folder).inspect_err(|_| drop(std::fs::remove_dir_all(&folder)))?;
        let report = Report { parsed: done.parsed, built, ..Report::default() };
        if let (Some(manifest), Some(former)) = (done.unchanged, former) {
            let _ = std::fs::remove_dir_all(&folder);
            former.rewrite_manifest(&manifest)?;
            return Ok((former, report));
        }
        // Vectors are told by the content they are of, so even a rebuild may take them along.
        if let Some(former) = self.layout.current().filter(|_| !self.force) {
            Generation::carry_embeddings(&former, &folder);
        }
        writing.publish(&folder)?;
        let reopened = Generation::open(self.layout, &self.fingerprint);
        let generation =
            reopened.map_err(|_| Error::new(Kind::Index, "the new index cannot be read back", Remedy::CheckDisk))?;
        Ok((generation, report))
    }
}
