//! Collects the files of a new generation sorted by path: the files that were read, and between
//! them the unchanged ones.

use super::files::{ParsedFile, PreviousGeneration, neither_old_nor_new};
use super::load::{Content, LoadedFile};
use super::plan::{RefreshPlan, RefreshStep};
use super::tables::NewFiles;
use crate::store::{FilePart, FileRecord, Manifest, SkipRecord};
use std::iter::Zip;
use std::slice::Iter;
use whichfn_scan::{Scan, ScannedFile};
use whichfn_system::error::Result;

/// Collected files and their records.
pub(super) struct FileCollector<'a> {
    former: Option<&'a PreviousGeneration<'a>>,
    /// Files that were not handled yet, with their steps.
    steps: Zip<Iter<'a, ScannedFile>, Iter<'a, RefreshStep>>,
    manifest: Manifest,
    files: NewFiles<'a>,
}

impl<'a> FileCollector<'a> {
    /// Starts with a manifest without files.
    pub fn new(
        scan: &'a Scan,
        plan: &'a RefreshPlan,
        former: Option<&'a PreviousGeneration<'a>>,
        manifest: Manifest,
    ) -> Self {
        Self { former, steps: scan.files.iter().zip(&plan.steps), manifest, files: NewFiles::new(former) }
    }

    /// Adds the next file of the plan that was read, and the unchanged files before it.
    pub fn take(&mut self, looked: LoadedFile<'_>) -> Result<()> {
        self.take_what_is_the_same()?;
        let entry = looked.task.entry;
        match looked.content {
            Content::Same(number) => self.take_over(entry, number)?,
            Content::Skipped(reason) => {
                let (path, stamp) = (entry.path.clone(), Some(entry.stamp));
                self.manifest.skipped.push(SkipRecord { path, stamp, reason });
            }
            Content::New(parsed) => self.add(entry, &parsed),
        }
        Ok(())
    }

    /// Returns all files, and the manifest, which also lists the files that the scan skipped.
    pub fn finish(mut self, scan: &Scan) -> Result<(Manifest, NewFiles<'a>)> {
        self.take_what_is_the_same()?;
        let unopened = scan.skipped.iter();
        let unopened = unopened.map(|(path, reason)| SkipRecord { path: path.clone(), stamp: None, reason: *reason });
        self.manifest.skipped.extend(unopened);
        self.manifest.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        Ok((self.manifest, self.files))
    }

    /// Copies unchanged files up to the next one that is read, or all remaining ones.
    fn take_what_is_the_same(&mut self) -> Result<()> {
        while let Some((entry, step)) = self.steps.next() {
            match *step {
                RefreshStep::Same(number) => self.take_over(entry, number)?,
                RefreshStep::SameSkip(number) => {
                    let record = self.former()?.generation.manifest.skipped[number].clone();
                    self.manifest.skipped.push(SkipRecord { stamp: Some(entry.stamp), ..record });
                }
                RefreshStep::Look(_) | RefreshStep::LookSkip(_) => break,
            }
        }
        Ok(())
    }

    fn take_over(&mut self, entry: &ScannedFile, number: usize) -> Result<()> {
        let former = self.former()?.record(number).clone();
        self.manifest.files.push(FileRecord { stamp: entry.stamp, ..former });
        self.files.take_over(number)
    }

    fn add(&mut self, entry: &ScannedFile, parsed: &ParsedFile) {
        let ParsedFile { facts, syntax, fragments, terms, linking, .. } = parsed;
        let record = FileRecord {
            path: entry.path.clone(),
            stamp: entry.stamp,
            hash: parsed.hash,
            language: parsed.language.map(|l| l.0),
            link: linking.digest(),
            has_errors: facts.has_errors,
        };
        let (path, language, flow) = (&record.path[..], record.language, linking.bytes());
        self.files.add(&FilePart { path, language, facts, flow, syntax, fragments, terms });
        self.manifest.files.push(record);
    }

    fn former(&self) -> Result<&'a PreviousGeneration<'a>> {
        self.former.ok_or_else(neither_old_nor_new)
    }
}
