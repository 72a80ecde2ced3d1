//! Keeps the parsed files of a long build, so that a build that is interrupted continues where it
//! stopped.
//!
//! A build from scratch parses its files in stages. After each stage but the last, the files parsed
//! so far are written next to the index as a partial index, which has no calls. The next stage, or
//! the next build, takes the files over as from the index of another checkout ([`super::sibling`]).
//!
//! **Invariant:** the finished index has the same bytes as one that is built in one stage.
//!
//! **Cost:** each stage copies the tables of the earlier ones, which takes a small part of the time
//! of parsing. An interruption loses at most one stage.

use super::files::PreviousGeneration;
use super::lock::ProgressForwarder;
use super::plan::{RefreshPlan, RefreshStep};
use super::progress::Progress;
use super::write::Build;
use crate::store::{Fingerprint, Generation, Layout, WriteLock};
use std::path::Path;
use whichfn_scan::{Scan, ScannedFile};
use whichfn_syntax::lang::Registry;

/// Minimum size of the files of a stage in bytes. Parsing them takes several seconds, in a build for
/// tests as well, which is slower.
const LEAST_BYTES: u64 = if cfg!(debug_assertions) { 256 << 10 } else { 8 << 20 };
/// Maximum number of stages.
const MOST_STAGES: u64 = 8;

/// A build from scratch.
pub(super) struct StagedBuild<'a> {
    pub root: &'a Path,
    pub registry: &'a Registry,
    pub fingerprint: Fingerprint,
    pub scan: &'a Scan,
    pub scanned: i64,
    pub layout: &'a Layout,
    pub write_lock: &'a WriteLock,
    pub progress: &'a dyn Progress,
}

impl StagedBuild<'_> {
    /// Parses all files but those of the last stage, unless an interrupted build did. Returns the
    /// partial index, and the number of files that were parsed; `None` if there is only one stage.
    ///
    /// A partial index that cannot be written, for example because the disk is full, is left out: the
    /// whole index may still fit.
    pub fn run(&self) -> (Option<Generation>, usize) {
        let (mut partial, mut parsed) = (self.open(), 0);
        for end in stage_ends(&self.scan.files) {
            let files = self.scan.files[..end].to_vec();
            let stage = Scan { files, ..Scan::default() };
            match self.run_stage(&stage, partial.as_ref()) {
                Some((next, count)) => {
                    partial = next.or(partial);
                    parsed += count;
                }
                None => break,
            }
        }
        (partial, parsed)
    }

    fn open(&self) -> Option<Generation> {
        let partial = self.layout.partial();
        if !partial.exists() {
            return None;
        }
        let opened = Generation::open_unpublished(&partial, &self.fingerprint).ok();
        let opened = opened.filter(|partial| partial.verify().is_ok());
        if opened.is_none() {
            self.layout.remove_partial();
        }
        opened
    }

    /// Writes the partial index of a stage, and returns it with the number of parsed files. The index
    /// is `None` if the former one contains all files of the stage. Returns `None` after a failure.
    fn run_stage(&self, stage: &Scan, partial: Option<&Generation>) -> Option<(Option<Generation>, usize)> {
        let previous = partial.map(|generation| PreviousGeneration { generation, is_sibling: true });
        let plan = plan(stage, partial);
        if plan.steps.iter().all(is_known) {
            return Some((None, 0));
        }
        let known = known(&plan, stage);
        let folder = self.write_lock.begin().ok()?;
        let build = Build {
            root: self.root,
            registry: self.registry,
            fingerprint: self.fingerprint,
            scan: stage,
            scanned: self.scanned,
            plan: &plan,
            previous: previous.as_ref(),
            progress: &self.forwarder(known),
        };
        let parsed = build.run_partial(&folder);
        let kept = parsed.ok().and_then(|parsed| Some((self.write_lock.keep_partial(&folder).ok()?, parsed)));
        let Some((folder, parsed)) = kept else {
            let _ = std::fs::remove_dir_all(&folder);
            return None;
        };
        let opened = Generation::open_unpublished(&folder, &self.fingerprint).ok()?;
        Some((Some(opened), parsed))
    }

    fn forwarder(&self, known: (usize, u64)) -> ProgressForwarder<'_> {
        let all = (self.scan.files.len(), bytes(&self.scan.files));
        ProgressForwarder { progress: self.progress, write_lock: self.write_lock, known, all: Some(all) }
    }
}

/// Returns the plan that takes over the files of a partial index.
pub(super) fn plan(scan: &Scan, partial: Option<&Generation>) -> RefreshPlan {
    partial.map_or_else(|| RefreshPlan::all(scan), |partial| RefreshPlan::compare(scan, &partial.manifest))
}

/// Returns the number of files that need not be parsed, and their size in bytes.
pub(super) fn known(plan: &RefreshPlan, scan: &Scan) -> (usize, u64) {
    let known = plan.steps.iter().zip(&scan.files).filter(|(step, _)| is_known(step)).map(|(_, file)| file.stamp.size);
    known.fold((0, 0), |(count, bytes), size| (count + 1, bytes + size))
}

fn is_known(step: &RefreshStep) -> bool {
    matches!(step, RefreshStep::Same(_) | RefreshStep::SameSkip(_))
}

pub(super) fn bytes(files: &[ScannedFile]) -> u64 {
    files.iter().map(|file| file.stamp.size).sum()
}

/// Returns the number of files up to the end of each stage but the last.
fn stage_ends(files: &[ScannedFile]) -> Vec<usize> {
    let least = LEAST_BYTES.max(bytes(files).div_ceil(MOST_STAGES));
    let (mut ends, mut size) = (Vec::new(), 0);
    for (at, file) in files.iter().enumerate() {
        size += file.stamp.size;
        if size >= least && at + 1 < files.len() {
            ends.push(at + 1);
            size = 0;
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_scan::Stamp;

    #[test]
    fn stages_are_few_and_not_small() {
        let files = |sizes: &[u64]| -> Vec<ScannedFile> {
            let file = |&size: &u64| ScannedFile { path: String::new(), stamp: Stamp { size, ..Stamp::default() } };
            sizes.iter().map(file).collect()
        };
        assert!(stage_ends(&files(&[LEAST_BYTES / 2, LEAST_BYTES / 4])).is_empty());
        assert!(stage_ends(&files(&[LEAST_BYTES])).is_empty(), "the last stage is the index itself");
        assert_eq!(stage_ends(&files(&[LEAST_BYTES / 2; 5])), [2, 4]);
        assert!(stage_ends(&files(&[LEAST_BYTES; 100])).len() < MOST_STAGES as usize);
    }
}
