//! Finds the files of git that lead to ignore rules: `.git` if it is a file, `commondir`, and the
//! user's `core.excludesFile`.

use super::failure::machine_failure;
use super::rule_text::{LONGEST, Unusable, text_of};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Path of the exclude file in a git directory.
const EXCLUDE: &str = "info/exclude";
/// Maximum size in bytes of a `.git` file or a `commondir`: a path, with some reserve.
const LONGEST_LEAD: u64 = 8 << 10;

/// Returns the path of git's exclude file for a directory that has a `.git`, and adds the files
/// that lead to it to `leads`.
///
/// # Errors
/// Returns an error if a file on the way cannot be used, or the machine failed.
pub(super) fn exclude(directory: &Path, leads: &mut Vec<PathBuf>) -> Result<Option<PathBuf>, Unusable> {
    let git = directory.join(".git");
    match git.metadata() {
        Ok(meta) if meta.is_dir() => return Ok(Some(git.join(EXCLUDE))),
        Ok(meta) if meta.is_file() => {}
        // A pipe or a similar file is not a repository, so it hides nothing.
        Ok(_) => return Ok(None),
        Err(cause) => {
            let failed = machine_failure(&git, &cause);
            return failed.map_or(Ok(None), |error| Err(Unusable::Failed(error)));
        }
    }
    let line = first_line(&git)?;
    leads.push(git);
    let Some(place) = line.and_then(|line| line.strip_prefix("gitdir: ").map(|place| directory.join(place))) else {
        return Ok(None);
    };
    let common = place.join("commondir");
    // A submodule has no `commondir`: its rules are in the git directory itself.
    let shared = first_line(&common)?.map_or_else(|| place.clone(), |line| place.join(line));
    leads.push(common);
    Ok(Some(shared.join(EXCLUDE)))
}

fn first_line(path: &Path) -> Result<Option<String>, Unusable> {
    let text = text_of(path, LONGEST_LEAD)?;
    Ok(text.and_then(|text| String::from_utf8_lossy(&text).lines().next().map(str::to_owned)))
}

/// Returns the user's own ignore file, which may be missing: the `core.excludesFile` of git's
/// configuration, or git's default.
///
/// # Errors
/// Returns an error if a configuration file cannot be used, or the machine failed.
pub(super) fn users_excludes() -> Result<Option<PathBuf>, Unusable> {
    let set = |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
    let home = std::env::home_dir();
    let config = set("XDG_CONFIG_HOME").or_else(|| home.as_ref().map(|home| home.join(".config")));
    let system = set("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into());
    let places = [
        set("GIT_CONFIG_GLOBAL"),
        home.as_ref().map(|home| home.join(".gitconfig")),
        config.as_ref().map(|config| config.join("git/config")),
        Some(system),
    ];
    for place in places.into_iter().flatten().filter(|place| !place.is_dir()) {
        let text = text_of(&place, LONGEST)?.unwrap_or_default();
        if let Some(named) = String::from_utf8_lossy(&text).lines().find_map(excludes_file) {
            let home = home.as_ref().map_or_else(|| "~".into(), |home| home.to_string_lossy());
            return Ok(Some(named.replace('~', &home).into()));
        }
    }
    Ok(config.map(|config| config.join("git/ignore")))
}

/// Returns the path in a line `excludesFile = "PATH"` of a git configuration.
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
    fn the_excludes_file_is_read_from_a_configuration() {
        assert_eq!(excludes_file("\texcludesFile = ~/.ignore"), Some("~/.ignore"));
        assert_eq!(excludes_file("excludesfile=\"/a/b\""), Some("/a/b"));
        for other in ["excludesFile", "excludesFile =", "# excludesFile = a", "excludesFiles = a", "é", ""] {
            assert_eq!(excludes_file(other), None, "{other}");
        }
    }
}
