//! Builds a standalone index of some files in a separate folder, for an archive. Nothing refers to
//! it or refreshes it.

use super::plan::RefreshPlan;
use super::progress::Progress;
use super::write::Build;
use crate::store::{Fingerprint, Generation, create_folder};
use std::path::Path;
use whichfn_scan::Scan;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Result};

/// Builds the index of the files of a scan below `root` into `folder`, from scratch: except for the
/// manifest, its bytes depend only on the content of the files.
///
/// The build records next to `folder` which file it is parsing, so two concurrent builds need two
/// different parent folders.
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
    Generation::built_in(folder, &fingerprint)
}
