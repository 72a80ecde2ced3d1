//! Takes the place of downloads in builds without an HTTP client.

use super::catalog::CatalogModel;
use super::{Installing, NO_DOWNLOAD};
use std::path::Path;
use whichfn_system::error::{Error, Kind, Result};

/// Returns an error: this build cannot download.
pub(super) fn fetch(model: &CatalogModel, _: &str, _: &Path, _: Installing<'_>) -> Result<()> {
    let what = format!("this build of whichfn cannot download {}: it has no HTTP client", model.name);
    Err(Error::new(Kind::Model, what, NO_DOWNLOAD))
}
