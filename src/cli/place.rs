//! Locations as users type them: paths relative to the current directory, `FILE:LINE[:COL]`.

use std::path::{Component, Path, PathBuf};
use whichfn_scan::{find_root, root_around};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::path_text;

/// Returns the current directory, without links; empty if it cannot be read.
fn current_dir() -> PathBuf {
    std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default()
}

/// Splits a name at its first colon into a file and the rest; `None` if there is no such file.
fn file_and_rest(typed: &str) -> Option<(PathBuf, &str)> {
    let (place, rest) = typed.find(':').map_or((typed, ""), |at| typed.split_at(at));
    let file = Path::new(place).canonicalize().ok().filter(|path| path.is_file());
    file.map(|file| (file, rest))
}

/// Returns the repository around a folder; without a repository, the current directory if it
/// contains the folder, or else the folder.
pub(super) fn repository_of(folder: &Path) -> PathBuf {
    let here = Some(current_dir()).filter(|here| *here != Path::new("") && folder.starts_with(here));
    root_around(folder).or(here).unwrap_or_else(|| folder.to_path_buf())
}

/// Returns the repository to open for a name: the given directory, or else the repository of the
/// file in the name, or else the repository around the current directory.
///
/// # Errors
/// Returns an error if the directory cannot be read.
pub(super) fn root_for(name: Option<&str>, directory: Option<&Path>) -> Result<PathBuf> {
    match (directory, name) {
        (None, Some(name)) => match file_and_rest(name).as_ref().and_then(|(file, _)| file.parent()) {
            Some(folder) => Ok(repository_of(folder)),
            None => find_root(None),
        },
        _ => find_root(directory),
    }
}

/// Converts a name for the engine. If a directory is given, the path in the name is already
/// relative to it.
pub(super) fn name_for(typed: &str, directory: Option<&Path>, root: &Path) -> String {
    let file = if directory.is_some() { None } else { file_and_rest(typed) };
    match file.as_ref().and_then(|(file, rest)| Some((file.strip_prefix(root).ok()?, rest))) {
        Some((path, rest)) => path_text(path) + rest,
        None => typed.to_owned(),
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

/// Converts a glob typed relative to the current directory into one relative to a root: removes the
/// path from the current directory to a root below it, or the root from an absolute path.
pub(super) fn glob_for(typed: &str, root: &Path) -> String {
    let (not, glob) = typed.strip_prefix('!').map_or(("", typed), |glob| ("!", glob));
    let way = root.strip_prefix(current_dir()).ok().map(path_text).filter(|way| !way.is_empty());
    let root = path_text(root);
    let below = |front: &str| {
        let rest = glob.strip_prefix(front)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/').to_owned())
    };
    match below(&root).or_else(|| way.and_then(|way| below(&way))) {
        Some(rest) if rest.is_empty() => format!("{not}/**"),
        Some(rest) => format!("{not}/{rest}"),
        None => typed.to_owned(),
    }
}

/// Parses `FILE:LINE[:COL]`. Colons in the file name are kept, because the numbers are parsed from
/// the end.
///
/// # Errors
/// Returns an error if there is no line.
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
