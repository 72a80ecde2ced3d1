//! Recovers from a damaged index file by discarding the index and running the command again.

use whichfn_index::store::{Damaged, Generation, catch_damaged, damaged_archive};
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Runs `work`, which reads an index. If a file of that index is damaged, discards the index and
/// runs `work` once more. The next [`super::Engine::open`] then rebuilds the index and reports
/// this. If `has_answered` returns true, part of the answer was already written, and `work` does
/// not run again, because it would repeat that part.
///
/// # Errors
/// Returns the errors of `work`. Also returns an error if the index cannot be discarded, if it is
/// damaged again, or if the answer is incomplete.
pub fn healing<T>(has_answered: impl Fn() -> bool, work: impl Fn() -> Result<T>) -> Result<T> {
    let damaged = match catch_damaged(&work) {
        Ok(done) => return done,
        Err(damaged) => damaged,
    };
    let is_given_up = Generation::discard(&damaged)
        .map_err(|cause| Error::io(Kind::Index, "discard the damaged index at", &damaged.file, &cause))?;
    if !is_given_up {
        return Err(damaged_archive(&damaged.file));
    }
    if has_answered() {
        let what = format!("the answer is incomplete: {} is damaged", damaged.file.display());
        return Err(Error::new(Kind::Index, what, "run the command again to rebuild the index"));
    }
    catch_damaged(&work).unwrap_or_else(|damaged| Err(unreadable(&damaged)))
}

fn unreadable(damaged: &Damaged) -> Error {
    let what = format!("{} is damaged, although it was just written", damaged.file.display());
    Error::new(Kind::Index, what, Remedy::CheckDisk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Runs work that finds a damaged file the first time. `is_out` is true if part of the answer
    /// was already written by then.
    fn answered(is_out: bool) -> (Result<&'static str>, u32) {
        let times = Cell::new(0);
        let work = || {
            times.set(times.get() + 1);
            match times.get() {
                1 => std::panic::resume_unwind(Box::new(Damaged { file: "nowhere/base".into() })),
                _ => Ok("whole"),
            }
        };
        (healing(|| is_out, work), times.get())
    }

    #[test]
    fn repeats_the_work_unless_a_part_was_written() {
        assert!(matches!(answered(false), (Ok("whole"), 2)));
        let (broken, times) = answered(true);
        assert!(broken.is_err_and(|error| error.what().contains("the answer is incomplete")) && times == 1);
    }
}
