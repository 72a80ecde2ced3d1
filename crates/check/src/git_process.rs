//! Runs one process of the `git` program within limits: a deadline, and a maximum number of output
//! bytes.
//!
//! A repository can make git wait (a pipe in place of a file) or print endlessly (trees within
//! trees). When a limit is reached, or the reader of the output fails, the whole process group is
//! killed and reaped.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};
use whichfn_system::process_group::{RunningGroup, kill_and_wait, start, start_thread};

/// Maximum number of bytes of error messages to keep.
const LONGEST_MESSAGE: u64 = 16 << 10;
/// Number of bytes to read from the pipe at once.
const PIECE: usize = 64 << 10;
/// Longest pause between two checks of a process that closed its output.
const LONGEST_PAUSE: Duration = Duration::from_millis(10);
/// Maximum private memory of git in bytes, where the system can limit it (Linux). Files that git
/// maps do not count; the index of a repository with 500,000 files takes about 400 MB.
#[cfg(target_os = "linux")]
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
    /// It could not be started.
    NotStarted(String),
    /// The process ended with this status (`None` after a signal) and this message.
    Status(Option<i32>, String),
    /// It was ended or not started here, for this reason.
    Stopped(GitStop, String),
}

/// Why this program ended git or did not start it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GitStop {
    /// The deadline.
    Time,
    /// The limit on what git may print.
    Output,
    /// The limits on the files of a commit.
    Tree,
    /// A temporary folder could not be written.
    Folder,
    /// A thread could not be started.
    Thread,
    /// Git did not understand a question.
    Version,
    /// A pipe or a device in the place of a file.
    Pipe,
    /// The output or the index could not be read.
    Unreadable,
}

impl GitFailure {
    /// Returns the message on one line.
    pub fn message(&self) -> &str {
        match self {
            Self::NotStarted(message) | Self::Status(_, message) | Self::Stopped(_, message) => message,
        }
    }

    /// The failure for an error of the reader of git's output.
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

/// The output of a running process, which ends with an error at a limit.
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

/// The buffered output of a running process.
pub(super) type GitReader = BufReader<GitOutput>;

/// Runs a git command with this input, and returns the result of `read` on its output. `read` may
/// stop before the end.
///
/// # Errors
/// Returns an error if git cannot be started, fails or reaches a limit, or when `read` fails.
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
        start(&mut command).map_err(|cause| GitFailure::NotStarted(format!("git cannot be run: {cause}")))?;
    limit_memory(&child);
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

/// Waits for a process that closed its output to exit; returns `None` at the deadline.
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

/// Sends all data from a pipe, until its end or until the receiver is dropped.
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

/// Pieces of the output, and the first bytes of the error messages.
type GitPipes = (Receiver<io::Result<Vec<u8>>>, Receiver<Vec<u8>>);

/// Starts threads that write the input of a process and read its output.
///
/// Git may print before it has read its input, so each pipe has a thread. The threads end when the
/// process group does.
fn read_pipes(child: &mut Child, input: Vec<u8>) -> io::Result<GitPipes> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    start_thread(move || drop(stdin.map(|mut stdin| stdin.write_all(&input))))?;
    let (sender, pieces) = sync_channel(4);
    start_thread(move || stdout.map_or((), |stdout| send_pieces(stdout, &sender)))?;
    let (sender, message) = channel();
    start_thread(move || drop(stderr.map(|stderr| sender.send(first_bytes(stderr)))))?;
    Ok((pieces, message))
}

/// Returns the first bytes of a pipe as one message. The rest is read and dropped, so that the
/// writer never waits.
fn first_bytes(mut pipe: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = pipe.by_ref().take(LONGEST_MESSAGE).read_to_end(&mut bytes);
    let _ = io::copy(&mut pipe, &mut io::sink());
    bytes
}

/// Returns the line that gives the reason why git failed; warnings may precede it.
fn first_line(message: &[u8]) -> String {
    let message = String::from_utf8_lossy(message);
    let fatal = message.lines().find(|line| line.starts_with("fatal: "));
    fatal.or_else(|| message.lines().next()).unwrap_or("git failed without a message").to_owned()
}

/// Converts the bytes of a path that git printed.
#[cfg(unix)]
pub(super) fn path_from(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub(super) fn path_from(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// Limits the memory of a process that was just started.
fn limit_memory(child: &Child) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let limit = Rlimit { current: Some(MAX_MEMORY), maximum: Some(MAX_MEMORY) };
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        // A lower system limit stays in effect; without any limit, the deadline still applies.
        let _ = pid.map(|pid| prlimit(Some(pid), Resource::Data, limit));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = child;
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
