//! Writes the files of a scan as a new generation: parses the changed files, copies the other
//! files, links the calls and writes the tables.

use super::calls::{Calls, calls, declarations};
use super::file_collector::FileCollector;
use super::files::PreviousGeneration;
use super::load::{FileLoader, LoadTask};
use super::memory::{release_free_memory, return_large_blocks};
use super::notes::ParseNotes;
use super::plan::{RefreshPlan, RefreshStep};
use super::progress::Progress;
use super::tables::NewFiles;
use crate::store::{Fingerprint, Generation, Mail, Manifest, Seals, create_folder, root_name};
use std::collections::BTreeMap;
use std::path::Path;
use whichfn_graph::Hierarchy;
use whichfn_scan::Scan;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Result};

/// The inputs for writing a generation.
pub(super) struct Build<'a> {
    pub root: &'a Path,
    pub registry: &'a Registry,
    pub fingerprint: Fingerprint,
    pub scan: &'a Scan,
    /// Time at which the scan began, in nanoseconds since 1970.
    pub scanned: i64,
    pub plan: &'a RefreshPlan,
    pub previous: Option<&'a PreviousGeneration<'a>>,
    pub progress: &'a dyn Progress,
}

impl Build<'_> {
    /// Writes a generation to `folder`, and returns the number of parsed files.
    pub fn run(&self, folder: &Path) -> Result<usize> {
        self.write(folder, false)
    }

    /// Writes a generation without calls to `folder`, from which a later build can take over the
    /// files. Returns the number of parsed files.
    pub fn run_partial(&self, folder: &Path) -> Result<usize> {
        self.write(folder, true)
    }

    fn write(&self, folder: &Path, is_partial: bool) -> Result<usize> {
        return_large_blocks();
        let tasks = self.tasks();
        let (root, registry, previous) = (self.root, self.registry, self.previous);
        // The notes are next to the folder that is written, because an aborted run's folder is
        // removed.
        let notes = ParseNotes::open(folder.parent().unwrap_or(folder), self.progress);
        let mut collector = FileCollector::new(self.scan, self.plan, previous, self.empty_manifest());
        let loader = FileLoader { root, registry, previous, notes: &notes, progress: self.progress };
        loader.each(&tasks, |loaded| collector.take(loaded))?;
        drop(notes);
        tracing::debug!(files = tasks.len(), "parsed");
        let (mut manifest, files) = collector.finish(self.scan)?;
        let parsed = match is_partial {
            true => self.write_files(folder, &mut manifest, files)?,
            false => self.write_graph(folder, &mut manifest, files)?,
        };
        tracing::debug!("written");
        Generation::seal(folder, &manifest)?;
        Ok(parsed)
    }

    /// Returns the files that must be read, sorted by path.
    fn tasks(&self) -> Vec<LoadTask<'_>> {
        let steps = self.scan.files.iter().zip(&self.plan.steps);
        let to_look = steps.filter_map(|(entry, step)| match step {
            RefreshStep::Load(previous) => Some(LoadTask { entry, previous: *previous }),
            RefreshStep::LoadSkip(_) => Some(LoadTask { entry, previous: None }),
            RefreshStep::Same(_) | RefreshStep::SameSkip(_) => None,
        });
        to_look.collect()
    }

    fn empty_manifest(&self) -> Manifest {
        Manifest {
            fingerprint: self.fingerprint,
            root: self.root.to_string_lossy().into_owned(),
            scanned: self.scanned,
            files: Vec::new(),
            skipped: Vec::new(),
            functions: 0,
            seals: Seals::default(),
            unlinked: Vec::new(),
            steps: BTreeMap::new(),
            is_partial: false,
        }
    }

    /// Writes the files of a partial generation, and completes the manifest. Returns the number of
    /// parsed files.
    fn write_files(&self, folder: &Path, manifest: &mut Manifest, files: NewFiles<'_>) -> Result<usize> {
        let tables = files.write(folder)?;
        let (parsed, seals) = (tables.parsed(), tables.seals);
        let mut mail = Mail::default();
        manifest.files.iter().for_each(|_| mail.add(&[]));
        let links = tables.links.finish(&[], mail, &[], &Hierarchy::default());
        let links = Generation::write_links(folder, &links.sections())?;
        manifest.seals = Seals { links, ..seals };
        manifest.is_partial = true;
        release_free_memory();
        Ok(parsed)
    }

    /// Writes the graph and completes the manifest. Returns the number of parsed files.
    fn write_graph(&self, folder: &Path, manifest: &mut Manifest, files: NewFiles<'_>) -> Result<usize> {
        let (previous, records) = (self.previous, &manifest.files);
        self.progress.linking(records.len());
        // Written tables take no memory while calls are resolved.
        let tables = files.write(folder)?;
        release_free_memory();
        let root = root_name(self.root);
        let Calls { edges, unlinked, steps, mail, hierarchy } = calls(previous, root, records, &tables, self.registry);
        tracing::debug!(edges = edges.len(), "linked");
        release_free_memory();
        self.progress.writing();
        (manifest.unlinked, manifest.steps) = (unlinked, steps);
        manifest.functions = tables.links.functions();
        let declared = declarations(records, &tables, self.registry);
        let (parsed, seals) = (tables.parsed(), tables.seals);
        let links = tables.links.finish(&edges, mail, &declared, &hierarchy);
        let links = Generation::write_links(folder, &links.sections())?;
        manifest.seals = Seals { links, ..seals };
        Ok(parsed)
    }
}

/// Builds a standalone index of the files that a scan of `root` found, from scratch, in `folder`.
/// Except for the manifest, its bytes depend only on the content of the files. No `CURRENT` file
/// names such an index, and it is never refreshed.
///
/// The build records, next to `folder`, which file it is parsing. Two concurrent builds therefore
/// need two different parent folders.
///
/// # Errors
/// Returns an error if the folder cannot be written.
pub fn build_in_folder(
    root: &Path,
    scan: &Scan,
    registry: &Registry,
    fingerprint: Fingerprint,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Generation> {
    create_folder(folder).map_err(|cause| Error::io(Kind::Index, "create", folder, &cause))?;
    let plan = RefreshPlan::all(scan);
    Build { root, registry, fingerprint, scan, scanned: 0, plan: &plan, previous: None, progress }.run(folder)?;
    Generation::open_unpublished(folder, &fingerprint)
}
