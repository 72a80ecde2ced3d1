//! Collects the files of a new generation, sorted by path. It inserts the unchanged files between
//! the files that were read.

use super::files::{ParsedFile, PreviousGeneration, missing_from_plan};
use super::load::{Content, LoadedFile};
use super::plan::{RefreshPlan, RefreshStep};
use super::tables::NewFiles;
use crate::store::{FilePart, FileRecord, Manifest, SkipRecord};
use std::iter::Zip;
use std::slice::Iter;
use whichfn_scan::{Scan, ScannedFile};
use whichfn_system::error::Result;

/// The files collected so far, with their records.
pub(super) struct FileCollector<'a> {
    previous: Option<&'a PreviousGeneration<'a>>,
    /// Remaining files, with their steps.
    steps: Zip<Iter<'a, ScannedFile>, Iter<'a, RefreshStep>>,
    manifest: Manifest,
    files: NewFiles<'a>,
}

impl<'a> FileCollector<'a> {
    /// Creates a collector that adds files to `manifest`.
    pub fn new(
        scan: &'a Scan,
        plan: &'a RefreshPlan,
        previous: Option<&'a PreviousGeneration<'a>>,
        manifest: Manifest,
    ) -> Self {
        Self { previous, steps: scan.files.iter().zip(&plan.steps), manifest, files: NewFiles::new(previous) }
    }

    /// Adds the next file that was read, after the unchanged files that precede it.
    pub fn take(&mut self, loaded: LoadedFile<'_>) -> Result<()> {
        self.keep_unchanged()?;
        let entry = loaded.task.entry;
        match loaded.content {
            Content::Same(number) => self.keep_file(entry, number)?,
            Content::Skipped(reason) => {
                let (path, stamp) = (entry.path.clone(), Some(entry.stamp));
                self.manifest.skipped.push(SkipRecord { path, stamp, reason });
            }
            Content::New(parsed) => self.add(entry, &parsed),
        }
        Ok(())
    }

    /// Returns the manifest and all files. The manifest also lists the files that the scan skipped.
    pub fn finish(mut self, scan: &Scan) -> Result<(Manifest, NewFiles<'a>)> {
        self.keep_unchanged()?;
        let skipped_unread = scan.skipped.iter();
        let skipped_unread =
            skipped_unread.map(|(path, reason)| SkipRecord { path: path.clone(), stamp: None, reason: *reason });
        self.manifest.skipped.extend(skipped_unread);
        self.manifest.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        Ok((self.manifest, self.files))
    }

    /// Copies the unchanged files up to the next file that is read, or all remaining files.
    fn keep_unchanged(&mut self) -> Result<()> {
        while let Some((entry, step)) = self.steps.next() {
            match *step {
                RefreshStep::Same(number) => self.keep_file(entry, number)?,
                RefreshStep::SameSkip(number) => {
                    let record = self.previous()?.generation.manifest.skipped[number].clone();
                    self.manifest.skipped.push(SkipRecord { stamp: Some(entry.stamp), ..record });
                }
                RefreshStep::Load(_) | RefreshStep::LoadSkip(_) => break,
            }
        }
        Ok(())
    }

    fn keep_file(&mut self, entry: &ScannedFile, number: usize) -> Result<()> {
        let previous = self.previous()?.record(number).clone();
        self.manifest.files.push(FileRecord { stamp: entry.stamp, ..previous });
        self.files.keep_file(number)
    }

    fn add(&mut self, entry: &ScannedFile, parsed: &ParsedFile) {
        let ParsedFile { facts, syntax, fragments, terms, flow, link, .. } = parsed;
        let record = FileRecord {
            path: entry.path.clone(),
            stamp: entry.stamp,
            hash: parsed.hash,
            language: parsed.language.map(|l| l.0),
            link: *link,
            has_errors: facts.has_errors,
        };
        let (path, language, flow) = (&record.path[..], record.language, &flow[..]);
        self.files.add(&FilePart { path, language, facts, flow, syntax, fragments, terms });
        self.manifest.files.push(record);
    }

    fn previous(&self) -> Result<&'a PreviousGeneration<'a>> {
        self.previous.ok_or_else(missing_from_plan)
    }
}
