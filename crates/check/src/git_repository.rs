//! A restricted view of a repository: git sees its objects and its index, but none of its
//! configuration.
//!
//! Git runs programs that are named in a repository's own configuration: filters, credential
//! helpers, commands that fetch. Therefore, only two commands see the real git directory:
//! `rev-parse`, which finds it and resolves revisions, and `config`, for a few file-system
//! settings. All other commands run with a private git directory in a temporary folder, whose
//! configuration is written by whichfn and which borrows the repository's objects and index.

use super::git_pipes::find_pipe;
use super::git_process::{GitFailure, GitLimits, GitReader, GitStop, path_from, run_git};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::process::Command;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use whichfn_system::platform::{link_or_copy, owner_only_folders};
use whichfn_system::process_group::TemporaryFolder;

/// Maximum running time of one git process. With a warm disk cache, git needs well under a second.
/// The slowest command that whichfn runs compares each file of a new clone, which takes a minute
/// for a few gigabytes on a slow disk.
pub(super) const DEADLINE: Duration = Duration::from_secs(60);
/// Time limit for git to find the repository and read its configuration. For this, git opens a few
/// small files and any files that the configuration includes, some of which may be pipes.
const FINDING_DEADLINE: Duration = Duration::from_secs(15);
/// Maximum size in bytes of an output that consists of one or a few lines.
const LONGEST_ANSWER: u64 = 1 << 20;

/// Maximum size in bytes of an index file that is copied. The index of a repository with 500,000
/// files takes about 100 MB.
const LONGEST_INDEX: u64 = 512 << 20;
/// Maximum number of shared index files. One of them is in use, and the others are leftovers.
const MAX_SHARED: usize = 1_000;

/// The caller's environment variables that are kept. They locate the repository, as git sets them
/// for a hook, or configure git for this user, for example to trust other users' directories.
const PLACES: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
];
const USER_SETTINGS: &str = "GIT_CONFIG";

/// Pattern of the file-system settings that are copied from the repository's configuration.
const COPIED: &str = "^core\\.(filemode|ignorecase|precomposeunicode|symlinks|trustctime|checkstat|longpaths)$";
const WORDS: &[&str] = &["true", "false", "yes", "no", "on", "off", "1", "0", "default", "minimal"];

/// A repository and the private git directory through which its objects are read.
pub(super) struct GitRepository<'a> {
    root: &'a Path,
    time: Duration,
    private: TemporaryFolder,
    is_shallow: bool,
    format: String,
    /// Environment variables that locate the repository's objects and index for private commands.
    parts: Vec<(&'static str, OsString)>,
}

impl<'a> GitRepository<'a> {
    /// Opens the repository that contains a folder. Each of its git processes may run for `time`.
    ///
    /// # Errors
    /// Returns an error if there is no repository, if it has pipes in place of files, or if git
    /// cannot be run.
    pub fn open(root: &'a Path, time: Duration) -> Result<Self, GitFailure> {
        if let Some(pipe) = find_pipe(root) {
            return Err(GitFailure::Stopped(GitStop::Pipe, format!("{} is a pipe or a device", pipe.display())));
        }
        let question = [
            "rev-parse",
            "--path-format=absolute",
            "--show-object-format",
            "--is-shallow-repository",
            "--show-toplevel",
            "--absolute-git-dir",
            "--git-path",
            "index",
            "--git-path",
            "objects",
            "--git-path",
            "shallow",
        ];
        let answer = short(real_command(root), question, time.min(FINDING_DEADLINE))?;
        let lines: Vec<&[u8]> = answer.trim_ascii_end().split(|byte| *byte == b'\n').collect();
        let [format, shallow, top, git, index, objects, shallow_file] = lines[..] else {
            let what = "git did not report the paths of the repository";
            return Err(GitFailure::Stopped(GitStop::Version, what.to_owned()));
        };
        let private = private_folder().map_err(|cause| cannot_write(&cause))?;
        let text = |bytes: &[u8]| path_from(bytes).into_os_string();
        let mut repository = Self {
            root,
            time,
            private,
            is_shallow: shallow == b"true",
            format: String::from_utf8_lossy(format).into_owned(),
            parts: vec![
                ("GIT_WORK_TREE", text(top)),
                ("GIT_INDEX_FILE", text(index)),
                ("GIT_OBJECT_DIRECTORY", text(objects)),
            ],
        };
        if repository.is_shallow {
            repository.parts.push(("GIT_SHALLOW_FILE", text(shallow_file)));
        }
        let settings = repository.settings()?;
        repository.fill(&settings, &path_from(git)).map_err(|cause| cannot_write(&cause))?;
        Ok(repository)
    }

    /// Checks whether the clone contains only part of the history.
    pub fn is_shallow(&self) -> bool {
        self.is_shallow
    }

    /// Returns the id of the empty tree, which git knows in every repository.
    pub fn empty_tree(&self) -> &'static str {
        match &*self.format {
            "sha256" => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
            _ => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        }
    }

    /// Copies the index into the private folder, for this and all later commands.
    ///
    /// Some commands refresh the index and write it back, even with `GIT_OPTIONAL_LOCKS=0`. If they
    /// were killed, they would leave `index.lock` behind in the real git directory.
    ///
    /// # Errors
    /// Returns an error if the index cannot be copied.
    pub fn copy_index(&mut self) -> Result<(), GitFailure> {
        let copy = self.private.path().join("index");
        let Some((_, index)) = self.parts.iter_mut().find(|(name, _)| *name == "GIT_INDEX_FILE") else {
            return Ok(());
        };
        copy_with_time(Path::new(index), &copy).map_err(|cause| {
            let stop = match cause.kind() {
                io::ErrorKind::FileTooLarge => GitStop::Unreadable,
                _ => GitStop::Folder,
            };
            GitFailure::Stopped(stop, format!("cannot copy the index to {}: {cause}", copy.display()))
        })?;
        *index = copy.into_os_string();
        Ok(())
    }

    /// Runs `rev-parse` with the given arguments in the real git directory, and returns its output.
    /// It reads references and runs no program.
    ///
    /// # Errors
    /// Returns an error if git fails.
    pub fn resolve(&self, arguments: &[&str]) -> Result<String, GitFailure> {
        let answer = short(real_command(self.root), ["rev-parse"].iter().chain(arguments), self.time)?;
        Ok(String::from_utf8_lossy(&answer).trim().to_owned())
    }

    /// Runs a command in the private git directory. At most `bytes` bytes of its output are passed
    /// to `read`.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`run_git`].
    pub fn run<T>(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
        input: Vec<u8>,
        bytes: u64,
        read: impl FnOnce(&mut GitReader) -> io::Result<T>,
    ) -> Result<T, GitFailure> {
        let mut command = protected_command(self.root, |name| name == "GIT_ALTERNATE_OBJECT_DIRECTORIES");
        command.env("GIT_DIR", self.private.path()).envs(self.parts.iter().map(|(name, value)| (name, value)));
        // Older versions do not know the variables for this and would read the user's
        // configuration.
        command.env("HOME", self.private.path()).env("XDG_CONFIG_HOME", self.private.path());
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", self.private.path().join("none"));
        // No attribute specifies a filter or an encoding. Without the configuration, a filter would
        // not run a program anyway.
        command.env("GIT_ATTR_NOSYSTEM", "1").env("GIT_ATTR_SOURCE", self.empty_tree());
        command.args(arguments);
        run_git(command, input, GitLimits { time: self.time, bytes }, read)
    }

    /// Runs a command in the private git directory, and returns its one-line output.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::run`].
    pub fn line(&self, arguments: &[&str]) -> Result<String, GitFailure> {
        let answer = self.run(arguments, Vec::new(), LONGEST_ANSWER, all)?;
        Ok(String::from_utf8_lossy(&answer).trim().to_owned())
    }

    /// Returns the file-system settings as lines of a git configuration file.
    fn settings(&self) -> Result<String, GitFailure> {
        let answer = match short(
            real_command(self.root),
            ["config", "-z", "--get-regexp", COPIED],
            self.time.min(FINDING_DEADLINE),
        ) {
            // No such setting exists.
            Err(GitFailure::Status(Some(1), _)) => Vec::new(),
            answer => answer?,
        };
        let answer = String::from_utf8_lossy(&answer).to_lowercase();
        let settings = answer.split('\0').filter_map(|setting| setting.split_once('\n'));
        let known = settings.filter(|(_, value)| WORDS.contains(value));
        Ok(known.filter_map(|(name, value)| Some(format!("\t{} = {value}\n", name.strip_prefix("core.")?))).collect())
    }

    /// Creates the files of the private git directory.
    fn fill(&self, settings: &str, git: &Path) -> io::Result<()> {
        let location = |name: &str| self.private.path().join(name);
        fs::create_dir(location("refs"))?;
        fs::write(location("none"), "")?;
        // A repository must have a HEAD, although no command uses it.
        fs::write(location("HEAD"), "ref: refs/heads/none\n")?;
        let object_format = if self.format == "sha256" { "sha256" } else { "sha1" };
        // With `autocrlf`, files that git checked out with CRLF count as unchanged. The attributes
        // that would show this are not read here.
        let own = "\trepositoryFormatVersion = 1\n\tbare = false\n\tautocrlf = input\n\tsafecrlf = false\n\tfsmonitor = false\n";
        let config = format!("[core]\n{own}{settings}[extensions]\n\tobjectFormat = {object_format}\n");
        fs::write(location("config"), config)?;
        self.borrow_shared_index(git)
    }

    /// Makes the shared part of a split index available in the private git directory, where git
    /// expects it.
    fn borrow_shared_index(&self, git: &Path) -> io::Result<()> {
        let is_shared = |entry: &fs::DirEntry| {
            entry.file_name().to_string_lossy().starts_with("sharedindex.")
                && entry.file_type().is_ok_and(|kind| kind.is_file())
        };
        // Git removes unused ones after two weeks.
        for entry in fs::read_dir(git)?.flatten().filter(is_shared).take(MAX_SHARED) {
            link_or_copy(&entry.path(), &self.private.path().join(entry.file_name()))?;
        }
        Ok(())
    }
}

/// Copies a file with its modification time. A missing file is not an error, because a repository
/// without files has no index.
///
/// Git compares the content of files that are not older than the index. If the index had a later
/// time, git would trust the files' times and overlook a change.
fn copy_with_time(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = match fs::File::open(from) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    let modified = source.metadata()?.modified()?;
    let mut copy = fs::File::create_new(to)?;
    let copied = io::copy(&mut source.by_ref().take(LONGEST_INDEX + 1), &mut copy)?;
    if copied > LONGEST_INDEX {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {LONGEST_INDEX} bytes")));
    }
    copy.set_modified(modified)
}

fn cannot_write(cause: &io::Error) -> GitFailure {
    GitFailure::Stopped(
        GitStop::Folder,
        format!("cannot write a temporary folder in {}: {cause}", std::env::temp_dir().display()),
    )
}

/// Returns the whole output of a command as bytes.
pub(super) fn all(output: &mut GitReader) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    output.read_to_end(&mut bytes).map(|_| bytes)
}

fn short(
    mut command: Command,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    time: Duration,
) -> Result<Vec<u8>, GitFailure> {
    command.args(arguments);
    run_git(command, Vec::new(), GitLimits { time, bytes: LONGEST_ANSWER }, all)
}

/// Returns a git command that uses the real git directory and the user's own configuration.
fn real_command(root: &Path) -> Command {
    protected_command(root, |name| PLACES.contains(&name) || name.starts_with(USER_SETTINGS))
}

/// Returns a git command that fetches nothing, never prompts and writes nothing. Of the caller's
/// git variables, only those that `is_kept` accepts are passed on.
fn protected_command(root: &Path, is_kept: impl Fn(&str) -> bool) -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("GIT_") && !is_kept(&text) {
            command.env_remove(&name);
        }
    }
    // A missing object must not be fetched. Older versions do not know the first variable, but the
    // second forbids every protocol.
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none").env("GIT_TERMINAL_PROMPT", "0");
    command.env("GIT_NO_REPLACE_OBJECTS", "1").env("GIT_OPTIONAL_LOCKS", "0");
    // The program compares messages with English words.
    command.env("LC_ALL", "C").env_remove("LANGUAGE");
    command.args([
        "--no-pager",
        "--literal-pathspecs",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "-C",
    ]);
    command.arg(root);
    command
}

/// Age above which the private folder of a process that no longer runs is removed. A process in
/// another container also seems to be no longer running, but no run takes this long.
#[cfg(target_os = "linux")]
const STALE: Duration = Duration::from_secs(60 * 60);
/// Maximum number of entries in the temporary folder that are searched for old private folders.
#[cfg(target_os = "linux")]
const MAX_TEMPORARY: usize = 100_000;
const PRIVATE_NAME: &str = "whichfn-git-";

/// Creates a private folder that only this user can access.
fn private_folder() -> io::Result<TemporaryFolder> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut builder = fs::DirBuilder::new();
    owner_only_folders(&mut builder);
    // Git runs in another folder.
    let around = std::path::absolute(std::env::temp_dir())?;
    static SWEEP: Once = Once::new();
    SWEEP.call_once(|| remove_stale(&around));
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let time = std::time::UNIX_EPOCH.elapsed().unwrap_or_default().subsec_nanos();
        let name = format!("{PRIVATE_NAME}{}-{number}-{time}", std::process::id());
        match TemporaryFolder::create(&builder, around.join(name)) {
            // Another user may guess one name, but not all of them.
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists && number < 1_000 => {}
            created => return created,
        }
    }
}

/// Removes the private folders that earlier processes of this user left behind when they were
/// killed.
#[cfg(target_os = "linux")]
fn remove_stale(around: &Path) {
    let is_stale = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let pid =
            name.to_str().and_then(|name| name.strip_prefix(PRIVATE_NAME)?.split('-').next()?.parse::<u32>().ok());
        let is_gone = |pid: u32| !Path::new("/proc").join(pid.to_string()).exists();
        let is_old = |meta: &fs::Metadata| meta.modified().ok().and_then(|time| time.elapsed().ok()) > Some(STALE);
        // If the entry is a link, this is the metadata of the link itself.
        pid.is_some_and(is_gone)
            && entry
                .metadata()
                .is_ok_and(|meta| meta.is_dir() && whichfn_system::platform::is_own(&meta) && is_old(&meta))
    };
    // Without `/proc`, every process seems to have ended.
    if !Path::new("/proc/self").exists() {
        return;
    }
    for entry in fs::read_dir(around).into_iter().flatten().take(MAX_TEMPORARY).flatten().filter(is_stale) {
        let _ = fs::remove_dir_all(entry.path());
    }
}

#[cfg(not(target_os = "linux"))]
fn remove_stale(_: &Path) {}
