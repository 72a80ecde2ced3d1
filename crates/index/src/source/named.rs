//! Reads the text that the user named: files, files below directories, and standard input. Lists
//! the files that were skipped.
//!
//! Below a directory, the scan selects the files (`src/scan`), except that tables and logs are read
//! as well. A file that the user named is read even if it is hidden, as in ripgrep. In both cases,
//! text for a language model is restricted to the scan: links, and files that are hidden by ignore
//! files or leading dots, are never sent.

use rustc_hash::FxHashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use whichfn_scan::{Skip, decode, is_scanned, read, root_around, scan};
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_system::untrusted::open_below;
use whichfn_text::path_from_text;

/// A file's text and the name under which it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedText {
    /// Path as typed, with slashes; `-` for standard input.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// File contents in the order in which the user named the files. Files in a directory are sorted by
/// path, and each file occurs only once.
#[derive(Debug, Default)]
pub struct Texts {
    /// Files that were read, with their text.
    pub read: Vec<NamedText>,
    /// Names of files that were skipped, each with the reason.
    pub skipped: Vec<(String, Skip)>,
    known: FxHashSet<PathBuf>,
}

/// Limits on the files to read.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Registry that distinguishes data from text by file name.
    pub registry: &'a Registry,
    /// Maximum size in bytes of a file below a directory. A file that the user named may have any
    /// size.
    pub max_size: u64,
    /// True if the text will be sent to a language model.
    pub is_sent: bool,
}

impl Texts {
    /// Adds a file, or all files below a directory.
    ///
    /// # Errors
    /// Returns an error if the path does not exist, cannot be read, or is hidden and would be sent.
    pub fn add(&mut self, path: &Path, limits: Limits<'_>) -> Result<()> {
        let real = path.canonicalize().map_err(|cause| Error::io(Kind::Path, "read", path, &cause))?;
        if limits.is_sent && !may_be_sent(path, &real) {
            let what =
                format!("{} is hidden by an ignore file, a leading dot or a link; it is not sent", path.display());
            return Err(Error::new(Kind::Path, what, Remedy::PipeText));
        }
        if real.is_dir() { self.add_directory(path, &real, limits) } else { self.add_named(path, real) }
    }

    /// Adds text from another source under the given name.
    pub fn add_bytes(&mut self, name: &str, bytes: &[u8]) {
        match decode(bytes) {
            Some(text) => self.read.push(NamedText { name: printable(name), text: text.into_owned() }),
            None => self.skipped.push((printable(name), Skip::Binary)),
        }
    }

    /// Returns the number of skipped files for each reason, in the order of [`Skip::ALL`].
    pub fn skipped_by_reason(&self) -> Vec<(Skip, usize)> {
        let count = |reason: &Skip| self.skipped.iter().filter(|(_, skip)| skip == reason).count();
        Skip::ALL.iter().map(|reason| (*reason, count(reason))).filter(|(_, count)| *count > 0).collect()
    }

    fn add_named(&mut self, path: &Path, real: PathBuf) -> Result<()> {
        // No part of the real path is a link, unless a link was created there a moment ago.
        let top = real.ancestors().last().unwrap_or(&real);
        let mut bytes = Vec::new();
        open_below(top, real.strip_prefix(top).unwrap_or(&real))
            .and_then(|mut file| file.read_to_end(&mut bytes))
            .map_err(|cause| Error::io(Kind::Path, "read", path, &cause))?;
        if self.known.insert(real) {
            self.add_bytes(&slashed(path), &bytes);
        }
        Ok(())
    }

    fn add_directory(&mut self, path: &Path, real: &Path, limits: Limits<'_>) -> Result<()> {
        let scan = scan(real, limits.registry, limits.max_size)?;
        let mut found: Vec<String> = scan.files.into_iter().map(|entry| entry.path).collect();
        for (below, skip) in scan.skipped {
            match skip {
                Skip::Data if limits.registry.is_records(&below) => found.push(below),
                _ => self.skipped.push((shown(path, &below), skip)),
            }
        }
        found.sort_unstable();
        for below in found {
            let (file, name) = (real.join(path_from_text(&below)), shown(path, &below));
            if !self.known.insert(file.clone()) {
                continue;
            }
            // The walk does not check the size of data.
            if std::fs::metadata(&file).is_ok_and(|meta| meta.len() > limits.max_size) {
                self.skipped.push((name, Skip::Oversized));
                continue;
            }
            match read(real, &below)? {
                Ok(text) => self.read.push(NamedText { name, text: text.text }),
                Err(skip) => self.skipped.push((name, skip)),
            }
        }
        Ok(())
    }
}

/// Checks whether a scan of the repository that contains a path would find the path. The top of a
/// repository may always be sent.
fn may_be_sent(typed: &Path, real: &Path) -> bool {
    if is_linked(typed) {
        return false;
    }
    if real.is_dir() && root_around(real).as_deref() == Some(real) {
        return true;
    }
    let Some(folder) = real.parent() else { return true };
    let root = root_around(folder).unwrap_or_else(|| folder.to_path_buf());
    is_scanned(&root, real)
}

/// Checks whether a path leads through a link. In a relative path, every component counts. In an
/// absolute path, only the last component and those below the current directory or below the top of
/// a repository count, because the repository does not control the path to either.
fn is_linked(typed: &Path) -> bool {
    let working_directory =
        std::env::current_dir().ok().filter(|working_directory| typed.starts_with(working_directory));
    let above = match typed.is_relative() {
        true => PathBuf::new(),
        false => working_directory
            .or_else(|| root_around(typed.parent()?))
            .unwrap_or_else(|| typed.parent().unwrap_or(typed).into()),
    };
    let parts = typed.ancestors().take_while(|part| *part != above);
    parts.filter_map(|part| part.symlink_metadata().ok()).any(|meta| meta.is_symlink())
}

fn shown(directory: &Path, below: &str) -> String {
    if directory == Path::new(".") { printable(below) } else { slashed(&directory.join(below)) }
}

fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    printable(&if std::path::MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace('\\', "/") })
}

/// Removes the characters from a name that could end its line in a prompt.
fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_text::file_name;

    /// The names that were read, and the names that were skipped with the reasons.
    type Gathered = (Vec<String>, Vec<(String, Skip)>);

    fn gather(files: &[(&str, &[u8])], paths: &[&str], is_sent: bool) -> Result<Gathered> {
        let folder = tempfile::Builder::new().prefix("texts").tempdir().expect("directory");
        let root = folder.path().canonicalize().expect("directory");
        std::fs::create_dir(root.join(".git")).expect("directory");
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("parent")).expect("directory");
            std::fs::write(path, text).expect("written");
        }
        let registry = Registry::builtin().expect("languages");
        let mut texts = Texts::default();
        for path in paths {
            texts.add(&root.join(path), Limits { registry: &registry, max_size: 100, is_sent })?;
        }
        let short = |name: &str| file_name(name).to_owned();
        let read = texts.read.iter().map(|text| short(&text.name)).collect();
        Ok((read, texts.skipped.iter().map(|(name, skip)| (short(name), *skip)).collect()))
    }

    #[test]
    fn directories_yield_text_tables_and_logs_and_count_other_files() {
        let long = "long ".repeat(50);
        let files: [(&str, &[u8]); 8] = [
            ("b.txt", b"two"),
            ("a.csv", b"x,y\n1,2\n"),
            ("c.log", b"started"),
            ("d.lock", b"pinned"),
            ("e.bin2", b"\0\0"),
            ("f.log", long.as_bytes()),
            (".gitignore", b"secret.txt\n"),
            ("secret.txt", b"hunter2"),
        ];
        let (read, skipped) = gather(&files, &["", "b.txt"], true).expect("texts");
        assert_eq!(read, ["a.csv", "b.txt", "c.log"]);
        let left_out: Vec<&str> = skipped.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(left_out, ["d.lock", "e.bin2", "f.log"], "{skipped:?}");
    }

    #[test]
    fn hidden_files_are_read_when_named_and_never_sent() {
        let files: [(&str, &[u8]); 4] = [
            (".gitignore", b"secret.txt\nkept/\n"),
            ("secret.txt", b"hunter2"),
            ("kept/deep.txt", b"hunter2"),
            (".env", b"KEY=1"),
        ];
        for hidden in ["secret.txt", "kept/deep.txt", ".env", "kept"] {
            assert_eq!(gather(&files, &[hidden], false).expect("texts").0.len(), 1, "{hidden}");
            let error = gather(&files, &[hidden], true).expect_err("hidden");
            assert!(error.what().contains("not sent"), "{error}");
        }
    }
}
