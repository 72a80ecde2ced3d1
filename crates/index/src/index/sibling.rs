//! Starts a new index from the index of another checkout of the same repository: a worktree or a
//! clone. Only files that differ are parsed.
//!
//! **Invariant:** except for the manifest, the new index has the same bytes as one built from
//! scratch, because every file is read, and only data of files with an equal content hash is taken
//! over.

use super::plan::{RefreshPlan, RefreshStep};
use crate::store::{Fingerprint, Generation, Layout};
use std::path::{Path, PathBuf};
use whichfn_scan::{Scan, checkout_digests};
use whichfn_system::error::Result;

/// The index of another checkout, and the plan that uses it.
pub(super) struct Sibling {
    pub generation: Generation,
    pub plan: RefreshPlan,
    /// Root of the other checkout.
    pub root: PathBuf,
}

/// Finds the index of a checkout of the same repository that shares the most files.
///
/// Returns `None` if there is none with at least half of the files, from which copying would cost
/// more than it saves.
///
/// # Errors
/// Returns an error if the machine failed.
pub(super) fn sibling(root: &Path, layout: &Layout, fingerprint: &Fingerprint, scan: &Scan) -> Result<Option<Sibling>> {
    let digests = checkout_digests(root);
    if digests.is_empty() {
        return Ok(None);
    }
    let mut best: Option<(usize, Sibling)> = None;
    for other in layout.others(&digests) {
        let Ok(generation) = Generation::open(&other, fingerprint) else { continue };
        let mut plan = RefreshPlan::compare(scan, &generation.manifest);
        if same(&plan, true) * 2 < scan.files.len() {
            continue;
        }
        // Times of files in another checkout do not show whether the files here are equal.
        plan.verify_steps(root, scan, &generation.manifest, true)?;
        let count = same(&plan, false);
        let is_better = best.as_ref().is_none_or(|(most, _)| count > *most);
        if count * 2 >= scan.files.len() && is_better {
            let root = PathBuf::from(&generation.manifest.root);
            let is_complete = count == scan.files.len();
            best = Some((count, Sibling { generation, plan, root }));
            if is_complete {
                break;
            }
        }
    }
    Ok(best.map(|(_, sibling)| sibling))
}

/// Returns the number of files that are unchanged or, with `or_known`, have a record.
fn same(plan: &RefreshPlan, or_known: bool) -> usize {
    let counts = |step: &&RefreshStep| match step {
        RefreshStep::Same(_) | RefreshStep::SameSkip(_) => true,
        RefreshStep::Load(known) => or_known && known.is_some(),
        RefreshStep::LoadSkip(_) => or_known,
    };
    plan.steps.iter().filter(counts).count()
}
