//! Hidden files that describe how a project is built, tested and configured. A scan leaves out all
//! hidden files; a search of text files includes these.

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
/// Maximum number of these files; more are left out.
const MOST_FILES: usize = 500;
/// Maximum number of folders between the root and a file.
const DEEPEST: usize = 4;

/// Returns the paths of hidden text files with settings of the project (such as CI workflows), sorted.
/// Files that are ignored, are links, or are larger than `max_size` bytes are left out.
///
/// **Cost:** reads the folders of at most 500 files.
pub fn hidden_texts(root: &Path, max_size: u64) -> Vec<String> {
    let mut found = Vec::new();
    for name in HIDDEN {
        add(root, Path::new(name), max_size, &mut found);
    }
    found.sort();
    found
}

fn add(root: &Path, path: &Path, max_size: u64, found: &mut Vec<String>) {
    let full_path = root.join(path);
    let Ok(meta) = full_path.symlink_metadata() else { return };
    if found.len() >= MOST_FILES || path.components().count() > DEEPEST || !is_scanned_or_hidden(root, &full_path) {
        return;
    }
    if meta.is_file() && meta.len() <= max_size {
        found.push(path_text(path));
    } else if meta.is_dir() {
        let entries = std::fs::read_dir(full_path).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names.iter().for_each(|name| add(root, &path.join(name), max_size, found));
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
        assert_eq!(hidden_texts(root.path(), 100), [".env.example", ".github/workflows/ci.yml"]);
        assert!(hidden_texts(root.path(), 2).is_empty());
    }
}
