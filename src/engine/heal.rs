//! What happens when a command meets a damaged file of an index: the index is given up, and the command begins anew.

use crate::error::{Error, Kind, Remedy, Result};
use crate::store::{Damaged, Generation, caught};

/// Does something that reads an index. If a file of that index is damaged, does it once more without that index, which
/// the next [`super::Engine::open`] then builds anew and says so.
///
/// # Errors
/// Those of `work`; and when the index cannot be given up, or is damaged again.
pub fn healing<T>(work: impl Fn() -> Result<T>) -> Result<T> {
    let damaged = match caught(&work) {
        Ok(done) => return done,
        Err(damaged) => damaged,
    };
    Generation::discard(&damaged)
        .map_err(|cause| Error::io(Kind::Index, "give up the damaged index at", &damaged.file, &cause))?;
    caught(&work).unwrap_or_else(|damaged| Err(unreadable(&damaged)))
}

fn unreadable(damaged: &Damaged) -> Error {
    let what = format!("{} is damaged, although it was just written", damaged.file.display());
    Error::new(Kind::Index, what, Remedy::CheckDisk)
}
