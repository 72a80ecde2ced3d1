//! Places as people type them: paths as seen from here, `FILE:LINE[:COL]`.

use crate::error::{Error, Kind, Result};
use crate::scan::{find_root, root_around};
use crate::text::path_text;
use std::path::{Component, Path, PathBuf};

/// A path as the engine knows it, from the root with slashes; what follows the path's colon stays. A name that is no
/// file stays as it is.
fn from_root(typed: &str, root: &Path) -> String {
    let (place, rest) = typed.find(':').map_or((typed, ""), |at| typed.split_at(at));
    let file = Path::new(place).canonicalize().ok().filter(|path| path.is_file());
    match file.as_deref().and_then(|path| path.strip_prefix(root).ok()) {
        Some(path) => path_text(path) + rest,
        None => typed.to_owned(),
    }
}

/// The repository around a folder; where there is none, the current directory if the folder lies in it.
pub(super) fn repository_of(folder: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).ok();
    let here = here.filter(|here| folder.starts_with(here));
    root_around(folder).or(here).unwrap_or_else(|| folder.to_path_buf())
}

/// The repository to open for a name: the directory that was given with it, else that of the name.
///
/// # Errors
/// When the directory cannot be read.
pub(super) fn root_for(name: Option<&str>, directory: Option<&Path>) -> Result<PathBuf> {
    match (directory, name) {
        (None, Some(name)) => repository_of_name(name),
        _ => find_root(directory),
    }
}

/// A name as the engine knows it. Beside a directory that was given its path is from there already.
pub(super) fn name_for(typed: &str, directory: Option<&Path>, root: &Path) -> String {
    match directory {
        Some(_) => typed.to_owned(),
        None => from_root(typed, root),
    }
}

/// The repository that a name typed without `--in` is of: that of the file it names, else the one around here.
///
/// # Errors
/// When the current directory cannot be read.
fn repository_of_name(typed: &str) -> Result<PathBuf> {
    let place = typed.find(':').map_or(typed, |at| &typed[..at]);
    let file = Path::new(place).canonicalize().ok().filter(|path| path.is_file());
    match file.as_deref().and_then(Path::parent) {
        Some(folder) => Ok(repository_of(folder)),
        None => find_root(None),
    }
}

/// How paths of a repository are shown, so that they can be clicked or opened from here.
pub(super) enum ShownRoot {
    /// Behind the directory that was named.
    Named(PathBuf),
    /// As seen from this directory of the repository.
    From(PathBuf),
}

impl ShownRoot {
    /// A path from the root, as it is shown.
    pub fn join(&self, path: &Path) -> PathBuf {
        let standing = match self {
            Self::Named(directory) => return directory.join(path),
            Self::From(standing) => standing,
        };
        let common = standing.components().zip(path.components()).take_while(|(a, b)| a == b).count();
        let up = std::iter::repeat_n(Component::ParentDir, standing.components().count() - common);
        up.chain(path.components().skip(common)).collect()
    }
}

/// How paths below `root` are shown to who named a directory or none.
pub(super) fn shown_root(given: Option<&Path>, root: &Path) -> ShownRoot {
    match given {
        Some(path) if path == Path::new(".") => ShownRoot::Named(PathBuf::new()),
        Some(path) => ShownRoot::Named(path.to_owned()),
        None => {
            let here = std::env::current_dir().and_then(|dir| dir.canonicalize()).unwrap_or_default();
            ShownRoot::From(here.strip_prefix(root).map(Path::to_owned).unwrap_or_default())
        }
    }
}

/// The current directory as a path from the root with slashes; empty for the root and outside of it.
pub(super) fn standing(root: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    here.strip_prefix(root).map(path_text).unwrap_or_default().replace(std::path::MAIN_SEPARATOR, "/")
}

/// A glob of paths as seen from here, for a root: of a root below the current directory without the way to it, and an absolute
/// path from the root.
pub(super) fn glob_for(typed: &str, root: &Path) -> String {
    let (not, glob) = typed.strip_prefix('!').map_or(("", typed), |glob| ("!", glob));
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    let way = root.strip_prefix(&here).ok().map(path_text).filter(|way| !way.is_empty());
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

/// `FILE:LINE[:COL]`. A file's own colons are kept: numbers are read from the end.
///
/// # Errors
/// When no line is given.
pub(super) fn cursor(typed: &str) -> Result<(&str, u32, Option<u32>)> {
    let wrong = || {
        let next = "write the line, and the column if you like: src/app.py:42 or src/app.py:42:9";
        Error::new(Kind::Usage, format!("`{typed}` is no place in a file"), next)
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
    fn numbers_are_read_from_the_end() {
        assert_eq!(cursor("a.py:3").ok(), Some(("a.py", 3, None)));
        assert_eq!(cursor("a.py:3:7").ok(), Some(("a.py", 3, Some(7))));
        assert_eq!(cursor("C:a.py:3:7").ok(), Some(("C:a.py", 3, Some(7))));
        assert!(cursor("a.py").is_err() && cursor("a.py:x").is_err() && cursor(":3").is_err());
    }
}
