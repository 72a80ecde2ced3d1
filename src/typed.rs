//! Names, locations and globs as users and agents type them, converted for the engine: paths become
//! relative to the root, and locations become `PATH:LINE`, `PATH:FIRST-LAST` or `PATH:NAME`.
//!
//! ```text
//! /repo/src/a.py:4   file:///repo/src/a.py#L4   ./src/a.py#L4   src/a.py:4   ──> src/a.py:4
//! src/a.py::find   /repo/src/a.py:find                                      ──> src/a.py:find
//! /repo/src/**   file:///repo/src/**                                        ──> /src/**
//! ```
//!
//! Every front end passes what it receives through [`TypedPaths`], so that all accept the same
//! forms. Text that is not a path is returned as it is, because it is a name.

use std::path::{Path, PathBuf};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::{path_from_text, path_from_uri, path_text};

/// Converts what was typed about one repository.
#[derive(Debug, Clone, Copy)]
pub struct TypedPaths<'a> {
    root: &'a Path,
    from: &'a Path,
}

impl<'a> TypedPaths<'a> {
    /// Creates a converter for paths relative to `from`. Both directories must be absolute paths
    /// without links.
    pub fn new(root: &'a Path, from: &'a Path) -> Self {
        Self { root, from }
    }

    /// Creates a converter for paths relative to the root.
    pub fn at(root: &'a Path) -> Self {
        Self::new(root, root)
    }

    /// Converts a name or location.
    ///
    /// # Errors
    /// Returns an error if it is a location outside the repository.
    pub fn name(&self, typed: &str) -> Result<String> {
        let text = plain(typed);
        if let Some((file, rest)) = file_and_rest(&text, self.from) {
            return match file.strip_prefix(self.root) {
                Ok(below) => Ok(path_text(below) + &single_colon(rest)),
                // A link such as `main` may have the same name as a function.
                Err(_) if !text.contains(std::path::is_separator) => Ok(text),
                Err(_) => Err(self.outside(typed)),
            };
        }
        let (path, lines) = without_lines(&text);
        if !Path::new(path).is_absolute() {
            return Ok(text);
        }
        let full_path = resolved(&path_from_text(path));
        match full_path.strip_prefix(self.root) {
            Ok(below) if below == Path::new("") => Ok(".".to_owned()),
            Ok(below) if full_path.is_dir() => Ok(path_text(below) + "/"),
            Ok(below) => Ok(path_text(below) + lines),
            Err(_) if !lines.is_empty() || is_uri(typed) => Err(self.outside(typed)),
            // It may be the route `/users`.
            Err(_) => Ok(text),
        }
    }

    /// Converts the path of a file or directory; `.` is the root.
    ///
    /// # Errors
    /// Returns an error if it is outside the repository.
    pub fn path(&self, typed: &str) -> Result<String> {
        let full_path = resolved(&self.from.join(path_from_text(without_lines(&plain(typed)).0)));
        match full_path.strip_prefix(self.root) {
            Ok(below) if below == Path::new("") => Ok(".".to_owned()),
            Ok(below) => Ok(path_text(below)),
            Err(_) => Err(self.outside(typed)),
        }
    }

    /// Converts a glob, with or without `!` before it. Lines after a path are removed.
    ///
    /// # Errors
    /// Returns an error if it begins with a directory outside the repository.
    pub fn glob(&self, typed: &str) -> Result<String> {
        let (not, glob) = typed.trim().strip_prefix('!').map_or(("", typed), |glob| ("!", glob));
        let text = plain(glob);
        let glob = without_lines(&text).0;
        let path = path_from_text(glob);
        if path.is_relative() && self.from.starts_with(self.root) {
            return Ok(format!("{not}{glob}"));
        }
        match resolved(&self.from.join(&path)).strip_prefix(self.root) {
            Ok(below) if below == Path::new("") => Ok(format!("{not}/**")),
            Ok(below) => Ok(format!("{not}/{}", path_text(below))),
            Err(_) if self.is_outside(&path) => Err(self.outside(typed)),
            Err(_) => Ok(format!("{not}{glob}")),
        }
    }

    /// Checks whether a glob begins with a directory of the machine. A leading slash also means the
    /// root of the repository (`/src/**`).
    fn is_outside(&self, glob: &Path) -> bool {
        let top = glob.ancestors().filter(|path| path.file_name().is_some()).last();
        let Some(name) = top.and_then(Path::file_name).filter(|_| glob.is_absolute()) else { return false };
        top.is_some_and(Path::exists) && !self.root.join(name).exists()
    }

    fn outside(&self, typed: &str) -> Error {
        let what = format!("`{typed}` is outside the repository {}", self.root.display());
        Error::new(Kind::Path, what, "pass a path below this directory, or the repository that contains the file")
    }
}

/// Returns the file in a location, without links; `None` if there is no such file. Relative paths
/// start at `from`.
pub fn file_of(typed: &str, from: &Path) -> Option<PathBuf> {
    file_and_rest(&plain(typed), from).map(|(file, _)| file)
}

/// Returns the path of an absolute location or a file URI, without links; `None` for other text.
pub fn absolute(typed: &str) -> Option<PathBuf> {
    let text = plain(typed);
    let path = path_from_text(without_lines(&text).0);
    path.is_absolute().then(|| resolved(&path))
}

/// Resolves the links in the part of a path that exists.
fn resolved(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match there.and_then(|(above, real)| Some((real, path.strip_prefix(above).ok()?))) {
        Some((real, rest)) if rest == Path::new("") => real,
        Some((real, rest)) => real.join(rest),
        None => path.to_owned(),
    }
}

/// Returns the path of a file URI, and writes the lines after a `#` as the engine does.
fn plain(typed: &str) -> String {
    let typed = typed.trim().trim_matches('`');
    let (place, lines) = match typed.rsplit_once('#').map(|(place, fragment)| (place, lines_of_fragment(fragment))) {
        Some((place, Some(lines))) => (place, lines),
        _ => (typed, String::new()),
    };
    path_from_uri(place).map_or_else(|| place.to_owned(), |path| path_text(&path)) + &lines
}

fn is_uri(typed: &str) -> bool {
    path_from_uri(typed.trim()).is_some()
}

/// Converts the fragment of an address, `L4`, `L4C2`, `L4-L9` or `L4-9`, to `:4` or `:4-9`.
fn lines_of_fragment(fragment: &str) -> Option<String> {
    let line = |text: &str| -> Option<u32> { text.split('C').next()?.parse().ok() };
    let lines = fragment.strip_prefix('L')?;
    Some(match lines.split_once('-') {
        None => format!(":{}", line(lines)?),
        Some((first, last)) => format!(":{}-{}", line(first)?, line(last.strip_prefix('L').unwrap_or(last))?),
    })
}

/// Splits a location into an existing file and the rest. The name of the file may contain colons.
fn file_and_rest<'t>(text: &'t str, from: &Path) -> Option<(PathBuf, &'t str)> {
    let mut splits = std::iter::once((text, "")).chain(text.match_indices(':').map(|(at, _)| text.split_at(at)));
    splits.find_map(|(path, rest)| {
        let file = from.join(path_from_text(path)).canonicalize().ok()?;
        file.is_file().then_some((file, rest))
    })
}

/// Replaces the double colon between a file and a name, as test runners write it.
fn single_colon(rest: &str) -> String {
    rest.strip_prefix("::").map_or_else(|| rest.to_owned(), |name| format!(":{name}"))
}

/// Splits off the lines at the end of a location: `:4`, `:4:2` or `:4-9`.
fn without_lines(text: &str) -> (&str, &str) {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_lines = |text: &str| text.split('-').all(is_number);
    let end = text.rsplit_once(':').filter(|(_, lines)| is_lines(lines)).map_or(text.len(), |(path, _)| path.len());
    let start = text[..end].rsplit_once(':').filter(|(_, line)| end < text.len() && is_number(line));
    text.split_at(start.map_or(end, |(path, _)| path.len()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn repository() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("folder");
        let root = folder.path().canonicalize().expect("folder").join("repo");
        std::fs::create_dir_all(root.join("src")).expect("folder");
        std::fs::write(root.join("src/a.py"), "").expect("file");
        std::fs::write(root.with_file_name("other.py"), "").expect("file");
        std::os::unix::fs::symlink(&root, root.with_file_name("link")).expect("link");
        (folder, root)
    }

    #[test]
    fn every_form_of_a_location_is_the_same_location() {
        let (_folder, root) = repository();
        let paths = TypedPaths::at(&root);
        let (at, link) = (root.display(), root.with_file_name("link"));
        for (typed, name) in [
            (format!("{at}/src/a.py"), "src/a.py"),
            (format!("{at}/src/a.py:4"), "src/a.py:4"),
            (format!("{at}/src/a.py:4:2"), "src/a.py:4:2"),
            (format!("{at}/src/../src/a.py:4-9"), "src/a.py:4-9"),
            (format!("{}/src/a.py:4", link.display()), "src/a.py:4"),
            (format!("file://{at}/src/a.py#L4"), "src/a.py:4"),
            (format!("file://{at}/src/a.py#L4-L9"), "src/a.py:4-9"),
            (format!("{at}/src/a.py::find"), "src/a.py:find"),
            (format!("{at}/src/gone.py:4"), "src/gone.py:4"),
            (format!("{at}/src"), "src/"),
            (at.to_string(), "."),
            ("./src/a.py#L4".to_owned(), "src/a.py:4"),
            (" `src/a.py:find` ".to_owned(), "src/a.py:find"),
            ("a.py#L4".to_owned(), "a.py:4"),
        ] {
            assert_eq!(paths.name(&typed).ok().as_deref(), Some(name), "{typed}");
        }
        for name in ["Session.renew", "a::b", "#a1b2c3", "addObserver:forKey:", "/users/{id}", "Type#method", ""] {
            assert_eq!(paths.name(name).ok().as_deref(), Some(name));
        }
    }

    #[test]
    fn globs_are_relative_to_the_root() {
        let (_folder, root) = repository();
        let root = root.as_path();
        let (at, above) = (root.display(), root.parent().expect("folder"));
        for (typed, from, glob) in [
            (format!("{at}/src/**"), root, "/src/**"),
            (format!("!{at}/src/*.py"), root, "!/src/*.py"),
            (format!("file://{at}/src"), root, "/src"),
            (format!("{at}/"), root, "/**"),
            (format!("{}/src/**", root.with_file_name("link").display()), root, "/src/**"),
            ("/src/**".to_owned(), root, "/src/**"),
            ("src/a.py:4".to_owned(), root, "src/a.py"),
            ("*.py".to_owned(), root, "*.py"),
            ("repo/src/**".to_owned(), above, "/src/**"),
            ("repo".to_owned(), above, "/**"),
        ] {
            assert_eq!(TypedPaths::new(root, from).glob(&typed).ok().as_deref(), Some(glob), "{typed}");
        }
    }

    #[test]
    fn a_path_outside_is_an_error() {
        let (_folder, root) = repository();
        let (paths, other) = (TypedPaths::at(&root), root.with_file_name("other.py"));
        let other = other.display();
        for name in [format!("{other}"), format!("{other}:4"), "../other.py".to_owned(), "file:///x/y.py".to_owned()] {
            let error = paths.name(&name).expect_err("outside").to_string();
            assert!(error.contains(&name) && error.contains("outside the repository"), "{error}");
        }
        assert!(paths.name("/nowhere/src/a.py:4").is_err());
        assert!(paths.glob(&format!("{}/**", root.with_file_name("").display())).is_err());
    }
}
