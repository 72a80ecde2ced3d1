//! Hidden files that describe how a project is built, tested and configured. A scan leaves out all
//! hidden files; a search of text files includes these.

use super::Skip;
use super::files::is_scanned_or_hidden;
use std::path::Path;
use whichfn_text::path_text;

/// Names of these files and folders in the root.
const HIDDEN: &[&str] = &[
    ".circleci",
    ".env.example",
    ".env.sample",
    ".env.template",
    ".github",
    ".gitlab",
    ".gitlab-ci.yml",
    ".golangci.yml",
    ".pre-commit-config.yaml",
    ".readthedocs.yaml",
    ".readthedocs.yml",
    ".travis.yml",
];
/// Maximum number of these files.
const MOST_FILES: usize = 500;
/// Maximum total size of these files in bytes.
const MOST_BYTES: u64 = 16 << 20;
/// Maximum number of folders between the root and a file.
const DEEPEST: usize = 4;

/// Hidden files with settings of the project, such as CI workflows.
#[derive(Debug, Default)]
pub struct HiddenTexts {
    /// Paths of the files to search, sorted.
    pub found: Vec<String>,
    /// Paths of files that are left out because of a limit on their number or size, in the order in
    /// which they were listed.
    pub skipped: Vec<(String, Skip)>,
    bytes: u64,
}

/// Lists the hidden text files with settings of the project. Ignored files and links are not listed.
/// Files larger than `max_size` bytes, and those beyond 500 files or 16 MiB in total, are skipped.
///
/// **Cost:** reads the folders with these files, and no file.
pub fn hidden_texts(root: &Path, max_size: u64) -> HiddenTexts {
    let mut texts = HiddenTexts::default();
    for name in HIDDEN {
        texts.add(root, Path::new(name), max_size);
    }
    texts.found.sort();
    texts
}

impl HiddenTexts {
    fn add(&mut self, root: &Path, path: &Path, max_size: u64) {
        let full_path = root.join(path);
        let Ok(meta) = full_path.symlink_metadata() else { return };
        if path.components().count() > DEEPEST || !is_scanned_or_hidden(root, &full_path) {
            return;
        }
        if meta.is_dir() {
            let entries = std::fs::read_dir(full_path).into_iter().flatten().flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
            names.sort();
            names.iter().for_each(|name| self.add(root, &path.join(name), max_size));
        } else if meta.is_file() {
            let fits = meta.len() <= max_size && self.bytes + meta.len() <= MOST_BYTES;
            match fits && self.found.len() < MOST_FILES {
                true => {
                    self.bytes += meta.len();
                    self.found.push(path_text(path));
                }
                false => self.skipped.push((path_text(path), Skip::Oversized)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn workflows_are_found_unless_they_are_ignored() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(".github/workflows")).unwrap();
        for file in [".github/workflows/ci.yml", ".github/workflows/local.yml", ".env.example", ".env", ".bashrc"] {
            fs::write(root.path().join(file), "a: 1").unwrap();
        }
        fs::write(root.path().join(".whichfnignore"), "local.yml\n").unwrap();
        assert_eq!(hidden_texts(root.path(), 100).found, [".env.example", ".github/workflows/ci.yml"]);
    }

    #[test]
    fn files_beyond_a_limit_are_counted() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join(".github");
        fs::create_dir(&folder).unwrap();
        for number in 0..MOST_FILES + 2 {
            fs::write(folder.join(format!("{number:03}.yml")), "a: 1").unwrap();
        }
        let texts = hidden_texts(root.path(), 100);
        assert_eq!(texts.found.len(), MOST_FILES);
        let skipped = ["500", "501"].map(|name| (format!(".github/{name}.yml"), Skip::Oversized));
        assert_eq!(texts.skipped, skipped);
        assert_eq!(hidden_texts(root.path(), 3).skipped.len(), MOST_FILES + 2);
    }

    #[test]
    fn the_total_size_is_limited() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join(".github")).unwrap();
        for name in ["a.md", "b.md", "c.md"] {
            let size = if name == "b.md" { MOST_BYTES } else { 100 };
            fs::File::create(root.path().join(".github").join(name)).unwrap().set_len(size).unwrap();
        }
        let texts = hidden_texts(root.path(), u64::MAX);
        assert_eq!(texts.found, [".github/a.md", ".github/c.md"]);
        assert_eq!(texts.skipped, [(".github/b.md".to_owned(), Skip::Oversized)]);
    }
}
