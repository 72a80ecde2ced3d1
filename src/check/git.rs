//! A change, read through the program `git`: what changed by `diff-index`, what files held before by `cat-file`. All by
//! plumbing, so that a person's settings of git change nothing, and separated by NUL, so that names may be anything.
//!
//! Price:    four processes, whatever the change
//! Why not:  a library for git: seconds of compilation, and megabytes, for what is on every machine that commits

use super::change::{Change, ChangeOf, FileChange};
use crate::error::{Error, Kind, Result};
use crate::scan::decode;
use crate::text::{path_of, path_text};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Bytes of an old file at most: what is larger is not indexed either.
const LARGEST: usize = 4 << 20;

/// What changed below `root`.
///
/// # Errors
/// When `root` is in no repository of git, git cannot be run, or a revision is not known.
pub fn read_change(root: &Path, of: &ChangeOf) -> Result<Change> {
    let git = Git::at(root)?;
    let from = git.origin(of)?;
    let how = if matches!(of, ChangeOf::Between { .. }) { "diff-tree" } else { "diff-index" };
    let mut arguments: Vec<OsString> = [how, "-r", "-z", "-M", "--relative"].map(OsString::from).into();
    if *of == ChangeOf::Staged {
        arguments.push("--cached".into());
    }
    arguments.push(from.into());
    if let ChangeOf::Between { to, .. } = of {
        arguments.push(git.commit(to)?.into());
    }
    arguments.push("--".into());
    if let ChangeOf::Uncommitted(paths) = of {
        arguments.extend(paths.iter().map(|path| path_of(path).into_os_string()));
    }
    let listed = git.run(&arguments, &[]).map_err(|said| git.failed(&said))?;
    let mut entries = entries(&listed.stdout);
    // A file without a merge that is settled is listed once more for each side.
    entries.dedup_by(|later, first| later.new == first.new && later.status == b'U');
    if let ChangeOf::Uncommitted(paths) = of {
        paths.iter().try_for_each(|path| is_known(root, path, &entries))?;
    }
    git.with_texts(entries)
}

/// The commit that a repository's working tree holds, with `-dirty` where a file that git knows is other than there; none where
/// `root` is not the top of a repository with a commit, or git cannot be run.
pub fn described_head(root: &Path) -> Option<String> {
    root.join(".git").symlink_metadata().ok()?;
    let git = Git { root };
    let head = git.line(&["rev-parse", "--verify", "-q", "HEAD"]).ok()?;
    // Not `diff-index`, which takes a file for another if its times are: in a copy of a checkout all are.
    let is_clean = git.run(&["diff", "--quiet", "--no-ext-diff", "--ignore-submodules", &head, "--"], &[]).is_ok();
    Some(if is_clean { head } else { head + "-dirty" })
}

/// A path that was mistyped has no change for good: it must be there, or be of a file that is gone.
fn is_known(root: &Path, path: &str, entries: &[Entry]) -> Result<()> {
    let is_gone = |entry: &Entry| entry.old.iter().any(|old| Path::new(old).starts_with(path));
    if root.join(path_of(path)).symlink_metadata().is_ok() || entries.iter().any(is_gone) {
        return Ok(());
    }
    Err(Error::new(Kind::Path, format!("there is no {path} in {}", root.display()), "check the path"))
}

/// One line of `diff-index`.
#[derive(Debug)]
struct Entry {
    status: u8,
    /// The object that held the file before.
    object: String,
    old: Option<String>,
    new: Option<String>,
}

/// A repository, asked through the program.
pub(super) struct Git<'a> {
    root: &'a Path,
}

impl<'a> Git<'a> {
    /// The repository around a folder.
    ///
    /// # Errors
    /// When there is none, or git cannot be run.
    pub fn at(root: &'a Path) -> Result<Self> {
        let git = Self { root };
        git.run(&["rev-parse", "--git-dir"], &[]).map_err(|said| no_repository(root, &said))?;
        Ok(git)
    }

    /// Runs git; what it said where it failed.
    pub fn run(&self, arguments: &[impl AsRef<std::ffi::OsStr>], input: &[u8]) -> std::result::Result<Output, String> {
        let mut command = Command::new("git");
        // Nothing is written, and nothing that a repository names is run.
        command.args(["--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-C"]);
        command.arg(self.root).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|cause| format!("git cannot be run: {cause}"))?;
        let stdin = child.stdin.take();
        let output = std::thread::scope(|scope| {
            // Beside the reading: a full pipe would stop both sides.
            scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
            child.wait_with_output()
        });
        let output = output.map_err(|cause| format!("git cannot be run: {cause}"))?;
        if output.status.success() {
            return Ok(output);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(said.lines().next().unwrap_or("git failed").to_owned())
    }

    /// What git says on one line.
    pub fn line(&self, arguments: &[&str]) -> std::result::Result<String, String> {
        let output = self.run(arguments, &[])?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// The tree or commit that the change starts from.
    fn origin(&self, of: &ChangeOf) -> Result<String> {
        let (revision, end) = match of {
            ChangeOf::Since(revision) => (revision, "HEAD".to_owned()),
            ChangeOf::Between { from, to } => (from, self.commit(to)?),
            // Before the first commit all is new.
            ChangeOf::Uncommitted(_) | ChangeOf::Staged => {
                let head = self.line(&["rev-parse", "--verify", "-q", "HEAD"]);
                let empty = |_| self.line(&["hash-object", "-t", "tree", "--stdin"]);
                return head.or_else(empty).map_err(|said| self.failed(&said));
            }
        };
        let base = self.commit(revision)?;
        match self.line(&["merge-base", &base, &end]) {
            Ok(common) if !common.is_empty() => Ok(common),
            _ if self.is_shallow() => Err(self.too_shallow(revision)),
            _ => Ok(base),
        }
    }

    /// The commit that a revision names.
    ///
    /// # Errors
    /// When there is none.
    pub fn commit(&self, revision: &str) -> Result<String> {
        let commit = format!("{revision}^{{commit}}");
        // `--end-of-options`: a revision that begins with a dash is none of git's options.
        self.line(&["rev-parse", "--verify", "-q", "--end-of-options", &commit]).map_err(|_| self.unknown(revision))
    }

    /// Whether the working tree holds a commit, and no file that git knows is other than there.
    pub fn is_checked_out(&self, commit: &str) -> bool {
        self.line(&["rev-parse", "--verify", "-q", "HEAD"]).is_ok_and(|head| head == commit)
            && self.run(&["diff-index", "--quiet", commit, "--"], &[]).is_ok()
    }

    fn is_shallow(&self) -> bool {
        self.line(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|said| said == "true")
    }

    fn unknown(&self, revision: &str) -> Error {
        let what = format!("{} has no revision {revision}", self.root.display());
        let next = match self.is_shallow() {
            true => {
                "the clone is shallow: fetch more of its history (git fetch with a greater depth), then check again"
            }
            false => "name a branch, a tag or a commit that is here; a remote's branch is origin/NAME, after git fetch",
        };
        Error::new(Kind::Usage, what, next)
    }

    fn too_shallow(&self, revision: &str) -> Error {
        let what = format!("the history of {} is too short: no commit is also in {revision}", self.root.display());
        Error::new(Kind::Usage, what, "the clone is shallow: fetch more of its history, then check again")
    }

    /// The entries with what the files held before.
    fn with_texts(&self, entries: Vec<Entry>) -> Result<Change> {
        let (unmerged, entries): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| entry.status == b'U');
        let asked = entries.iter().filter(|entry| entry.old.is_some()).map(|entry| &entry.object[..]);
        let mut texts = self.blobs(asked)?.into_iter();
        let mut files: Vec<FileChange> = Vec::with_capacity(entries.len());
        for Entry { old, new, .. } in entries {
            let old_bytes = old.as_ref().and_then(|_| texts.next().flatten());
            let old_text = old_bytes.and_then(|bytes| decode(&bytes).map(std::borrow::Cow::into_owned));
            files.push(FileChange { path: new, old_path: old, old_text });
        }
        let unmerged = unmerged.into_iter().filter_map(|entry| entry.new).collect();
        Ok(Change { files, unmerged })
    }

    /// What some objects hold, in order; none where one is missing or too large.
    ///
    /// # Errors
    /// When git cannot be asked.
    pub fn blobs<'o>(&self, objects: impl Iterator<Item = &'o str>) -> Result<Vec<Option<Vec<u8>>>> {
        let asked: String = objects.map(|object| format!("{object}\n")).collect();
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let blobs = self.run(&["cat-file", "--batch"], asked.as_bytes()).map_err(|said| self.failed(&said))?;
        Ok(blobs_of(&blobs.stdout))
    }

    /// What git could not do.
    pub fn failed(&self, said: &str) -> Error {
        let what = format!("git cannot tell what changed in {}: {said}", self.root.display());
        Error::new(Kind::Path, what, "see the cause above")
    }
}

/// `:100644 100644 OBJECT OBJECT M NUL path NUL`; a rename has two paths.
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
        // Links and submodules hold no code.
        let is_file = |mode: &str| mode.starts_with("100");
        let old = first.filter(|_| is_file(old_mode) && status != b'A');
        let new = second.filter(|_| (is_file(new_mode) && status != b'D') || status == b'U');
        if old.is_some() || new.is_some() {
            found.push(Entry { status, object: object.to_owned(), old, new });
        }
    }
    found
}

/// What `cat-file --batch` gives: a line with object, kind and length, then the bytes.
fn blobs_of(mut bytes: &[u8]) -> Vec<Option<Vec<u8>>> {
    let mut found = Vec::new();
    while let Some(end) = memchr::memchr(b'\n', bytes) {
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        bytes = &bytes[end + 1..];
        let Some(length) = head.rsplit(' ').next().and_then(|length| length.parse::<usize>().ok()) else {
            found.push(None);
            continue;
        };
        found.push(bytes.get(..length).filter(|bytes| bytes.len() <= LARGEST).map(<[u8]>::to_vec));
        bytes = bytes.get(length + 1..).unwrap_or_default();
    }
    found
}

#[cfg(unix)]
pub(super) fn path_from(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub(super) fn path_from(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

fn no_repository(root: &Path, said: &str) -> Error {
    if said.starts_with("git cannot be run") {
        return Error::new(Kind::Path, said, "install git: a change is read through it");
    }
    let next = match said.contains("dubious ownership") {
        true => "it belongs to another user: git config --global --add safe.directory with its path, if you trust it",
        false => "a change is what git says of it: run this inside of a working tree, or name one",
    };
    Error::new(Kind::Path, format!("{} is not in a repository of git", root.display()), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renames_links_and_odd_names_are_told_apart() {
        let listed = b":100644 100644 a b R090\0old name.py\0new\nname.py\0:000000 100644 0 c A\0x.py\0:100644 000000 d 0 D\0y.py\0:000000 120000 0 e A\0link\0:000000 160000 0 f A\0module\0";
        let found: Vec<_> = entries(listed).into_iter().map(|entry| (entry.old, entry.new)).collect();
        let some = |text: &str| Some(text.to_owned());
        let renamed = (some("old name.py"), some("new\nname.py"));
        assert_eq!(found, [renamed, (None, some("x.py")), (some("y.py"), None)]);
    }

    #[test]
    fn what_is_missing_is_none() {
        let given = b"a blob 3\nx\ny\nb missing\nc blob 2\n\x00\xff\nd blob 0\n\n";
        assert_eq!(blobs_of(given), [Some(b"x\ny".to_vec()), None, Some(vec![0, 255]), Some(Vec::new())]);
    }
}
