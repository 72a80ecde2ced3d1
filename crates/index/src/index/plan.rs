//! Plans a refresh by determining which files are unchanged and which must be read.

use crate::store::{FileRecord, Manifest, SkipRecord};
use rayon::prelude::*;
use std::path::Path;
use whichfn_scan::{LONGEST_TEXT, Scan, ScannedFile, Skip, Stamp, read_start};
use whichfn_system::error::Result;

/// The step that a refresh takes for one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RefreshStep {
    /// The file is unchanged. This is the number of its previous record.
    Same(usize),
    /// The file was skipped because of its content, and still is. This is the number of its
    /// previous record.
    SameSkip(usize),
    /// The file was skipped because of its content, which may have changed. This is the number of
    /// its previous record.
    LoadSkip(usize),
    /// The file must be read. This is the number of its previous record, if it has one.
    Load(Option<usize>),
}

/// The steps of a refresh, one for each file.
#[derive(Debug)]
pub(super) struct RefreshPlan {
    /// Step for each file of the scan, in the same order.
    pub steps: Vec<RefreshStep>,
    /// Numbers of the previous records of deleted files.
    pub removed: Vec<usize>,
    /// True if the set of files that are skipped without being opened changed, or if a file that
    /// was skipped because of its content was deleted.
    pub skips_changed: bool,
}

impl RefreshPlan {
    /// Returns a plan in which all files are new.
    pub fn all(scan: &Scan) -> Self {
        Self { steps: vec![RefreshStep::Load(None); scan.files.len()], removed: Vec::new(), skips_changed: true }
    }

    /// Compares a scan with the manifest of an index. Both lists are sorted by path.
    pub fn compare(scan: &Scan, manifest: &Manifest) -> Self {
        let (files, skipped) = (&manifest.files, &manifest.skipped);
        let (mut at, mut at_skip) = (0, 0);
        let mut plan = Self { steps: Vec::with_capacity(scan.files.len()), removed: Vec::new(), skips_changed: false };
        for entry in &scan.files {
            while at < files.len() && files[at].path < entry.path {
                plan.removed.push(at);
                at += 1;
            }
            while at_skip < skipped.len() && skipped[at_skip].path < entry.path {
                at_skip += 1;
            }
            if at < files.len() && files[at].path == entry.path {
                plan.steps.push(if is_same(entry.stamp, files[at].stamp, manifest.scanned) {
                    RefreshStep::Same(at)
                } else {
                    RefreshStep::Load(Some(at))
                });
                at += 1;
                continue;
            }
            let skip = skipped.get(at_skip).filter(|skip| skip.path == entry.path).and_then(|skip| skip.stamp);
            plan.steps.push(match skip {
                // Times do not show whether a file has become readable.
                Some(_) if skipped[at_skip].reason == Skip::Unreadable => RefreshStep::LoadSkip(at_skip),
                Some(stamp) if is_same(entry.stamp, stamp, manifest.scanned) => RefreshStep::SameSkip(at_skip),
                Some(_) => RefreshStep::LoadSkip(at_skip),
                None => RefreshStep::Load(None),
            });
        }
        plan.removed.extend(at..files.len());
        let skipped_unread = skipped.iter().filter(|s| s.stamp.is_none()).map(|s| (s.path.as_str(), s.reason));
        let is_gone = |skip: &SkipRecord| scan.files.binary_search_by(|entry| entry.path.cmp(&skip.path)).is_err();
        plan.skips_changed = !skipped_unread.eq(scan.skipped.iter().map(|(path, reason)| (path.as_str(), *reason)))
            || skipped.iter().any(|skip| skip.stamp.is_some() && is_gone(skip));
        plan
    }

    /// Reads the files that may have changed, and removes those from the plan whose content is
    /// unchanged. After a fresh checkout, in which all times are new, the index is thus not
    /// rebuilt.
    ///
    /// If `all` is true, it does not trust the file system and reads every file. Returns the paths
    /// of files whose content changed although the file system reports no change.
    ///
    /// **Cost:** reads the files that may have changed. Hashing takes a hundredth of the time of
    /// parsing.
    ///
    /// # Errors
    /// Returns an error if the machine failed.
    pub fn verify_steps(&mut self, root: &Path, scan: &Scan, manifest: &Manifest, all: bool) -> Result<Vec<String>> {
        let checked = self.steps.par_iter().zip(&scan.files).map(|(&step, entry)| {
            let trusted = matches!(step, RefreshStep::Same(_) | RefreshStep::SameSkip(_));
            if trusted && !all {
                return Ok((step, None));
            }
            let step = verify_step(step, root, entry, manifest)?;
            let stale = trusted && matches!(step, RefreshStep::Load(_));
            Ok((step, stale.then(|| entry.path.clone())))
        });
        let (steps, stale): (Vec<_>, Vec<Option<String>>) = checked.collect::<Result<Vec<_>>>()?.into_iter().unzip();
        self.steps = steps;
        Ok(stale.into_iter().flatten().collect())
    }

    /// Tries again to read the files that were unreadable, and plans the files that can be read
    /// now.
    ///
    /// # Errors
    /// Returns an error if the machine failed.
    pub fn retry_unreadable(&mut self, root: &Path, scan: &Scan, manifest: &Manifest) -> Result<()> {
        for (step, entry) in self.steps.iter_mut().zip(&scan.files) {
            if let RefreshStep::LoadSkip(at) = *step
                && manifest.skipped[at].reason == Skip::Unreadable
            {
                *step = verify_step(*step, root, entry, manifest)?;
            }
        }
        Ok(())
    }

    /// Returns the manifest with the current stamps, for a scan in which only times changed.
    pub fn with_new_stamps(&self, scan: &Scan, manifest: &Manifest, scanned: i64) -> Manifest {
        let mut manifest = Manifest { scanned, ..manifest.clone() };
        for (entry, step) in scan.files.iter().zip(&self.steps) {
            match *step {
                RefreshStep::Same(at) => manifest.files[at].stamp = entry.stamp,
                RefreshStep::SameSkip(at) => manifest.skipped[at].stamp = Some(entry.stamp),
                RefreshStep::LoadSkip(_) | RefreshStep::Load(_) => {}
            }
        }
        manifest
    }

    /// Checks whether nothing needs to be done.
    pub fn is_empty(&self) -> bool {
        let needs_load = |step: &RefreshStep| matches!(step, RefreshStep::Load(_) | RefreshStep::LoadSkip(_));
        self.removed.is_empty() && !self.skips_changed && !self.steps.iter().any(needs_load)
    }

    /// Returns the number of changed files, including deleted ones. A skipped file does not count.
    pub fn changes(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, RefreshStep::Load(_))).count() + self.removed.len()
    }
}

/// Determines the final step for a file by reading its content.
fn verify_step(step: RefreshStep, root: &Path, entry: &ScannedFile, manifest: &Manifest) -> Result<RefreshStep> {
    let content = |limit| read_start(root, &entry.path, limit);
    Ok(match step {
        RefreshStep::Same(at) | RefreshStep::Load(Some(at)) => match content(limit(&manifest.files[at]))? {
            Ok(text) if text.hash == manifest.files[at].hash => RefreshStep::Same(at),
            _ => RefreshStep::Load(Some(at)),
        },
        RefreshStep::SameSkip(at) | RefreshStep::LoadSkip(at) => match content(usize::MAX)? {
            Err(reason) if reason == manifest.skipped[at].reason => RefreshStep::SameSkip(at),
            _ => RefreshStep::Load(None),
        },
        RefreshStep::Load(None) => step,
    })
}

/// Returns the number of bytes of a file that are kept while it is read. Text without a language needs
/// only its start.
fn limit(record: &FileRecord) -> usize {
    if record.language.is_none() { LONGEST_TEXT } else { usize::MAX }
}

fn is_same(now: Stamp, before: Stamp, scanned: i64) -> bool {
    now == before && now.is_settled(scanned)
}
