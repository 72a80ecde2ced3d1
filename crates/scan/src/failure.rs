//! Distinguishes a file that cannot be read from a failure of the machine.
//!
//! A file that is missing or not readable is skipped and counted. A failure of the machine (too few
//! file descriptors, too little memory, a broken disk) is unrelated to the file. Skipping the file
//! would then give an incomplete answer, so the run ends with an error.

use std::io::{self, ErrorKind};
use std::path::Path;
use whichfn_system::error::{Error, Kind};

/// Returns the error that ends the run if `cause` is a failure of the machine, or `None` if the
/// file itself is the cause.
pub(super) fn machine_failure(path: &Path, cause: &io::Error) -> Option<Error> {
    let next = advice(cause)?;
    let what = Error::io(Kind::Path, "read", path, cause).what().to_owned();
    Some(Error::new(Kind::Path, what, next))
}

/// Returns what to do after a failure of the machine, or `None` if `cause` is not such a failure.
///
/// `EAGAIN` is not such a failure: opening a file returns it while another process holds a lease on
/// that file, so only this file is affected.
#[cfg(unix)]
fn advice(cause: &io::Error) -> Option<&'static str> {
    use rustix::io::Errno;
    Some(match Errno::from_io_error(cause)? {
        Errno::MFILE => "raise the limit on open files (ulimit -n), or close connections, then try again",
        Errno::NFILE => "close other programs, because the whole system has too many open files, then try again",
        Errno::NOMEM | Errno::NOBUFS => "free up some memory, or raise its limit (ulimit -v), then try again",
        Errno::NOSPC | Errno::DQUOT => "free up some disk space, then try again",
        Errno::IO => "check the disk; if only this file is damaged, list it in .whichfnignore",
        Errno::TIMEDOUT
        | Errno::STALE
        | Errno::NOTCONN
        | Errno::CONNRESET
        | Errno::CONNABORTED
        | Errno::CONNREFUSED
        | Errno::HOSTDOWN
        | Errno::HOSTUNREACH
        | Errno::NETDOWN
        | Errno::NETUNREACH => "check the connection to the network file system, then try again",
        Errno::INTR | Errno::BADF | Errno::FAULT | Errno::NOSYS => "try again",
        _ => return None,
    })
}

/// Returns what to do after a failure of the machine, or `None` if `cause` is not such a failure.
#[cfg(not(unix))]
fn advice(cause: &io::Error) -> Option<&'static str> {
    match cause.kind() {
        ErrorKind::OutOfMemory => Some("free up some memory, then try again"),
        ErrorKind::TimedOut | ErrorKind::StaleNetworkFileHandle => {
            Some("check the connection to the network file system, then try again")
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Some("free up some disk space, then try again"),
        ErrorKind::Interrupted => Some("try again"),
        _ => None,
    }
}

/// Returns the value of a successful read, `None` if `path` cannot be read, or an error if the
/// machine failed.
pub(super) fn readable<T>(path: &Path, result: io::Result<T>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(cause) => machine_failure(path, &cause).map_or(Ok(None), Err),
    }
}

/// Checks whether an error means that the path does not exist.
pub(super) fn is_not_found(cause: &io::Error) -> bool {
    matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn only_machine_failures_end_the_scan() {
        let ends = |errno: Errno| machine_failure(Path::new("a.py"), &errno.into());
        for errno in [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::IO, Errno::STALE, Errno::NOSPC] {
            assert!(ends(errno).is_some_and(|error| error.what().contains("a.py")), "{errno:?}");
        }
        for errno in
            [Errno::NOENT, Errno::ACCESS, Errno::PERM, Errno::LOOP, Errno::NAMETOOLONG, Errno::ISDIR, Errno::AGAIN]
        {
            assert_eq!(ends(errno), None, "{errno:?}");
        }
        assert!(ends(Errno::MFILE).is_some_and(|error| format!("{:?}", error.remedy()).contains("ulimit -n")));
    }
}
