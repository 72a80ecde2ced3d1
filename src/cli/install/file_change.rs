//! The change of one file: how it is shown and written.

use super::client::Places;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::{open_regular, read_at_most};
use whichfn_system::whole_file::write_whole;

/// Maximum size in bytes of a configuration file.
const LONGEST: u64 = 4 << 20;

/// The change of one file.
#[derive(Debug)]
pub(super) struct FileChange {
    /// Who reads the file.
    pub reader: &'static str,
    pub file: PathBuf,
    /// The text before; `None` if there is no file.
    pub former: Option<String>,
    /// The text afterwards; `None` to remove the file.
    pub new: Option<String>,
}

/// Follows the links in the path of a file, so that a link stays a link when the file is replaced.
///
/// # Errors
/// Returns an error for a link without a target, and for one that leads from the repository out of
/// it: a repository must not choose a file of the user.
pub(super) fn resolved(file: &Path, root: &Path) -> std::result::Result<PathBuf, String> {
    let exists = |path: &&Path| path.symlink_metadata().is_ok();
    let Some(existing) = file.ancestors().find(exists) else { return Ok(file.to_owned()) };
    let real = existing.canonicalize().map_err(|_| "it is a link without a target".to_owned())?;
    let rest = file.strip_prefix(existing).unwrap_or(Path::new(""));
    // Joining an empty path would add a slash.
    let real = if rest == Path::new("") { real } else { real.join(rest) };
    match file.starts_with(root) && !real.starts_with(root) {
        true => Err("it is a link that leads out of the repository".to_owned()),
        false => Ok(real),
    }
}

/// Reads a configuration file; `None` if there is none.
///
/// # Errors
/// Returns why the file cannot be read.
pub(super) fn read(file: &Path) -> std::result::Result<Option<String>, String> {
    match open_regular(file).and_then(|open| read_at_most(open, LONGEST)) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| "it is not valid UTF-8".to_owned()),
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(cause.to_string()),
    }
}

/// Returns the error for a file that cannot be changed.
pub(super) fn unchanged(file: &Path, cause: &str) -> Error {
    let next =
        "correct it, or add the entry by hand: the key is `whichfn`; --print shows it for an empty file elsewhere";
    Error::new(Kind::Usage, format!("{}: {cause}; nothing was written", file.display()), next)
}

impl FileChange {
    /// Checks whether the user protected the file from changes.
    ///
    /// # Errors
    /// Returns an error if the file is read-only.
    pub fn is_allowed(&self) -> std::result::Result<(), String> {
        match std::fs::metadata(&self.file) {
            Ok(known) if known.permissions().readonly() => Err("it is read-only".to_owned()),
            _ => Ok(()),
        }
    }

    /// Writes or removes the file; `root` is the repository, whose empty folders are removed too.
    ///
    /// # Errors
    /// Returns an error if the file was changed since it was read, or cannot be written.
    pub fn write(&self, root: &Path) -> Result<()> {
        self.is_allowed().map_err(|cause| unchanged(&self.file, &cause))?;
        if read(&self.file).as_ref() != Ok(&self.former) {
            let what = format!("{} changed meanwhile; it was not written", self.file.display());
            return Err(Error::new(Kind::Usage, what, "run the command again to see its change"));
        }
        let failed = |action: &str, path: &Path, cause| Error::io(Kind::Path, action, path, &cause);
        let Some(new) = &self.new else { return self.remove(root) };
        let folder = self.file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(|cause| failed("make", folder, cause))?;
        write_whole(&self.file, new.as_bytes()).map_err(|cause| failed("write", &self.file, cause))
    }

    fn remove(&self, root: &Path) -> Result<()> {
        std::fs::remove_file(&self.file).map_err(|cause| Error::io(Kind::Path, "remove", &self.file, &cause))?;
        // A folder that is not empty stays: `remove_dir` fails.
        let parents = self.file.ancestors().skip(1);
        let inside = parents.take_while(|folder| folder.starts_with(root) && *folder != root);
        for folder in inside {
            if std::fs::remove_dir(folder).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Returns the number of the first changed line, the removed and the added lines. Only one
    /// block of lines changes, so common lines at the start and the end are omitted.
    fn lines(&self) -> (usize, Vec<&str>, Vec<&str>) {
        let [mut old, mut new] =
            [&self.former, &self.new].map(|text| text.as_deref().unwrap_or_default().lines().collect::<Vec<&str>>());
        let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
        let tail = tails.take_while(|(a, b)| a == b).count();
        old.truncate(old.len() - tail);
        new.truncate(new.len() - tail);
        (head + 1, old.split_off(head), new.split_off(head))
    }

    /// Describes the change in a few words.
    pub fn summary(&self) -> String {
        match (&self.former, &self.new) {
            (None, _) => "new file".to_owned(),
            (_, None) => "removed file".to_owned(),
            _ => {
                let (at, old, new) = self.lines();
                let counts = [(new.len(), "added"), (old.len(), "removed")];
                let counts = counts.iter().filter(|(count, _)| *count > 0);
                let counts = counts.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>();
                format!("line {at}: {}", counts.join(", "))
            }
        }
    }

    /// Returns the removed and the added lines.
    pub fn difference(&self) -> String {
        let (at, old, new) = self.lines();
        let marked =
            |mark: char, lines: &[&str]| lines.iter().map(|line| format!("{mark}{line}\n")).collect::<String>();
        let what = match (&self.former, &self.new) {
            (Some(_), Some(_)) => format!("line {at}"),
            _ => self.summary(),
        };
        format!("{}, {what}:\n{}{}", self.file.display(), marked('-', &old), marked('+', &new))
    }
}

/// Returns one line for each file: who reads it, its path, and its change.
pub(super) fn overview(changes: &[FileChange], places: &Places) -> String {
    let rows: Vec<_> = changes.iter().map(|one| (one.reader, places.shown(&one.file), one.summary())).collect();
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or_default();
    let readers = widest(&mut rows.iter().map(|(reader, ..)| reader.len()));
    let paths = widest(&mut rows.iter().map(|(_, path, _)| path.chars().count()));
    rows.iter().map(|(reader, path, what)| format!("{reader:readers$}  {path:paths$}  {what}\n")).collect()
}
