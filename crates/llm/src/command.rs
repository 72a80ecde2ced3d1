//! Runs a program as a model. It reads the prompt from its standard input and writes the reply to
//! its standard output.
//!
//! **Cost:** one process per call, and three threads while it runs. A program may write before it
//! has read the whole prompt, or never read it at all, and neither case may cause a deadlock.

use super::message::one_line;
use super::retry::PIPE_TIMEOUT;
use super::{Cancel, Model, Reply, Request, RetryPolicy};
use std::io::{self, Read, Write};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_system::process_group::{kill_and_wait, start, start_thread};

/// Maximum size of a reply in bytes.
const LONGEST_REPLY: u64 = 4 << 20;
/// Time between two checks of a running program.
const GLANCE: Duration = Duration::from_millis(10);

/// A command line that completes prompts.
#[derive(Debug)]
pub struct CommandModel {
    line: String,
    name: String,
    retry: RetryPolicy,
    cancel: Cancel,
}

impl CommandModel {
    /// Creates a model from a command line for the shell (`sh -c`; on Windows `cmd /C`). `retry`
    /// limits how long the command may run without a reply.
    pub fn new(line: &str, retry: RetryPolicy, cancel: Cancel) -> Self {
        // Assignments before the program's name, and its arguments, may contain secrets; the name
        // does not.
        let name = line.split_whitespace().find(|word| !word.contains('=')).unwrap_or("the command");
        Self { line: line.to_owned(), name: one_line(name), retry, cancel }
    }

    /// Waits until the program exits. Kills it at the deadline, or if the run is cancelled.
    fn wait(&self, child: &mut Child, until: Instant) -> Result<ExitStatus> {
        loop {
            let ended = child.try_wait().map_err(|cause| self.failed(&format!("cannot be monitored: {cause}")))?;
            if let Some(status) = ended {
                return Ok(status);
            }
            let stop = match self.cancel.check() {
                Err(cancelled) => Some(cancelled),
                Ok(()) if Instant::now() >= until => Some(self.too_slow()),
                Ok(()) => None,
            };
            if let Some(error) = stop {
                kill_and_wait(child);
                return Err(error);
            }
            std::thread::sleep(GLANCE);
        }
    }

    fn failed(&self, how: &str) -> Error {
        Error::new(Kind::Model, format!("`{}` {how}", self.name), Remedy::TryModelCommand)
    }

    fn too_slow(&self) -> Error {
        let what = format!("`{}` did not answer within {} s", self.name, self.retry.idle_timeout.as_secs_f64());
        Error::new(Kind::Model, what, Remedy::WaitLonger)
    }
}

impl Model for CommandModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete(&self, request: &Request<'_>) -> Result<Reply> {
        self.cancel.check()?;
        let until = Instant::now() + self.retry.idle_timeout;
        let mut shell = shell(&self.line);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, _running) =
            start(&mut shell).map_err(|cause| self.failed(&format!("cannot be started: {cause}")))?;
        let [out, err] = open_pipes(&mut child, request.prompt).map_err(|cause| {
            kill_and_wait(&mut child);
            self.failed(&format!("was stopped: cannot start a thread: {cause}"))
        })?;
        let status = self.wait(&mut child, until)?;
        if !status.success() {
            let stderr = err.recv_timeout(PIPE_TIMEOUT).unwrap_or_default();
            let stderr = String::from_utf8_lossy(&stderr);
            tracing::debug!(%stderr, "the command failed");
            let last = stderr.lines().rev().map(one_line).find(|line| !line.is_empty());
            let last = last.map_or(String::new(), |line| format!(": {line}"));
            let how = status
                .code()
                .map_or("was terminated by a signal".to_owned(), |code| format!("failed with status {code}"));
            return Err(self.failed(&(how + &last)));
        }
        let left = until.saturating_duration_since(Instant::now()).max(PIPE_TIMEOUT);
        let text = out.recv_timeout(left).map_err(|_| self.too_slow())?;
        Ok(Reply { text: String::from_utf8_lossy(&text).into_owned(), tries: 1, ..Reply::default() })
    }
}

/// Starts one thread each to write the prompt, to read standard output and to read standard error.
fn open_pipes(child: &mut Child, prompt: &str) -> io::Result<[Receiver<Vec<u8>>; 2]> {
    let (prompt, stdin) = (prompt.to_owned(), child.stdin.take());
    // A program that does not read its prompt closes the pipe, which is not an error.
    start_thread(move || drop(stdin.map(|mut stdin| stdin.write_all(prompt.as_bytes()))))?;
    Ok([gather(child.stdout.take())?, gather(child.stderr.take())?])
}

/// Reads a pipe to its end in a thread, which sends all bytes as one message.
fn gather(pipe: Option<impl Read + Send + 'static>) -> io::Result<Receiver<Vec<u8>>> {
    let (sender, receiver) = channel();
    start_thread(move || {
        let mut bytes = Vec::new();
        // Data before a failed read is worth keeping.
        let _ = pipe.map(|pipe| pipe.take(LONGEST_REPLY).read_to_end(&mut bytes));
        let _ = sender.send(bytes);
    })?;
    Ok(receiver)
}

#[cfg(not(windows))]
fn shell(line: &str) -> std::process::Command {
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(line);
    shell
}

#[cfg(windows)]
fn shell(line: &str) -> std::process::Command {
    use std::os::windows::process::CommandExt;
    let mut shell = std::process::Command::new("cmd");
    // Passes quotes to the shell as they were typed.
    shell.arg("/C").raw_arg(line);
    shell
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn run(line: &str) -> Result<Reply> {
        run_for(line, Duration::from_secs(20), "two\nlines\n")
    }

    fn run_for(line: &str, idle_timeout: Duration, prompt: &str) -> Result<Reply> {
        let retry = RetryPolicy { idle_timeout, ..RetryPolicy::default() };
        CommandModel::new(line, retry, Cancel::default()).complete(&Request::new(prompt))
    }

    fn text(line: &str) -> String {
        run(line).expect(line).text
    }

    #[test]
    fn passes_the_prompt_and_returns_the_output() {
        assert_eq!(text("cat"), "two\nlines\n");
        assert_eq!(text("wc -l | tr -d ' \\n'"), "2");
        assert_eq!(text("cat >/dev/null; printf 'gr\\374n'"), "gr\u{fffd}n");
    }

    #[test]
    fn accepts_a_program_that_ignores_its_input() {
        let long = "x".repeat(1 << 20);
        assert_eq!(run_for("echo hi", Duration::from_secs(20), &long).expect("reply").text, "hi\n");
        assert_eq!(run_for("cat", Duration::from_secs(20), &long).expect("reply").text.len(), long.len());
    }

    #[test]
    fn an_error_shows_the_last_line_but_not_the_arguments() {
        let error =
            run("TOKEN=sk-1 false --key sk-2; echo first >&2; echo 'no such model' >&2; exit 3").expect_err("error");
        assert_eq!(error.what(), "`false` failed with status 3: no such model");
        assert!(run("no-such-program-here").expect_err("error").what().contains("status 127"));
        assert!(run("kill -9 $$").expect_err("error").what().contains("a signal"));
    }

    #[test]
    fn kills_a_slow_program() {
        let error = run_for("sleep 60", Duration::from_millis(50), "").expect_err("error");
        assert!(error.what().contains("did not answer") && error.remedy() == &Remedy::WaitLonger, "{error}");
    }

    #[test]
    fn kills_the_children_of_a_slow_program() {
        let folder = tempfile::tempdir().expect("folder");
        let started = folder.path().join("pid");
        let line = format!("sh -c 'echo $$ > {}; exec sleep 600' | cat", started.display());
        // A busy machine may need longer until the inner shell runs.
        let pid = [1, 4, 16, 64].into_iter().find_map(|limit| {
            run_for(&line, Duration::from_secs(limit), "").expect_err("too slow");
            std::fs::read_to_string(&started).ok().filter(|pid| pid.ends_with('\n'))
        });
        let pid = pid.expect("it was started");
        let is_there = || {
            let known = std::process::Command::new("kill").args(["-0", pid.trim()]).stderr(Stdio::null()).status();
            // If no process reaps it, it remains as a zombie.
            let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
            known.is_ok_and(|known| known.success()) && !state.contains(") Z ")
        };
        let since = Instant::now();
        while is_there() && since.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(GLANCE);
        }
        assert!(!is_there(), "it lives on");
    }

    #[test]
    fn starts_no_program_after_cancellation() {
        let cancel = Cancel::default();
        cancel.cancel();
        let command = CommandModel::new("cat", RetryPolicy::default(), cancel);
        assert_eq!(command.complete(&Request::new("")).expect_err("error").kind(), Kind::Cancelled);
    }
}
