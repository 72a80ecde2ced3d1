//! The change of one file: how it is shown and written.

use super::shown;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::{open_regular, read_at_most};

/// Maximum size in bytes of a configuration file.
const LONGEST: u64 = 4 << 20;

/// The change of one file.
#[derive(Debug)]
pub(super) struct FileChange {
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
pub(super) fn read(file: &Path) -> Result<Option<String>> {
    match open_regular(file).and_then(|open| read_at_most(open, LONGEST)) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| unreadable(file, "it is not valid UTF-8")),
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(Error::io(Kind::Path, "read", file, &cause)),
    }
}

/// Returns the error for a file whose content is not understood.
pub(super) fn unreadable(file: &Path, cause: &str) -> Error {
    let next =
        "correct it, or add the entry by hand: the key is `whichfn`; --print shows it for an empty file elsewhere";
    Error::new(Kind::Usage, format!("{}: {cause}; nothing was written", file.display()), next)
}

impl FileChange {
    /// Writes or removes the file; `root` is the repository, whose empty folders are removed too.
    pub fn write(&self, root: &Path) -> Result<()> {
        let Some(new) = &self.new else { return self.remove(root) };
        write(&self.file, new)
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

    /// Returns the removed and the added lines. Only one block of lines changes, so common lines at
    /// the start and the end are omitted.
    pub fn difference(&self) -> String {
        let lines = |text: &Option<String>| -> Vec<String> {
            text.as_deref().unwrap_or_default().lines().map(ToOwned::to_owned).collect()
        };
        let (old, new) = (lines(&self.former), lines(&self.new));
        let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
        let tail = tails.take_while(|(a, b)| a == b).count();
        let marked =
            |mark: char, lines: &[String]| lines.iter().map(|line| format!("{mark}{line}\n")).collect::<String>();
        let what = match (&self.former, &self.new) {
            (None, _) => "new file".to_owned(),
            (_, None) => "removed file".to_owned(),
            _ => format!("line {}", head + 1),
        };
        format!(
            "{}, {what}:\n{}{}",
            shown(&self.file),
            marked('-', &old[head..old.len() - tail]),
            marked('+', &new[head..new.len() - tail])
        )
    }
}

/// Replaces the file with a rename, so that it is never incomplete and no other file remains in its
/// folder.
fn write(file: &Path, new: &str) -> Result<()> {
    let failed = |doing: &str, path: &Path, cause: std::io::Error| Error::io(Kind::Path, doing, path, &cause);
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|cause| failed("make", folder, cause))?;
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let temporary = file.with_file_name(name);
    let written = std::fs::File::create_new(&temporary).and_then(|mut open| {
        if let Ok(known) = std::fs::metadata(file) {
            open.set_permissions(known.permissions())?;
        }
        open.write_all(new.as_bytes())?;
        open.sync_all()
    });
    let done = written.and_then(|()| std::fs::rename(&temporary, file));
    done.map_err(|cause| {
        let _ = std::fs::remove_file(&temporary);
        failed("write", file, cause)
    })
}
