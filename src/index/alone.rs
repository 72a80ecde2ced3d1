//! An index of some files in a folder of its own, that nothing names and nothing refreshes: for an archive.

use super::plan::RefreshPlan;
use super::progress::Progress;
use super::write::Build;
use crate::error::{Error, Kind, Result};
use crate::lang::Registry;
use crate::scan::Scan;
use crate::store::{Fingerprint, Generation, create_folder};
use std::path::Path;

/// Builds the index of the files of a scan below `root` into `folder`, from nothing: so its bytes are a function of their content,
/// but for the manifest. Beside `folder` it is noted what is being parsed, so two builds
/// at a time need two folders around them.
///
/// # Errors
/// When the folder cannot be written.
pub fn build_alone(
    root: &Path,
    scan: &Scan,
    registry: &Registry,
    fingerprint: Fingerprint,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Generation> {
    create_folder(folder).map_err(|cause| Error::io(Kind::Index, "create", folder, &cause))?;
    let plan = RefreshPlan::all(scan);
    Build { root, registry, fingerprint, scan, scanned: 0, plan: &plan, former: None, progress }.run(folder)?;
    Generation::built_in(folder, &fingerprint)
}
