//! An environment for one end-to-end run: the real program, a repository to search, and a private
//! cache and configuration. None of the environment variables of the person who runs the tests are
//! passed on.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
pub use whichfn_testing::{PATIENCE, entries};

/// A home directory with one repository in it.
pub struct Env {
    dir: tempfile::TempDir,
}

impl Env {
    /// Creates an environment with an empty repository.
    pub fn new() -> Self {
        let dir = tempfile::Builder::new().prefix("whichfn-test-").tempdir().expect("temporary directory");
        for part in ["home", "cache", "config", "repo/.git"] {
            std::fs::create_dir_all(dir.path().join(part)).expect("directory");
        }
        Self { dir }
    }

    /// Creates an environment with a repository of these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let env = Self::new();
        files.iter().for_each(|(path, text)| env.write(path, text));
        env
    }

    /// Returns the repository's root.
    pub fn repo(&self) -> PathBuf {
        self.dir.path().canonicalize().expect("directory").join("repo")
    }

    /// Returns a path in the repository.
    pub fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.repo().join(path)
    }

    /// Returns a path next to the repository.
    pub fn outside(&self, path: impl AsRef<Path>) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Writes a file in the repository.
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.at(path);
        std::fs::create_dir_all(path.parent().expect("parent")).expect("directory");
        std::fs::write(path, content).expect("file written");
    }

    /// Writes the user's own settings file.
    pub fn write_user_settings(&self, text: &str) {
        let folder = self.dir.path().join("config/whichfn");
        std::fs::create_dir_all(&folder).expect("directory");
        std::fs::write(folder.join("whichfn.toml"), text).expect("settings written");
    }

    pub fn remove(&self, path: impl AsRef<Path>) {
        std::fs::remove_file(self.at(path)).expect("file removed");
    }

    pub fn rename(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) {
        std::fs::rename(self.at(from), self.at(to)).expect("file renamed");
    }

    /// Returns the directory of this repository's index, which must exist.
    pub fn index_folder(&self) -> PathBuf {
        let mut folders = entries(&self.dir.path().join("cache/whichfn"));
        assert_eq!(folders.len(), 1, "one repository has one index folder: {folders:?}");
        folders.remove(0)
    }

    /// Returns a command that runs the program in the repository, for a test that starts it itself.
    pub fn process(&self) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_whichfn"));
        self.set_environment(&mut command);
        command
    }

    /// Does the same as [`Env::process`], but an interrupt ends the process: `nohup` and some CI
    /// runners start programs with SIGINT ignored, and an ignored signal is inherited.
    #[cfg(unix)]
    #[allow(unsafe_code)] // `pre_exec` is unsafe: see the two comments below
    pub fn interruptible_process(&self) -> std::process::Command {
        use std::os::unix::process::CommandExt;
        let mut command = self.process();
        let restore = || {
            // SAFETY: `signal` may be called between fork and exec.
            unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
            Ok(())
        };
        // SAFETY: `restore` allocates nothing and takes no lock.
        unsafe { command.pre_exec(restore) };
        command
    }

    /// Returns a command for a program other than whichfn, with the same environment.
    pub fn other_process(&self, program: impl AsRef<OsStr>) -> std::process::Command {
        let mut command = std::process::Command::new(program);
        self.set_environment(&mut command);
        command
    }

    fn set_environment(&self, command: &mut std::process::Command) {
        command.env_clear().current_dir(self.repo()).stdin(Stdio::null());
        for kept in ["PATH", "SYSTEMROOT", "LLVM_PROFILE_FILE"] {
            if let Some(value) = std::env::var_os(kept) {
                command.env(kept, value);
            }
        }
        let place = |part: &str| self.dir.path().join(part);
        command
            .env("HOME", place("home"))
            .env("XDG_CACHE_HOME", place("cache"))
            .env("XDG_CONFIG_HOME", place("config"));
        command.env("LOCALAPPDATA", place("cache"));
    }

    /// Runs the program in the repository.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, |_| {})
    }

    /// Runs the program in the repository; `prepare` may change the command.
    pub fn run_with(&self, arguments: &[&str], prepare: impl FnOnce(&mut assert_cmd::Command)) -> Ran {
        let mut command = assert_cmd::Command::from_std(self.process());
        command.args(arguments).timeout(PATIENCE);
        prepare(&mut command);
        Ran::new(format!("whichfn {}", arguments.join(" ")), command.output().expect("the program starts"))
    }

    /// Runs the program with these environment variables.
    pub fn run_under(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
        self.run_with(arguments, |command| {
            command.envs(variables.iter().copied());
        })
    }

    /// Returns the names of the functions found, best first. At least one must be found.
    pub fn ask(&self, arguments: &[&str]) -> Vec<String> {
        let mut all = arguments.to_vec();
        all.push("--jsonl");
        self.run(&all).found().names()
    }
}

/// The result of a finished run.
#[derive(Debug)]
pub struct Ran {
    what: String,
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Reads the output of a finished process. A panic or a fatal signal fails every test.
    pub fn new(what: String, output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let ran = Self { what, code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) };
        assert!(ran.code.is_some(), "{} ended by a signal, or was too slow: {ran:#?}", ran.what);
        assert!(!ran.err.contains("panicked at"), "a panic: {ran:#?}");
        ran
    }

    fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Asserts status 0: something was found and printed.
    pub fn found(self) -> Self {
        let ran = self.ended(0);
        assert!(!ran.out.is_empty(), "{ran:#?}");
        ran
    }

    /// Asserts status 1: nothing was found, and stderr reports that.
    pub fn nothing(self) -> Self {
        let ran = self.ended(1);
        assert!(ran.err.starts_with("whichfn: "), "an empty list says why: {ran:#?}");
        ran
    }

    /// Asserts status 2, nothing on stdout, and on stderr one line with the error and one with the
    /// next step, which contain these words.
    pub fn failed(self, words: &[&str]) -> Self {
        let ran = self.ended(2);
        assert_eq!(ran.out, "", "an error prints no results: {ran:#?}");
        let lines: Vec<_> = ran.err.lines().filter(|line| !line.starts_with("whichfn: ")).collect();
        assert!(lines.len() == 2 && lines[0].starts_with("error: ") && lines[1].starts_with(" next: "), "{ran:#?}");
        ran.stderr_contains(words)
    }

    /// Asserts that stderr contains these words.
    pub fn stderr_contains(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.err.contains(word), "stderr lacks `{word}`: {self:#?}");
        }
        self
    }

    /// Asserts that stderr is empty.
    pub fn without_stderr(self) -> Self {
        assert_eq!(self.err, "", "{self:#?}");
        self
    }

    /// Returns stdout as one JSON value.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("not JSON ({e}): {self:#?}"))
    }

    /// Returns stdout as one JSON value per line.
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("not JSON ({e}): {line}")))
            .collect()
    }

    /// Returns the names of the results of `--jsonl`, best first.
    pub fn names(&self) -> Vec<String> {
        self.each("name")
    }

    /// Returns the paths of the results of `--jsonl`, best first.
    pub fn paths(&self) -> Vec<String> {
        self.each("path")
    }

    fn each(&self, field: &str) -> Vec<String> {
        self.json_lines().iter().map(|result| result[field].as_str().expect("text").to_owned()).collect()
    }
}
