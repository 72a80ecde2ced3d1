//! What a refresh has to do: which files are as they were, which must be looked at.

use crate::scan::{RACE_WINDOW, Scan, ScannedFile};
use crate::store::{FileRecord, Manifest, SkipRecord};

/// What to do with one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RefreshStep {
    /// As it was: the number of its former record.
    Same(usize),
    /// Left out for its content, as before: the number of its former record.
    SameSkip(usize),
    /// Look at its content; the former record, if it had one.
    Look(Option<usize>),
}

/// What a refresh has to do.
#[derive(Debug)]
pub(super) struct RefreshPlan {
    /// One step for each file of the scan.
    pub steps: Vec<RefreshStep>,
    /// Former records of files that are gone.
    pub gone: Vec<usize>,
    /// The files left out without opening them are others than before, or one left out for what it holds is gone.
    pub skips_changed: bool,
}

impl RefreshPlan {
    /// Everything is new.
    pub fn all(scan: &Scan) -> Self {
        Self { steps: vec![RefreshStep::Look(None); scan.files.len()], gone: Vec::new(), skips_changed: true }
    }

    /// Compares a scan with the manifest of an index. Both lists are in order of path.
    pub fn compare(scan: &Scan, manifest: &Manifest) -> Self {
        let (files, skipped) = (&manifest.files, &manifest.skipped);
        let (mut at, mut at_skip) = (0, 0);
        let mut plan = Self { steps: Vec::with_capacity(scan.files.len()), gone: Vec::new(), skips_changed: false };
        for entry in &scan.files {
            while at < files.len() && files[at].path < entry.path {
                plan.gone.push(at);
                at += 1;
            }
            while at_skip < skipped.len() && skipped[at_skip].path < entry.path {
                at_skip += 1;
            }
            if at < files.len() && files[at].path == entry.path {
                plan.steps.push(if is_same(entry, &files[at], manifest.scanned) {
                    RefreshStep::Same(at)
                } else {
                    RefreshStep::Look(Some(at))
                });
                at += 1;
            } else if skipped.get(at_skip).is_some_and(|skip| is_same_skip(entry, skip, manifest.scanned)) {
                plan.steps.push(RefreshStep::SameSkip(at_skip));
            } else {
                plan.steps.push(RefreshStep::Look(None));
            }
        }
        plan.gone.extend(at..files.len());
        let unopened = skipped.iter().filter(|s| s.size == 0).map(|s| (s.path.as_str(), s.reason));
        let is_gone = |skip: &SkipRecord| scan.files.binary_search_by(|entry| entry.path.cmp(&skip.path)).is_err();
        plan.skips_changed = !unopened.eq(scan.skipped.iter().map(|(path, reason)| (path.as_str(), *reason)))
            || skipped.iter().any(|skip| skip.size > 0 && is_gone(skip));
        plan
    }

    /// Nothing to do.
    pub fn is_empty(&self) -> bool {
        self.gone.is_empty()
            && !self.skips_changed
            && !self.steps.iter().any(|step| matches!(step, RefreshStep::Look(_)))
    }
}

fn is_same(entry: &ScannedFile, record: &FileRecord, scanned: u64) -> bool {
    entry.size == record.size
        && entry.modified == record.modified
        && record.modified.saturating_add(RACE_WINDOW) < scanned
}

fn is_same_skip(entry: &ScannedFile, record: &SkipRecord, scanned: u64) -> bool {
    let opened = record.size > 0 && record.path == entry.path;
    opened
        && entry.size == record.size
        && entry.modified == record.modified
        && record.modified.saturating_add(RACE_WINDOW) < scanned
}
