//! Locations as users type them: paths relative to the current directory, `FILE:LINE[:COL]`.

use crate::typed::{self, TypedPaths};
use std::path::{Component, Path, PathBuf};
use whichfn_scan::{find_root, root_around};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::path_text;

/// Returns the current directory, without links; empty if it cannot be read.
pub(super) fn current_dir() -> PathBuf {
    std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default()
}

/// Returns the repository around a folder; without a repository, the current directory if it
/// contains the folder, or else the folder.
pub(super) fn repository_of(folder: &Path) -> PathBuf {
    let here = Some(current_dir()).filter(|here| *here != Path::new("") && folder.starts_with(here));
    root_around(folder).or(here).unwrap_or_else(|| folder.to_path_buf())
}

/// Returns the repository to open for a name: the given directory, or else the repository of the
/// file in the name, or else the repository around the current directory.
pub(super) fn root_for(name: Option<&str>, directory: Option<&Path>) -> Result<PathBuf> {
    let file = name.filter(|_| directory.is_none()).and_then(|name| typed::file_of(name, &current_dir()));
    match file.as_deref().and_then(Path::parent) {
        Some(folder) => Ok(repository_of(folder)),
        None => find_root(directory),
    }
}

/// Base of the paths that are shown, chosen so that users can click or open them.
pub(super) enum DisplayRoot {
    /// Paths start with the directory that the user named.
    Named(PathBuf),
    /// Paths are relative to this directory of the repository.
    From(PathBuf),
}

impl DisplayRoot {
    /// Returns the displayed form of a path relative to the root.
    pub fn join(&self, path: &Path) -> PathBuf {
        let base = match self {
            Self::Named(directory) => return directory.join(path),
            Self::From(directory) => directory,
        };
        let common = base.components().zip(path.components()).take_while(|(a, b)| a == b).count();
        let up = std::iter::repeat_n(Component::ParentDir, base.components().count() - common);
        up.chain(path.components().skip(common)).collect()
    }
}

/// Returns the base of displayed paths for a user who named this directory or no directory.
pub(super) fn shown_root(given: Option<&Path>, root: &Path) -> DisplayRoot {
    match given {
        Some(path) if path == Path::new(".") => DisplayRoot::Named(PathBuf::new()),
        Some(path) => DisplayRoot::Named(path.to_owned()),
        None => DisplayRoot::From(current_dir().strip_prefix(root).map(Path::to_owned).unwrap_or_default()),
    }
}

/// Returns the current directory relative to the root, with slashes; empty at the root and outside
/// it.
pub(super) fn current_folder(root: &Path) -> String {
    current_dir().strip_prefix(root).map(path_text).unwrap_or_default().replace(std::path::MAIN_SEPARATOR, "/")
}

/// Returns the converter for typed paths. If a directory is given, paths are relative to it, otherwise
/// to the current directory `here`.
pub(super) fn typed_paths<'a>(directory: Option<&Path>, root: &'a Path, here: &'a Path) -> TypedPaths<'a> {
    TypedPaths::new(root, if directory.is_some() { root } else { here })
}

/// Converts globs, relative to the current directory, for the engine.
///
/// # Errors
/// Returns an error if a glob begins with a directory outside the repository.
pub(super) fn globs_for(typed: &[String], root: &Path) -> Result<Vec<String>> {
    let from = current_dir();
    typed.iter().map(|typed| TypedPaths::new(root, &from).glob(typed)).collect()
}

/// Parses `FILE:LINE[:COL]`. Colons in the file name are kept, because the numbers are parsed from
/// the end.
pub(super) fn cursor(typed: &str) -> Result<(&str, u32, Option<u32>)> {
    let wrong = || {
        let next = "pass a line and optionally a column: src/app.py:42 or src/app.py:42:9";
        Error::new(Kind::Usage, format!("`{typed}` is not a location in a file"), next)
    };
    let (before, last) = typed.rsplit_once(':').ok_or_else(wrong)?;
    let last: u32 = last.parse().map_err(|_| wrong())?;
    let place = match before.rsplit_once(':').map(|(file, line)| (file, line.parse::<u32>())) {
        Some((file, Ok(line))) => (file, line, Some(last)),
        _ => (before, last, None),
    };
    if place.0.is_empty() { Err(wrong()) } else { Ok(place) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_line_and_column_from_the_end() {
        assert_eq!(cursor("a.py:3").ok(), Some(("a.py", 3, None)));
        assert_eq!(cursor("a.py:3:7").ok(), Some(("a.py", 3, Some(7))));
        assert_eq!(cursor("C:a.py:3:7").ok(), Some(("C:a.py", 3, Some(7))));
        assert!(cursor("a.py").is_err() && cursor("a.py:x").is_err() && cursor(":3").is_err());
    }
}
