//! Runs a process of the `git` program within limits: a deadline, and a maximum number of output
//! bytes.
//!
//! A repository can make git wait (through a pipe in place of a file) or print without end (through
//! trees within trees). When a limit is reached, or when the reader of the output fails, the whole
//! process group is killed.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};
use whichfn_system::platform::limit_memory;
use whichfn_system::process_group::{RunningGroup, kill_and_wait, start, start_thread};

/// Maximum number of bytes of git's error messages that are kept.
const LONGEST_MESSAGE: u64 = 16 << 10;
/// Maximum number of bytes that are read from a pipe at once.
const PIECE: usize = 64 << 10;
/// Longest pause between two checks for the exit of a process that has closed its output.
const LONGEST_PAUSE: Duration = Duration::from_millis(10);
/// Maximum private memory of git in bytes, on systems that can limit it (Linux). Files that git
/// maps do not count. The index of a repository with 500,000 files takes about 400 MB.
const MAX_MEMORY: u64 = 1 << 30;

/// Resource limits of a git process.
#[derive(Debug, Clone, Copy)]
pub(super) struct GitLimits {
    /// Maximum running time.
    pub time: Duration,
    /// Maximum number of output bytes.
    pub bytes: u64,
}

/// The reason why a git process returned no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GitFailure {
    /// The process could not be started, with this message.
    NotStarted(String),
    /// The process exited with this status (`None` after a signal) and this error message.
    Status(Option<i32>, String),
    /// This program stopped the process or did not start it, for this reason and with this message.
    Stopped(GitStop, String),
}

/// The reason why this program stopped git or did not start it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GitStop {
    /// Git did not finish before the deadline.
    Time,
    /// Git printed more than the limit.
    Output,
    /// A commit exceeds the limits on its files.
    Tree,
    /// A temporary folder could not be written.
    Folder,
    /// A thread could not be started.
    Thread,
    /// The version of git does not support a command.
    Version,
    /// A pipe or device is in the place of a file.
    Pipe,
    /// Git's output or the index could not be read.
    Unreadable,
}

impl GitFailure {
    /// Returns the failure's message as one line.
    pub fn message(&self) -> &str {
        match self {
            Self::NotStarted(message) | Self::Status(_, message) | Self::Stopped(_, message) => message,
        }
    }

    /// Creates a failure from an error of the function that reads git's output.
    fn from_reader(cause: &io::Error) -> Self {
        let stop = match cause.kind() {
            ErrorKind::TimedOut => GitStop::Time,
            ErrorKind::FileTooLarge => GitStop::Output,
            ErrorKind::QuotaExceeded => GitStop::Tree,
            _ => GitStop::Unreadable,
        };
        Self::Stopped(stop, cause.to_string())
    }
}

/// The output of a running process. Reading it fails when a limit is reached.
pub(super) struct GitOutput {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: io::Cursor<Vec<u8>>,
    deadline: Instant,
    limits: GitLimits,
    left: u64,
}

impl Read for GitOutput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.piece.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            let piece = match self.pieces.recv_timeout(left) {
                Ok(piece) => piece?,
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) => return Err(too_slow(self.limits)),
            };
            let Some(rest) = self.left.checked_sub(piece.len() as u64) else {
                let what = format!("git printed more than {} bytes and was stopped", self.limits.bytes);
                return Err(io::Error::new(ErrorKind::FileTooLarge, what));
            };
            self.left = rest;
            self.piece = io::Cursor::new(piece);
        }
    }
}

/// The buffered output of a running git process.
pub(super) type GitReader = BufReader<GitOutput>;

/// Runs a git command with the given input, and returns the result of `read`, which reads the
/// command's output. `read` may stop before the end.
///
/// # Errors
/// Returns an error if git cannot be started, fails or reaches a limit, or if `read` fails.
pub(super) fn run_git<T>(
    mut command: std::process::Command,
    input: Vec<u8>,
    limits: GitLimits,
    read: impl FnOnce(&mut GitReader) -> io::Result<T>,
) -> Result<T, GitFailure> {
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    let deadline = Instant::now() + limits.time;
    let (mut child, _group): (Child, RunningGroup) =
        start(&mut command).map_err(|cause| GitFailure::NotStarted(format!("cannot run git: {cause}")))?;
    limit_memory(&child, MAX_MEMORY);
    let (pieces, message) = read_pipes(&mut child, input).map_err(|cause| {
        kill_and_wait(&mut child);
        GitFailure::Stopped(GitStop::Thread, format!("cannot start a thread: {cause}"))
    })?;
    let output = GitOutput { pieces, piece: io::Cursor::new(Vec::new()), deadline, limits, left: limits.bytes };
    let mut reader = BufReader::new(output);
    let result = read(&mut reader);
    let is_at_end = match &result {
        Ok(_) => reader.fill_buf().is_ok_and(<[u8]>::is_empty),
        // Git's own message explains truncated output better than the reader's error.
        Err(cause) => cause.kind() == ErrorKind::UnexpectedEof,
    };
    let status = if is_at_end { wait(&mut child, deadline) } else { None };
    let Some(status) = status else {
        kill_and_wait(&mut child);
        return match result {
            Ok(_) if is_at_end => Err(GitFailure::from_reader(&too_slow(limits))),
            result => result.map_err(|cause| GitFailure::from_reader(&cause)),
        };
    };
    if !status.success() {
        let left = deadline.saturating_duration_since(Instant::now()).max(LONGEST_PAUSE);
        let message = message.recv_timeout(left).unwrap_or_default();
        return Err(GitFailure::Status(status.code(), first_line(&message)));
    }
    result.map_err(|cause| GitFailure::from_reader(&cause))
}

fn too_slow(limits: GitLimits) -> io::Error {
    let what = format!("git did not finish within {} s and was stopped", limits.time.as_secs_f64());
    io::Error::new(ErrorKind::TimedOut, what)
}

/// Waits for a process that has closed its output to exit. Returns `None` at the deadline.
fn wait(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    let mut pause = Duration::from_micros(100);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(pause),
            Ok(None) | Err(_) => return None,
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Sends the bytes from a pipe in pieces, until the end of the pipe or until the receiver is
/// dropped.
fn send_pieces(mut pipe: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut piece = vec![0; PIECE];
        let read = match pipe.read(&mut piece) {
            Ok(0) => return,
            Err(cause) if cause.kind() == ErrorKind::Interrupted => continue,
            read => read,
        };
        let is_error = read.is_err();
        let piece = read.map(|read| {
            piece.truncate(read);
            piece
        });
        if sender.send(piece).is_err() || is_error {
            return;
        }
    }
}

/// Receivers for the pieces of the output, and for the first bytes of the error messages.
type GitPipes = (Receiver<io::Result<Vec<u8>>>, Receiver<Vec<u8>>);

/// Starts threads that write a process's input and read its output.
///
/// Git may print before it has read its input, so each pipe has its own thread. The threads end
/// when the process group ends.
fn read_pipes(child: &mut Child, input: Vec<u8>) -> io::Result<GitPipes> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    start_thread(move || drop(stdin.map(|mut stdin| stdin.write_all(&input))))?;
    let (sender, pieces) = sync_channel(4);
    start_thread(move || stdout.map_or((), |stdout| send_pieces(stdout, &sender)))?;
    let (sender, message) = channel();
    start_thread(move || drop(stderr.map(|stderr| sender.send(first_bytes(stderr)))))?;
    Ok((pieces, message))
}

/// Returns the first bytes from a pipe. The remaining bytes are read and dropped, so that the
/// writer never waits.
fn first_bytes(mut pipe: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = pipe.by_ref().take(LONGEST_MESSAGE).read_to_end(&mut bytes);
    let _ = io::copy(&mut pipe, &mut io::sink());
    bytes
}

/// Returns the line of git's error messages that gives the reason for the failure. Warnings may
/// precede this line.
fn first_line(message: &[u8]) -> String {
    let message = String::from_utf8_lossy(message);
    let fatal = message.lines().find(|line| line.starts_with("fatal: "));
    fatal.or_else(|| message.lines().next()).unwrap_or("git failed without a message").to_owned()
}

/// Converts the bytes that git printed for a path to a path.
#[cfg(unix)]
pub(super) fn path_from(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub(super) fn path_from(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(line: &str, time: Duration, bytes: u64) -> Result<Vec<u8>, GitFailure> {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", line]);
        run_git(command, b"input\n".to_vec(), GitLimits { time, bytes }, |output| {
            let mut all = Vec::new();
            output.read_to_end(&mut all).map(|_| all)
        })
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn returns_output_status_and_message() {
        assert_eq!(shell("cat", LONG, 6).as_deref(), Ok(&b"input\n"[..]));
        let failed = shell("echo 'warning: w' >&2; echo 'fatal: f' >&2; exit 3", LONG, 0);
        assert_eq!(failed, Err(GitFailure::Status(Some(3), "fatal: f".to_owned())));
        assert!(matches!(shell("kill -9 $$", LONG, 0), Err(GitFailure::Status(None, _))));
    }

    #[test]
    fn waiting_process_is_killed_with_its_children() {
        let begun = Instant::now();
        for line in ["sleep 50 | cat", "exec >&-; sleep 50", "sleep 50 & echo x"] {
            let stopped = shell(line, Duration::from_millis(200), 100).expect_err("it is too slow");
            assert!(stopped.message().contains("within 0.2 s"), "{line}: {stopped:?}");
        }
        assert!(begun.elapsed() < Duration::from_secs(40), "nothing waited for a sleep");
    }

    #[test]
    fn endless_output_and_messages_are_truncated() {
        let stopped = shell("yes", LONG, 100_000).expect_err("it prints too much");
        assert!(stopped.message().contains("more than 100000 bytes"), "{stopped:?}");
        let failed = shell("head -c 9000000 /dev/zero >&2; exit 1", LONG, 0).expect_err("it fails");
        assert!(failed.message().len() as u64 <= LONGEST_MESSAGE, "the message is cut");
    }
}
