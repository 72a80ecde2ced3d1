//! Finds the git files that determine ignore rules: `.git` if it is a file, `commondir`, and the
//! user's `core.excludesFile`.

use super::failure::machine_failure;
use super::rule_text::{MAX_BYTES, RuleText, Unusable};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use whichfn_system::platform::is_null_device;

/// Path of git's exclude file within a git directory.
const EXCLUDE: &str = "info/exclude";
/// Name of the list of tracked files within a git directory.
const INDEX: &str = "index";
/// Maximum size in bytes of a `.git` file or a `commondir`, each of which contains one path.
const MAX_POINTER_BYTES: u64 = 8 << 10;

/// Number of components in the path [`EXCLUDE`].
pub(super) const EXCLUDE_PARTS: usize = 2;

/// Paths of git's files that determine which files of a repository are hidden.
pub(super) struct GitFiles {
    pub exclude: PathBuf,
    pub index: PathBuf,
}

/// Returns the paths of git's files for a directory that has a `.git`, and adds the files that
/// point to them to `pointer_files`. `root` is the root of the scan, or `None` if the directory is
/// not below it.
///
/// # Errors
/// Returns an error if a pointer file cannot be used, or if the machine failed.
pub(super) fn find_git_files(
    directory: &Path,
    root: Option<&Path>,
    pointer_files: &mut Vec<PathBuf>,
) -> Result<Option<GitFiles>, Unusable> {
    let git = directory.join(".git");
    match git.metadata() {
        Ok(meta) if meta.is_dir() => return Ok(Some(GitFiles { exclude: git.join(EXCLUDE), index: git.join(INDEX) })),
        Ok(meta) if meta.is_file() => {}
        // A pipe or a similar file is not a repository, so it hides nothing.
        Ok(_) => return Ok(None),
        Err(cause) => {
            let failure = machine_failure(&git, &cause);
            return failure.map_or(Ok(None), |error| Err(Unusable::Failed(error)));
        }
    }
    let line = first_line(&git, root)?;
    pointer_files.push(git);
    let Some(git_directory) =
        line.and_then(|line| line.strip_prefix("gitdir: ").map(|git_directory| directory.join(git_directory)))
    else {
        return Ok(None);
    };
    let common = git_directory.join("commondir");
    // A submodule has no `commondir`: its rules are in the git directory itself.
    let shared = first_line(&common, root)?.map_or_else(|| git_directory.clone(), |line| git_directory.join(line));
    pointer_files.push(common);
    Ok(Some(GitFiles { exclude: shared.join(EXCLUDE), index: git_directory.join(INDEX) }))
}

fn first_line(path: &Path, root: Option<&Path>) -> Result<Option<String>, Unusable> {
    let text = RuleText { path, root, parts: 1, max_bytes: MAX_POINTER_BYTES }.read()?;
    Ok(text.and_then(|text| String::from_utf8_lossy(&text).lines().next().map(str::to_owned)))
}

/// The user's own ignore file, which applies to all repositories.
#[derive(Debug, Default)]
pub(super) struct UserIgnoreFile {
    /// Path of the file, whether or not it exists.
    pub path: Option<PathBuf>,
    pub text: Option<Vec<u8>>,
    /// One notice for each of the user's files that cannot be used.
    pub notices: Vec<String>,
}

impl UserIgnoreFile {
    /// Finds and reads the file that git's configuration names as `core.excludesFile`, or git's
    /// default file.
    ///
    /// A user's file that cannot be used causes only a notice, because an error would make every
    /// command fail in every repository.
    ///
    /// # Errors
    /// Returns an error if the machine failed.
    pub fn find() -> Result<Self, Unusable> {
        let mut user_file = Self::default();
        user_file.path = user_file.find_path()?;
        if let Some(path) = user_file.path.clone() {
            user_file.text = user_file.read(&path)?;
        }
        Ok(user_file)
    }

    fn find_path(&mut self) -> Result<Option<PathBuf>, Unusable> {
        let path_variable =
            |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
        let home = std::env::home_dir();
        let config = path_variable("XDG_CONFIG_HOME").or_else(|| home.as_ref().map(|home| home.join(".config")));
        let system = path_variable("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into());
        let paths = [
            path_variable("GIT_CONFIG_GLOBAL"),
            home.as_ref().map(|home| home.join(".gitconfig")),
            config.as_ref().map(|config| config.join("git/config")),
            Some(system),
        ];
        for path in paths.into_iter().flatten() {
            let text = self.read(&path)?.unwrap_or_default();
            if let Some(excludes_file_path) = String::from_utf8_lossy(&text).lines().find_map(excludes_file) {
                let home = home.as_ref().map_or_else(|| "~".into(), |home| home.to_string_lossy());
                return Ok(Some(excludes_file_path.replace('~', &home).into()));
            }
        }
        Ok(config.map(|config| config.join("git/ignore")))
    }

    /// Returns the text of one of the user's files, or `None` if it is missing, is a directory or
    /// the null device, or cannot be used.
    fn read(&mut self, path: &Path) -> Result<Option<Vec<u8>>, Unusable> {
        // The null device is recognized before it is opened; neither hides anything, as in git.
        if path.is_dir() || is_null_device(path) {
            return Ok(None);
        }
        match (RuleText { path, root: None, parts: 1, max_bytes: MAX_BYTES }).read() {
            Err(Unusable::Invalid(file) | Unusable::Busy(file)) => {
                self.notices.push(unused_file_notice(&file));
                Ok(None)
            }
            result => result,
        }
    }
}

/// Returns the notice about a user's file that cannot be used.
pub(super) fn unused_file_notice(file: &Path) -> String {
    format!(
        "cannot use {}: it is not a regular text file of at most 1 MiB, or another process is using it; files that it \
         hides from git are not hidden here",
        file.display()
    )
}

/// Returns the path in a line `excludesFile = "PATH"` of a git configuration file.
fn excludes_file(line: &str) -> Option<&str> {
    const KEY: &str = "excludesfile";
    let line = line.trim();
    let (key, rest) = line.split_at_checked(KEY.len())?;
    let value = rest.trim_start().strip_prefix('=').filter(|_| key.eq_ignore_ascii_case(KEY))?;
    let value = value.trim().trim_matches('"').trim();
    (!value.is_empty() && !value.contains(char::is_whitespace)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_excludes_file_from_configuration() {
        assert_eq!(excludes_file("\texcludesFile = ~/.ignore"), Some("~/.ignore"));
        assert_eq!(excludes_file("excludesfile=\"/a/b\""), Some("/a/b"));
        for other in ["excludesFile", "excludesFile =", "# excludesFile = a", "excludesFiles = a", "é", ""] {
            assert_eq!(excludes_file(other), None, "{other}");
        }
    }
}
