//! Notices about input that is almost right: a mistyped command, and a line beyond the end of its
//! file.

use super::output;
use std::ffi::OsString;
use std::path::Path;
use whichfn_search::answer::edit_distance;
use whichfn_text::path_from_text;

/// Minimum length of a command that a word can be mistaken for: a short word is often a word of a
/// question ("real", "grape").
const SHORTEST: usize = 6;
/// Maximum number of words after the command: a question has more.
const MOST_ARGUMENTS: usize = 2;

/// Returns the command that the first word of a question probably means, with its arguments.
pub(super) fn command(words: &[OsString], commands: impl Iterator<Item = String>) -> Option<String> {
    let [first, arguments @ ..] = words else { return None };
    let first = first.to_str()?;
    if arguments.is_empty() || arguments.len() > MOST_ARGUMENTS || first.contains(char::is_whitespace) {
        return None;
    }
    let is_meant = |command: &String| {
        // "tested" and "checks" are words of a question.
        command.len() >= SHORTEST && !first.starts_with(command.as_str()) && edit_distance(first, command, 1).is_some()
    };
    let command = commands.into_iter().find(is_meant)?;
    let arguments: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    Some(format!("whichfn {command} {}", arguments.join(" ")))
}

/// Prints that a question looks like a command.
pub(super) fn command_notice(words: &[OsString], commands: impl Iterator<Item = String>) {
    if let Some(command) = command(words, commands) {
        output::notice(&format!("searching for a function; to run the command: {command}"));
    }
}

/// Returns the message for `FILE:LINE` with a line beyond the end of the file.
pub(super) fn line_beyond_end(root: &Path, name: &str) -> Option<String> {
    let mut parts = name.splitn(3, ':');
    let (path, line) = (parts.next()?, parts.next()?.parse::<usize>().ok()?);
    let text = std::fs::read(root.join(path_from_text(path))).ok()?;
    // A file may end without a line break.
    let last = text.split_inclusive(|&byte| byte == b'\n').count();
    let what = || format!("{path} has no line {line}; its last line is {last}");
    (line > last || line == 0).then(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_word_that_is_almost_a_command_is_taken_for_one() {
        let meant = |typed: &str| {
            let words: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
            let commands = ["callers", "callees", "references", "tests", "check", "read", "relate"];
            command(&words, commands.iter().map(ToString::to_string))
        };
        assert_eq!(meant("callerz Session.renew").as_deref(), Some("whichfn callers Session.renew"));
        assert_eq!(meant("refrences X src").as_deref(), Some("whichfn references X src"));
        for question in ["callers", "reads config", "related functions", "checks a token", "caller of a b c", "renew"] {
            assert_eq!(meant(question), None, "{question}");
        }
    }
}
