//! Files to a new generation: parse what must be parsed, take over the rest, link, write.

use super::calls::calls;
use super::files::{FactsSource, Former, ParsedFile, neither_old_nor_new};
use super::look::{Content, Look, LookTask, LookedFile};
use super::notes::ParseNotes;
use super::plan::{RefreshPlan, RefreshStep};
use super::progress::Progress;
use super::tables::GraphTables;
use crate::error::Result;
use crate::graph::Linked;
use crate::lang::Registry;
use crate::scan::{Scan, ScannedFile};
use crate::store::{FileRecord, Fingerprint, Generation, Manifest, Seals, SkipRecord};
use std::path::Path;

/// Everything that writing a generation needs.
pub(super) struct Build<'a> {
    pub root: &'a Path,
    pub registry: &'a Registry,
    pub fingerprint: Fingerprint,
    pub scan: &'a Scan,
    /// When the scan began, in nanoseconds since 1970.
    pub scanned: i64,
    pub plan: &'a RefreshPlan,
    pub former: Option<Former<'a>>,
    pub progress: &'a dyn Progress,
}

/// What becomes of a file of the scan.
enum Fate<'l> {
    Indexed(FileRecord, FactsSource<'l>),
    Skipped(SkipRecord),
}

impl Build<'_> {
    /// Writes a generation into `folder`; says how many files were parsed.
    pub fn run(&self, folder: &Path) -> Result<usize> {
        let tasks = self.tasks();
        let (root, registry, former) = (self.root, self.registry, self.former.as_ref());
        // Beside the folder that is written: what is left of that by an aborted run is taken away.
        let notes = ParseNotes::open(folder.parent().unwrap_or(folder), self.progress);
        let looked = Look { root, registry, former, notes: &notes, progress: self.progress }.all(&tasks)?;
        drop(notes);
        tracing::debug!(files = tasks.len(), "parsed");
        let parsed = looked.iter().filter(|file| matches!(file.content, Content::New(_))).count();
        let manifest = self.write_graph(folder, &looked)?;
        tracing::debug!("written");
        // What was parsed is many small pieces; they are given back while the manifest is written.
        let (sealed, ()) = rayon::join(|| Generation::seal(folder, &manifest), || drop(looked));
        sealed?;
        Ok(parsed)
    }

    /// The files to look at, in order of path.
    fn tasks(&self) -> Vec<LookTask<'_>> {
        let steps = self.scan.files.iter().zip(&self.plan.steps);
        let to_look = steps.filter_map(|(entry, step)| match step {
            RefreshStep::Look(former) => Some(LookTask { entry, former: *former }),
            RefreshStep::LookSkip(_) => Some(LookTask { entry, former: None }),
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
            calls_left_out: 0,
        }
    }

    fn write_graph(&self, folder: &Path, looked: &[LookedFile<'_>]) -> Result<Manifest> {
        let mut manifest = self.empty_manifest();
        let sources = self.files(looked, &mut manifest)?;
        let (former, records) = (self.former.as_ref(), &manifest.files);
        self.progress.linking(records.len());
        // The tables are filled and the facts written while calls are resolved.
        let (linked, tables) = rayon::join(
            || calls(former, records, &sources, self.registry),
            || GraphTables::fill(folder, former, records, &sources),
        );
        let (Linked { edges, left_out, .. }, GraphTables { links, base, overlay }) = (linked?, tables?);
        tracing::debug!(edges = edges.len(), "linked");
        if left_out > 0 {
            self.progress
                .notice(&format!("linking calls came to the bound of its work; {left_out} calls lead nowhere"));
        }
        manifest.calls_left_out = left_out;
        manifest.functions = links.functions();
        let links = Generation::write_links(folder, &links.finish(&edges).sections())?;
        manifest.seals = Seals { base, overlay, links };
        Ok(manifest)
    }

    /// Puts the files of the new generation and those left out into the manifest; says where the facts of each file come
    /// from. `looked` are those of the plan that were to be looked at, in its order.
    fn files<'l>(&self, looked: &'l [LookedFile<'_>], manifest: &mut Manifest) -> Result<Vec<FactsSource<'l>>> {
        let (mut sources, mut looked) = (Vec::new(), looked.iter());
        for (entry, step) in self.scan.files.iter().zip(&self.plan.steps) {
            let fate = match *step {
                RefreshStep::Same(number) => self.taken_over(entry, number)?,
                RefreshStep::SameSkip(number) => {
                    let record = self.former()?.generation.manifest.skipped[number].clone();
                    Fate::Skipped(SkipRecord { stamp: Some(entry.stamp), ..record })
                }
                RefreshStep::Look(_) | RefreshStep::LookSkip(_) => {
                    self.fate(looked.next().ok_or_else(neither_old_nor_new)?)?
                }
            };
            match fate {
                Fate::Indexed(record, source) => {
                    manifest.files.push(record);
                    sources.push(source);
                }
                Fate::Skipped(record) => manifest.skipped.push(record),
            }
        }
        let unopened = self.scan.skipped.iter();
        let unopened = unopened.map(|(path, reason)| SkipRecord { path: path.clone(), stamp: None, reason: *reason });
        manifest.skipped.extend(unopened);
        manifest.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(sources)
    }

    fn fate<'l>(&self, looked: &'l LookedFile<'_>) -> Result<Fate<'l>> {
        let entry = looked.task.entry;
        match &looked.content {
            Content::Same(number) => self.taken_over(entry, *number),
            Content::Skipped(reason) => {
                Ok(Fate::Skipped(SkipRecord { path: entry.path.clone(), stamp: Some(entry.stamp), reason: *reason }))
            }
            Content::New(parsed) => Ok(Fate::Indexed(record(entry, parsed), FactsSource::Parsed(parsed))),
        }
    }

    fn taken_over<'l>(&self, entry: &ScannedFile, number: usize) -> Result<Fate<'l>> {
        let former = self.former()?.record(number).clone();
        let record = FileRecord { stamp: entry.stamp, ..former };
        Ok(Fate::Indexed(record, FactsSource::Former(number)))
    }

    fn former(&self) -> Result<&Former<'_>> {
        self.former.as_ref().ok_or_else(neither_old_nor_new)
    }
}

fn record(entry: &ScannedFile, parsed: &ParsedFile) -> FileRecord {
    FileRecord {
        path: entry.path.clone(),
        stamp: entry.stamp,
        hash: parsed.hash,
        language: parsed.language.map(|l| l.0),
        link: parsed.linking.digest(),
        has_errors: parsed.facts.has_errors,
    }
}
