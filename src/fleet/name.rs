//! Names of repositories and members, which appear in answers, scopes and file names.

use whichfn_system::error::{Error, Kind, Result};

/// Separates a repository's name from the number of its slice.
const SLICE: char = '#';
/// Maximum number of bytes of a file name that come from a member's id.
const SHOWN: usize = 60;

/// Rejects a name that would not stay on one line, would be parsed as a slice, or escapes a folder.
///
/// # Errors
/// Returns an error if the name is invalid.
pub fn check_name(name: &str) -> Result<()> {
    let is_odd = |c: char| c == SLICE || c == '\\' || c.is_control();
    if name.split('/').any(|part| part.is_empty() || part == "." || part == "..") || name.contains(is_odd) {
        let what = format!("{name:?} is not a valid repository name");
        let next = "use a name such as flask or org/flask: no part may be empty, `.` or `..`, and none may contain # or \
                    control characters";
        return Err(Error::new(Kind::Usage, what, next));
    }
    Ok(())
}

/// Returns the id of a repository's slice; numbers start at 1.
pub(super) fn slice_id(repository: &str, number: usize) -> String {
    format!("{repository}{SLICE}{number}")
}

/// Returns the name of a member's repository, given the member's id.
pub fn repository_of(id: &str) -> &str {
    id.split_once(SLICE).map_or(id, |(repository, _)| repository)
}

/// Returns the part of a file name that is derived from a member's id.
pub(super) fn in_file_name(id: &str) -> String {
    let mut name = String::new();
    // File systems limit names in bytes.
    for c in id.chars() {
        let shown = if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        if name.len() + shown.len_utf8() > SHOWN {
            break;
        }
        name.push(shown);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_names_that_leave_their_folder_or_line() {
        for name in ["flask", "org/flask", "a.b-c_d", "größe", "..a", "..."] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "/", "a/", "/a", "a//b", ".", "..", "a/../b", "a/./b", "linux#2", "a\nb", "a\u{7f}", "a\\b"] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        assert_eq!(in_file_name("org/linux#2"), "org_linux_2");
    }
}
