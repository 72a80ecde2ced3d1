//! Turns panics of tantivy into errors.
//!
//! tantivy trusts the bytes of an index: a damaged number can lead it past the end of a file. The
//! checksums find damage when an index is opened, but not what happens to its files after that.

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Once;
use std::thread;
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Starts of the names of tantivy's own threads.
const THREADS: [&str; 3] = ["thrd-tantivy", "segment_updater", "merge_thread"];

thread_local! {
    /// True while panics of this thread are caught.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs work with an index. A panic is returned as an error, and its message is not printed. A panic
/// whose payload is not a text is a signal for a caller, and continues.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let thread = thread::current();
            let is_tantivy = thread.name().is_some_and(|name| THREADS.iter().any(|start| name.starts_with(start)));
            if !is_tantivy && !IS_CAUGHT.get() {
                usual(info);
            }
        }));
    });
    let outer = IS_CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(outer);
    done.unwrap_or_else(|raised| {
        let text = raised.downcast_ref::<String>().map(String::as_str).or(raised.downcast_ref::<&str>().copied());
        match text {
            Some(text) => Err(unusable(&text)),
            None => resume_unwind(raised),
        }
    })
}

/// Returns the error about an index that cannot be used.
pub(crate) fn unusable(cause: &dyn Display) -> Error {
    Error::new(Kind::Index, format!("cannot search the text files: {cause}"), Remedy::CheckDisk)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_and_a_signal_continues() {
        let failed = caught(|| -> Result<()> { panic!("no such block") });
        assert!(failed.is_err_and(|error| error.what().contains("no such block")));
        let signal = catch_unwind(|| caught(|| -> Result<()> { resume_unwind(Box::new(7_u32)) }));
        assert!(signal.is_err_and(|raised| raised.is::<u32>()));
        assert!(!IS_CAUGHT.get());
    }
}
