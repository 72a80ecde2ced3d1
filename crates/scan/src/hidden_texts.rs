//! Hidden files that describe how a project is built, tested and configured. A scan leaves out all
//! hidden files; a search of text files includes these.

use super::Skip;
use super::files::is_scanned_or_hidden;
use std::path::Path;
use whichfn_text::path_text;

/// Names of these files and folders in the root.
const HIDDEN: &[&str] = &[
    ".circleci",
    ".github",
    ".gitlab",
    ".gitlab-ci.yml",
    ".golangci.yml",
    ".pre-commit-config.yaml",
    ".readthedocs.yaml",
    ".readthedocs.yml",
    ".travis.yml",
];
/// Start of the names of files in the root with values of environment variables.
const ENVIRONMENT: &str = ".env.";
/// Ends of the names of those that are examples, which contain no secrets.
const EXAMPLES: &[&str] = &["default", "defaults", "dist", "example", "sample", "template"];
/// Parts of the names of those that belong to one machine, or contain keys or encrypted values.
const PRIVATE: &[&str] = &["bak", "backup", "enc", "gpg", "key", "keys", "local", "old", "secret", "secrets", "vault"];
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
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| environment(name).is_some());
    names.sort();
    for name in names.iter().map(Path::new).filter(|name| !root.join(name).is_dir()) {
        texts.add(root, name, max_size);
    }
    texts.found.sort();
    texts
}

/// Returns the part of a hidden file's text that is searched and shown: all of it, or only the names
/// of environment variables, each on its line, because their values may be secrets.
pub fn searched_text(path: &str, text: String) -> String {
    match environment(path) {
        Some(Environment::Names) => variable_names(&text),
        _ => text,
    }
}

/// What is searched of a file with values of environment variables.
enum Environment {
    All,
    Names,
}

/// Returns what is searched of a file with this name; `None` for other files, and for those that are
/// never searched, such as `.env` and `.env.local`.
fn environment(name: &str) -> Option<Environment> {
    let parts: Vec<&str> = name.strip_prefix(ENVIRONMENT)?.split('.').collect();
    let is_one_of = |part: &&str, names: &[&str]| names.contains(&part.to_ascii_lowercase().as_str());
    match parts.last() {
        Some(last) if is_one_of(last, EXAMPLES) => Some(Environment::All),
        _ if parts.iter().any(|part| part.is_empty() || is_one_of(part, PRIVATE)) => None,
        _ => Some(Environment::Names),
    }
}

/// Returns the lines of a text with only the names that are assigned to: `PORT=` for `PORT=80`. All
/// other lines are empty, also those of a value in quotation marks.
fn variable_names(text: &str) -> String {
    let (mut names, mut open) = (String::new(), None);
    for line in text.lines() {
        let assigned = line.trim_start().trim_start_matches("export ").split_once('=');
        match (open, assigned) {
            (Some(mark), _) if line.contains(mark) => open = None,
            (None, Some((name, value))) => {
                let name = name.trim();
                let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
                if name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(is_name) {
                    names += name;
                    names.push('=');
                }
                let value = value.trim_start();
                let mark = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
                open = mark.filter(|&mark| !value[1..].contains(mark));
            }
            _ => {}
        }
        names.push('\n');
    }
    names
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
    fn of_environment_files_only_examples_show_values() {
        let root = tempfile::tempdir().unwrap();
        let names =
            ["", ".development", ".example", ".local", ".production", ".production.local", ".test.sample", ".vault"];
        for name in names {
            fs::write(root.path().join(format!(".env{name}")), "PORT=80").unwrap();
        }
        fs::create_dir(root.path().join(".env.d")).unwrap();
        let found = [".env.development", ".env.example", ".env.production", ".env.test.sample"];
        assert_eq!(hidden_texts(root.path(), 100).found, found);
        let text = "# A=1\nexport API_KEY = 'x\nB=2'\nPORT=80 # C=3\npath=a\nEMPTY=\n".to_owned();
        assert_eq!(searched_text(".env.example", text.clone()), text);
        assert_eq!(searched_text(".env.production", text), "\nAPI_KEY=\n\nPORT=\n\nEMPTY=\n");
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
