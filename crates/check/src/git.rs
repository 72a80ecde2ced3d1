//! Reads a change with the `git` program: the list of changed files (`diff-index`, `diff-tree`) and
//! their old contents (`cat-file`). Paths are separated by NUL, so they may contain any other byte.
//!
//! ```text
//! git_pipes: nothing to wait for ──> git_repository: none of its configuration
//!   ──> git_process: limits ──> git
//! ```
//!
//! **Cost:** about ten processes of a few milliseconds each, one of which lists the names of all
//! files of a commit.
//!
//! **Alternatives:** the `gix` library would add about 80 crates to compile, and limits on memory,
//! time and pipes would still be necessary. Any machine with commits has `git` installed.

use super::change::{Change, ChangeOf, FileChange};
use super::git_process::{GitFailure, GitReader, GitStop, path_from};
use super::git_repository::{DEADLINE, GitRepository, all};
use rustc_hash::FxHashSet;
use std::ffi::OsString;
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::Path;
use std::time::Duration;
use whichfn_scan::decode;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::{path_from_text, path_text};

/// Maximum size in bytes of a file's old contents. Larger files are not indexed either.
const LARGEST: u64 = 4 << 20;
/// Maximum total size in bytes of the old file contents that are kept for one change. This
/// corresponds to ten million lines.
const MAX_TEXT: usize = 512 << 20;
/// Maximum size in bytes of one list of files.
const LONGEST_LIST: u64 = 256 << 20;
/// Maximum number of files in a commit. Chromium has 500,000 files.
const MAX_FILES: usize = 1_000_000;
/// Number of files above which a commit must not repeat its blobs more than [`MAX_REPEATED`] times
/// on average. Trees within trees can produce millions of paths from a few kilobytes.
///
/// The average covers the files that have been read so far, in the order of their paths. In real
/// repositories, the average over all files is below two, but tens of thousands of equal files may
/// come first.
const MANY_FILES: usize = 200_000;
const MAX_REPEATED: usize = 16;
/// Maximum length in bytes of the header line that `cat-file` prints before each object.
const LONGEST_HEAD: u64 = 1 << 10;

/// Reads a change to the repository that contains `root`. Only files below `root` are included.
///
/// # Errors
/// Returns an error if `root` is not in a git repository, if git cannot be run, if a revision does
/// not exist, or if the change exceeds a limit.
pub fn read_change(root: &Path, change: &ChangeOf) -> Result<Change> {
    read_change_within(root, change, DEADLINE)
}

fn read_change_within(root: &Path, change: &ChangeOf, time: Duration) -> Result<Change> {
    let git = Git::within(root, time)?;
    let from = git.origin(change)?;
    git.check_tree(&from)?;
    let mut entries = entries(&git.list_changes(change, from)?);
    // A file with an unresolved merge is listed again for each side.
    entries.dedup_by(|later, first| later.new == first.new && later.status == b'U');
    if let ChangeOf::Uncommitted(paths) = change {
        paths.iter().try_for_each(|path| is_known(root, path, &entries))?;
    }
    git.with_texts(entries)
}

/// Returns the id of the commit that is checked out, followed by `-dirty` if a tracked file differs
/// from that commit.
///
/// Returns `None` if `root` is not the top of a repository with a commit, or if git cannot compare
/// the files within its limits.
pub fn described_head(root: &Path) -> Option<String> {
    root.join(".git").symlink_metadata().ok()?;
    let failed = |failure: GitFailure| tracing::warn!(root = %root.display(), "no revision: {}", failure.message());
    let repository = GitRepository::open(root, DEADLINE).map_err(failed).ok()?;
    let mut git = Git { root, repository };
    let head = git.head().ok().flatten()?;
    git.check_tree(&head).map_err(|cause| tracing::warn!("no revision: {}", cause.what())).ok()?;
    // `diff-index` would report a file as changed if only its times differ, which is true for all
    // files in a copy of a checkout. `diff` refreshes the index and writes it, so it works on a
    // copy.
    git.repository.copy_index().map_err(failed).ok()?;
    let compare = ["diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", &head, "--"];
    match git.repository.line(&compare) {
        Ok(_) => Some(head),
        Err(GitFailure::Status(Some(1), _)) => Some(head + "-dirty"),
        Err(failure) => {
            failed(failure);
            None
        }
    }
}

/// Rejects a mistyped path: a path must exist or belong to a deleted file.
fn is_known(root: &Path, path: &str, entries: &[Entry]) -> Result<()> {
    let is_gone = |entry: &Entry| entry.old.iter().any(|old| Path::new(old).starts_with(path));
    if root.join(path_from_text(path)).symlink_metadata().is_ok() || entries.iter().any(is_gone) {
        return Ok(());
    }
    Err(Error::new(Kind::Path, format!("{path} does not exist in {}", root.display()), "check the path"))
}

/// One entry in the output of `diff-index` or `diff-tree`.
#[derive(Debug)]
struct Entry {
    status: u8,
    /// Id of the object with the file's old contents.
    object: String,
    old: Option<String>,
    new: Option<String>,
}

/// A repository that is read through the `git` program.
pub(super) struct Git<'a> {
    root: &'a Path,
    repository: GitRepository<'a>,
}

/// The content of an object that was requested from `cat-file`.
pub(super) enum GitBlob {
    Bytes(Vec<u8>),
    /// The object is larger than [`LARGEST`], or is not a blob.
    Unusable,
    Missing,
}

impl<'a> Git<'a> {
    /// Opens the repository that contains a folder.
    ///
    /// # Errors
    /// Returns an error if there is no repository, or if git cannot be run.
    pub fn open(root: &'a Path) -> Result<Self> {
        Self::within(root, DEADLINE)
    }

    fn within(root: &'a Path, time: Duration) -> Result<Self> {
        let repository = GitRepository::open(root, time).map_err(|failure| no_repository(root, &failure))?;
        Ok(Self { root, repository })
    }

    /// Returns the tree or commit that the change is compared with.
    fn origin(&self, change: &ChangeOf) -> Result<String> {
        let (revision, end) = match change {
            ChangeOf::Since(revision) => (revision, self.commit("HEAD")?),
            ChangeOf::Between { from, to } => (from, self.commit(to)?),
            // Before the first commit, all files are new.
            ChangeOf::Uncommitted(_) | ChangeOf::Staged => {
                return Ok(self.head()?.unwrap_or_else(|| self.repository.empty_tree().to_owned()));
            }
        };
        let base = self.commit(revision)?;
        match self.repository.line(&["merge-base", &base, &end]) {
            Ok(common) if !common.is_empty() => Ok(common),
            Ok(_) | Err(GitFailure::Status(Some(1), _)) if self.repository.is_shallow() => {
                Err(self.too_shallow(revision))
            }
            Ok(_) | Err(GitFailure::Status(Some(1), _)) => Ok(base),
            Err(failure) => Err(self.failed(&failure)),
        }
    }

    /// Returns the id of the commit that is checked out, or `None` before the first commit.
    fn head(&self) -> Result<Option<String>> {
        match self.repository.resolve(&["--verify", "-q", "HEAD"]) {
            Ok(head) => Ok(Some(head)),
            Err(GitFailure::Status(Some(1), _)) => Ok(None),
            Err(failure) => Err(self.failed(&failure)),
        }
    }

    /// Returns the id of the commit that a revision refers to.
    ///
    /// # Errors
    /// Returns an error if there is no such commit.
    pub fn commit(&self, revision: &str) -> Result<String> {
        let commit = format!("{revision}^{{commit}}");
        // With `--end-of-options`, git does not interpret a revision that begins with a dash as an
        // option.
        let resolved = self.repository.resolve(&["--verify", "-q", "--end-of-options", &commit]);
        resolved.map_err(|failure| match failure {
            GitFailure::Status(Some(_), _) => self.unknown(revision),
            other => self.failed(&other),
        })
    }

    /// Checks whether a commit is checked out and no tracked file in the working tree differs from
    /// it.
    pub fn is_checked_out(&self, commit: &str) -> bool {
        // Without `--ignore-submodules=all` git runs itself in each submodule, with the submodule's
        // configuration.
        let compare = ["diff-index", "--quiet", "--ignore-submodules=all", commit, "--"];
        self.head().is_ok_and(|head| head.as_deref() == Some(commit)) && self.repository.line(&compare).is_ok()
    }

    /// Checks whether a tracked file in the working tree differs from what is staged.
    ///
    /// # Errors
    /// Returns an error if git fails.
    pub fn differs_from_staged(&mut self) -> Result<bool> {
        // `diff` refreshes the index and writes it, so it works on a copy.
        self.repository.copy_index().map_err(|failure| self.failed(&failure))?;
        let compare = ["diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--"];
        match self.repository.line(&compare) {
            Ok(_) => Ok(false),
            Err(GitFailure::Status(Some(1), _)) => Ok(true),
            Err(failure) => Err(self.failed(&failure)),
        }
    }

    /// Calls `each` with each entry that is staged: `100644 OBJECT 0 TAB path`.
    ///
    /// # Errors
    /// Returns an error if git fails, or if too many files are staged.
    pub fn list_staged(&self, mut each: impl FnMut(&[u8])) -> Result<()> {
        let read = |output: &mut GitReader| {
            let (mut count, mut entry) = (0_usize, Vec::new());
            while output.read_until(0, &mut entry)? > 0 {
                each(entry.strip_suffix(&[0]).unwrap_or(&entry));
                count += 1;
                if count > MAX_FILES {
                    return Err(io::Error::new(
                        ErrorKind::QuotaExceeded,
                        format!("more than {MAX_FILES} files are staged"),
                    ));
                }
                entry.clear();
            }
            Ok(())
        };
        let listed = self.repository.run(["ls-files", "-s", "-z"], Vec::new(), LONGEST_LIST, read);
        listed.map_err(|failure| self.failed(&failure))
    }

    /// Returns the output of `diff-index` or `diff-tree` for a change.
    fn list_changes(&self, change: &ChangeOf, from: String) -> Result<Vec<u8>> {
        let command = if matches!(change, ChangeOf::Between { .. }) { "diff-tree" } else { "diff-index" };
        let mut arguments: Vec<OsString> =
            [command, "-r", "-z", "--relative", "--ignore-submodules=all"].map(OsString::from).into();
        if *change == ChangeOf::Staged {
            arguments.push("--cached".into());
        }
        arguments.extend(["-M".into(), from.into()]);
        if let ChangeOf::Between { to, .. } = change {
            let to = self.commit(to)?;
            self.check_tree(&to)?;
            arguments.push(to.into());
        }
        arguments.push("--".into());
        if let ChangeOf::Uncommitted(paths) = change {
            arguments.extend(paths.iter().map(|path| path_from_text(path).into_os_string()));
        }
        let listed = self.repository.run(&arguments, Vec::new(), LONGEST_LIST, all);
        listed.or_else(|first| {
            if !matches!(first, GitFailure::Status(..)) {
                return Err(self.failed(&first));
            }
            // To find renames, git reads whole files, and fails if one is missing or needs too much
            // memory.
            arguments
                .iter_mut()
                .filter(|argument| *argument == "-M")
                .for_each(|rename| *rename = "--no-renames".into());
            self.repository.run(&arguments, Vec::new(), LONGEST_LIST, all).map_err(|_| self.failed(&first))
        })
    }

    /// Rejects a commit with too many files for its size, before git collects all of them in
    /// memory.
    fn check_tree(&self, commit: &str) -> Result<()> {
        self.list_tree(commit, &["--full-tree"], |_| {}).map(drop)
    }

    /// Calls `each` with each entry of a commit's tree, in the format that `ls-tree` prints with
    /// the given options. Returns the number of entries.
    ///
    /// # Errors
    /// Returns an error if git fails, or if the tree has too many files.
    pub fn list_tree(&self, commit: &str, options: &[&str], mut each: impl FnMut(&[u8])) -> Result<usize> {
        let read = |output: &mut GitReader| {
            let (mut count, mut objects, mut entry) = (0_usize, FxHashSet::default(), Vec::new());
            while output.read_until(0, &mut entry)? > 0 {
                each(entry.strip_suffix(&[0]).unwrap_or(&entry));
                // `100644 blob OBJECT TAB path`.
                objects.extend(entry.split(|byte| b" \t".contains(byte)).nth(2).map(hash_of));
                count += 1;
                if count > MAX_FILES || (count > MANY_FILES && count / MAX_REPEATED > objects.len()) {
                    let what =
                        format!("a commit lists at least {count} files, but only {} different contents", objects.len());
                    return Err(io::Error::new(ErrorKind::QuotaExceeded, what));
                }
                entry.clear();
            }
            Ok(count)
        };
        let listed = self.repository.run(
            ["ls-tree", "-r", "-z"].iter().chain(options).chain([&commit]),
            Vec::new(),
            LONGEST_LIST,
            read,
        );
        listed.map_err(|failure| self.failed(&failure))
    }

    fn unknown(&self, revision: &str) -> Error {
        let what = format!("{} has no revision {revision}", self.root.display());
        let next = match self.repository.is_shallow() {
            true => {
                "the clone is shallow: fetch more of its history (git fetch with a greater depth), then check again"
            }
            false => "use a branch, tag or commit of this repository, such as origin/NAME after git fetch",
        };
        Error::new(Kind::Usage, what, next)
    }

    fn too_shallow(&self, revision: &str) -> Error {
        let what = format!("no common commit in the history of {} and {revision}", self.root.display());
        Error::new(Kind::Usage, what, "the clone is shallow: fetch more of its history, then check again")
    }

    /// Adds the files' old contents to the entries.
    fn with_texts(&self, entries: Vec<Entry>) -> Result<Change> {
        let (unmerged, entries): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| entry.status == b'U');
        let with_old: Vec<usize> = (0..entries.len()).filter(|&at| entries[at].old.is_some()).collect();
        let objects: Vec<&str> = with_old.iter().map(|&at| &entries[at].object[..]).collect();
        let mut texts: Vec<Option<String>> = vec![None; entries.len()];
        let mut bytes = 0;
        self.blobs(&objects, |number, blob| {
            let at = with_old[number];
            let text = match blob {
                GitBlob::Bytes(bytes) => decode(&bytes).map(std::borrow::Cow::into_owned),
                GitBlob::Unusable => None,
                GitBlob::Missing => return Err(self.missing(entries[at].old.as_deref().unwrap_or_default())),
            };
            bytes += text.as_ref().map_or(0, String::len);
            texts[at] = text;
            if bytes > MAX_TEXT { Err(self.too_large()) } else { Ok(()) }
        })?;
        let file = |(entry, old_text): (Entry, _)| FileChange { path: entry.new, old_path: entry.old, old_text };
        let files = entries.into_iter().zip(texts).map(file).collect();
        let unmerged = unmerged.into_iter().filter_map(|entry| entry.new).collect();
        Ok(Change { files, unmerged })
    }

    /// Reads objects, and calls `each` with the index and content of each object.
    ///
    /// # Errors
    /// Returns an error if git or `each` fails.
    pub fn blobs(&self, objects: &[&str], mut each: impl FnMut(usize, GitBlob) -> Result<()>) -> Result<()> {
        if objects.is_empty() {
            return Ok(());
        }
        // The sizes are read first: a kilobyte of a pack may contain an object of several
        // gigabytes.
        let request = |objects: &mut dyn Iterator<Item = &&str>| -> Vec<u8> {
            objects.flat_map(|object| format!("{object}\n").into_bytes()).collect()
        };
        let bytes = LONGEST_HEAD * objects.len() as u64;
        let sizes = |output: &mut GitReader| objects.iter().map(|_| blob_size(output)).collect::<io::Result<Vec<_>>>();
        let sizes = self.repository.run(["cat-file", "--batch-check"], request(&mut objects.iter()), bytes, sizes);
        let sizes = sizes.map_err(|failure| self.failed(&failure))?;
        let mut wanted = Vec::new();
        for (number, size) in sizes.iter().enumerate() {
            match *size {
                ObjectSize::Blob(size) if size <= LARGEST => wanted.push((number, size)),
                ObjectSize::Blob(_) | ObjectSize::Other => each(number, GitBlob::Unusable)?,
                ObjectSize::Missing => each(number, GitBlob::Missing)?,
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let mut stopped = None;
        let read = |output: &mut GitReader| {
            for &(number, size) in &wanted {
                let bytes = next_blob(output, size)?;
                if let Err(error) = each(number, GitBlob::Bytes(bytes)) {
                    stopped = Some(error);
                    return Err(io::Error::other("its output is no longer needed"));
                }
            }
            Ok(())
        };
        let bytes = wanted.iter().map(|(_, size)| size + LONGEST_HEAD).sum();
        let input = request(&mut wanted.iter().map(|(number, _)| &objects[*number]));
        let done = self.repository.run(["cat-file", "--batch", "--buffer"], input, bytes, read);
        match stopped {
            Some(error) => Err(error),
            None => done.map_err(|failure| self.failed(&failure)),
        }
    }

    /// Returns the error for an object that is missing from the repository. whichfn never fetches
    /// objects.
    pub fn missing(&self, path: &str) -> Error {
        let what = format!("git has no content for {path} in {}", self.root.display());
        let next = "in a partial clone, fetch it first: git diff REVISION prints the change and fetches what it needs; otherwise run git fsck";
        Error::new(Kind::Path, what, next)
    }

    fn too_large(&self) -> Error {
        let what =
            format!("the old contents of the changed files in {} exceed {} bytes", self.root.display(), MAX_TEXT);
        Error::new(Kind::Path, what, "check only some paths, or use a more recent revision")
    }

    /// Returns the error for a failure of git.
    pub fn failed(&self, failure: &GitFailure) -> Error {
        let what = format!("git cannot list the changes in {}: {}", self.root.display(), failure.message());
        Error::new(Kind::Path, what, advice(failure))
    }
}

/// Returns what to do after a failure of git.
fn advice(failure: &GitFailure) -> &'static str {
    match failure {
        GitFailure::NotStarted(_) => "install git, which is needed to read changes",
        GitFailure::Status(..) => "see the cause above; git fsck checks the repository",
        GitFailure::Stopped(stop, _) => stop_advice(*stop),
    }
}

fn stop_advice(stop: GitStop) -> &'static str {
    match stop {
        GitStop::Time => {
            "try again when the disk is less busy; if git is always slow, look for pipes among the files that its configuration includes"
        }
        GitStop::Output => "check only some paths, or use a more recent revision",
        GitStop::Tree => "the tree is too large: inspect it with git ls-tree -r, or use a different revision",
        GitStop::Folder => "free up disk space there, or set TMPDIR (TMP on Windows) to a different folder",
        GitStop::Thread => "close other programs, or raise the limit on processes (ulimit -u)",
        GitStop::Version => "install git 2.31 or later; the repository path must not contain line breaks",
        GitStop::Pipe => "remove the pipe or device from the repository's .git folder",
        GitStop::Unreadable => "see the cause above; git fsck checks the repository",
    }
}

/// The size of an object according to `cat-file --batch-check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ObjectSize {
    Blob(u64),
    Other,
    Missing,
}

/// Returns a hash of an object id. It is used only to count distinct objects, so a rare collision
/// does not matter.
fn hash_of(object: &[u8]) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(object);
    hasher.finish()
}

/// Parses the next line of `cat-file --batch-check`: `OBJECT KIND SIZE`, or `OBJECT missing`.
fn blob_size(output: &mut impl BufRead) -> io::Result<ObjectSize> {
    let mut line = Vec::new();
    output.take(LONGEST_HEAD).read_until(b'\n', &mut line)?;
    let Some(line) = line.strip_suffix(b"\n") else { return Err(ErrorKind::UnexpectedEof.into()) };
    let line = String::from_utf8_lossy(line);
    let mut words = line.rsplit(' ');
    Ok(match (words.next().map(str::parse), words.next()) {
        (Some(Ok(size)), Some("blob")) => ObjectSize::Blob(size),
        (Some(Ok(_)), _) => ObjectSize::Other,
        _ => ObjectSize::Missing,
    })
}

/// Reads the next object from `cat-file --batch`: a line as for [`blob_size`], then the bytes and a
/// line break.
fn next_blob(output: &mut impl BufRead, size: u64) -> io::Result<Vec<u8>> {
    if blob_size(output)? != ObjectSize::Blob(size) {
        return Err(io::Error::other("git reported a different size for an object than before"));
    }
    let mut bytes = Vec::new();
    output.take(size + 1).read_to_end(&mut bytes)?;
    if bytes.pop() != Some(b'\n') || bytes.len() as u64 != size {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

/// Parses entries such as `:100644 100644 OBJECT OBJECT M NUL path NUL`. A rename has two paths.
fn entries(listed: &[u8]) -> Vec<Entry> {
    let mut fields = listed.split(|&byte| byte == 0);
    let mut found = Vec::new();
    let path = |bytes: Option<&[u8]>| bytes.map(|bytes| path_text(&path_from(bytes)));
    while let Some(head) = fields.next() {
        let head = String::from_utf8_lossy(head);
        let parts: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
        let [old_mode, new_mode, object, _, status] = parts[..] else { break };
        let status = status.bytes().next().unwrap_or(b'M');
        let first = path(fields.next());
        let second = if matches!(status, b'R' | b'C') { path(fields.next()) } else { first.clone() };
        // Links and submodules contain no code.
        let is_file = |mode: &str| mode.starts_with("100");
        let old = first.filter(|_| is_file(old_mode) && status != b'A');
        let new = second.filter(|_| (is_file(new_mode) && status != b'D') || status == b'U');
        if old.is_some() || new.is_some() {
            found.push(Entry { status, object: object.to_owned(), old, new });
        }
    }
    found
}

fn no_repository(root: &Path, failure: &GitFailure) -> Error {
    let GitFailure::Status(_, message) = failure else {
        let what = format!("git cannot read the repository that contains {}: {}", root.display(), failure.message());
        return Error::new(Kind::Path, what, advice(failure));
    };
    let what = format!("{} is not in a git repository", root.display());
    if message.contains("dubious ownership") {
        let next =
            "it belongs to another user: if you trust it, run git config --global --add safe.directory with its path";
        return Error::new(Kind::Path, what, next);
    }
    if !message.contains("not a git repository") {
        let what = format!("git cannot read the repository that contains {}: {message}", root.display());
        return Error::new(Kind::Path, what, "run inside a git working tree in which git status works, or specify one");
    }
    Error::new(Kind::Path, what, "run inside a git working tree, or specify one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_renames_links_and_unusual_names() {
        let listed = b":100644 100644 a b R090\0old name.py\0new\nname.py\0:000000 100644 0 c A\0x.py\0:100644 000000 d 0 D\0y.py\0:000000 120000 0 e A\0link\0:000000 160000 0 f A\0module\0";
        let found: Vec<_> = entries(listed).into_iter().map(|entry| (entry.old, entry.new)).collect();
        let some = |text: &str| Some(text.to_owned());
        let renamed = (some("old name.py"), some("new\nname.py"));
        assert_eq!(found, [renamed, (None, some("x.py")), (some("y.py"), None)]);
    }

    #[test]
    fn reads_sizes_and_contents_from_a_stream() {
        let mut sizes = &b"a blob 3\nb missing\nc tree 2\nd"[..];
        let read: Vec<_> = std::iter::from_fn(|| blob_size(&mut sizes).ok()).collect();
        assert_eq!(read, [ObjectSize::Blob(3), ObjectSize::Missing, ObjectSize::Other]);
        let mut given = &b"a blob 3\nx\ny\nc blob 2\n\x00\xff\nd blob 0\n\ne blob 9\nshort"[..];
        let mut next = |size| next_blob(&mut given, size).ok();
        assert_eq!([next(3), next(2), next(0)], [Some(b"x\ny".to_vec()), Some(vec![0, 255]), Some(Vec::new())]);
        assert_eq!(next(9), None, "it is cut off");
    }

    /// Git opens files that the configuration includes before whichfn can look at them.
    #[cfg(unix)]
    #[test]
    fn waiting_git_process_is_killed_at_the_deadline() {
        let folder = tempfile::tempdir().expect("folder");
        let root = folder.path();
        let run = |program: &str, arguments: &[&str]| {
            let ran = std::process::Command::new(program).current_dir(root).args(arguments).status();
            assert!(ran.is_ok_and(|status| status.success()), "{program} {arguments:?}");
        };
        run("git", &["init", "-q", "."]);
        run("mkfifo", &["pipe"]);
        run("git", &["config", "include.path", "../pipe"]);
        let change = read_change_within(root, &ChangeOf::Staged, Duration::from_millis(300));
        let error = change.expect_err("git waits for the pipe");
        assert!(error.what().contains("did not finish within 0.3 s"), "{error}");
        assert!(error.to_string().contains("less busy"), "{error}");
    }
}
