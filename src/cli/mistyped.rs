//! Notices about input that is almost right: a mistyped command, and a line beyond the end of its
//! file.

use super::output;
use std::ffi::OsString;
use std::path::Path;
use whichfn_search::answer::{edit_distance, is_code_name};
use whichfn_system::error::{Error, Kind};
use whichfn_text::path_from_text;

/// Minimum length of a command that a word can be mistaken for: a short word is often a word of a
/// question ("real", "grape").
const SHORTEST: usize = 6;
/// Minimum length if the next word is written like a name in code.
const SHORTEST_BEFORE_NAME: usize = 4;
/// Maximum number of words after the command: a question has more.
const MOST_ARGUMENTS: usize = 2;
/// Options without a value that may precede a command.
const LEADING_OPTIONS: &[&str] = &["-v", "-vv", "--verbose", "-q", "--quiet"];

/// Words that people type instead of a command.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("ask", &["search", "find", "grep", "query"]),
    ("callers", &["dependents", "called-by"]),
    ("callees", &["depends", "deps", "dependencies", "calls"]),
    ("references", &["uses", "usages", "usage"]),
    ("implementations", &["implements", "subclasses", "subtypes", "overrides"]),
    ("impact", &["affects", "affected"]),
];

/// Returns the command that the first word of a question probably means, with its arguments.
///
/// The next words decide whether a word that is also common in questions means a command: `test
/// login` is a question, and `test Session.renew` is not.
pub(super) fn command(words: &[OsString], commands: impl Iterator<Item = String>) -> Option<String> {
    let [first, arguments @ ..] = words else { return None };
    let first = first.to_str()?;
    if arguments.is_empty() || arguments.len() > MOST_ARGUMENTS || first.contains(char::is_whitespace) {
        return None;
    }
    let arguments: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    let is_before_name =
        arguments.first().is_some_and(|word| !word.contains(char::is_whitespace) && is_code_name(word));
    let is_similar = |command: &str, shortest| {
        command.len() >= shortest && command != first && edit_distance(first, command, 1).is_some()
    };
    let is_meant = |command: &String| match is_before_name {
        true => is_similar(command, SHORTEST_BEFORE_NAME) || is_synonym(first, command),
        // "tested" and "checks" are words of a question.
        false => is_similar(command, SHORTEST) && !first.starts_with(command.as_str()),
    };
    let command = commands.into_iter().find(is_meant)?;
    Some(format!("whichfn {command} {}", arguments.join(" ")))
}

fn is_synonym(word: &str, command: &str) -> bool {
    SYNONYMS.iter().any(|(of, words)| *of == command && words.contains(&word))
}

/// Prints that a question looks like a command.
pub(super) fn command_notice(words: &[OsString], commands: impl Iterator<Item = String>) {
    if let Some(command) = command(words, commands) {
        output::notice(&format!("searching for a function; to run the command: {command}"));
    }
}

/// Returns the error for arguments that are valid only after a command whose name is mistyped, as
/// in `whichfn chek --staged`; `is_valid` checks arguments.
pub(super) fn invalid_without_command(
    arguments: &[OsString],
    commands: impl Iterator<Item = String>,
    is_valid: impl Fn(&[OsString]) -> bool,
) -> Option<Error> {
    let [program, first, rest @ ..] = arguments else { return None };
    let typed = first.to_str()?;
    let with = |command: &str| [&[program.clone(), command.into()][..], rest].concat();
    let is_meant = |command: &String| {
        (edit_distance(typed, command, 1).is_some() || is_synonym(typed, command)) && is_valid(&with(command))
    };
    let command = commands.into_iter().find(is_meant)?;
    let rest: Vec<_> = rest.iter().map(|word| word.to_string_lossy()).collect();
    let next = format!("to run the command: whichfn {command} {}", rest.join(" "));
    Some(Error::new(Kind::Usage, format!("no command is called `{typed}`"), next))
}

/// Moves options before a command behind its name, where the parser expects them.
/// `commands` is called only if there are such options, because the names take time to collect.
pub(super) fn command_first<Names: Iterator<Item = String>>(
    mut arguments: Vec<OsString>,
    commands: impl FnOnce() -> Names,
) -> Vec<OsString> {
    let is_option = |word: &&OsString| word.to_str().is_some_and(|word| LEADING_OPTIONS.contains(&word));
    let options = arguments.iter().skip(1).take_while(is_option).count();
    let command = arguments.get(1 + options).and_then(|word| word.to_str());
    if options == 0 || !commands().any(|name| Some(&*name) == command) {
        return arguments;
    }
    arguments[1..=1 + options].rotate_right(1);
    arguments
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

    fn meant(typed: &str) -> Option<String> {
        let words: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
        let commands = ["ask", "callers", "callees", "references", "tests", "impact", "check", "read", "relate"];
        command(&words, commands.iter().map(ToString::to_string))
    }

    #[test]
    fn only_a_word_that_is_almost_a_command_is_taken_for_one() {
        assert_eq!(meant("callerz Session.renew").as_deref(), Some("whichfn callers Session.renew"));
        assert_eq!(meant("refrences X src").as_deref(), Some("whichfn references X src"));
        for question in ["callers", "reads config", "related functions", "checks a token", "caller of a b c", "renew"] {
            assert_eq!(meant(question), None, "{question}");
        }
    }

    #[test]
    fn before_a_name_in_code_form_a_synonym_or_another_number_is_taken_for_a_command() {
        for (typed, command) in [
            ("impacts update_feed", "whichfn impact update_feed"),
            ("test Session.renew", "whichfn tests Session.renew"),
            ("search Session.renew", "whichfn ask Session.renew"),
            ("depends Session.renew", "whichfn callees Session.renew"),
            ("usages MAX_SIZE src", "whichfn references MAX_SIZE src"),
        ] {
            assert_eq!(meant(typed).as_deref(), Some(command));
        }
        for question in ["test login", "search users", "uses a cache", "find user by id"] {
            assert_eq!(meant(question), None, "{question}");
        }
    }

    #[test]
    fn options_before_a_command_are_moved_behind_it() {
        let moved = |typed: &str| {
            let words = typed.split(' ').map(OsString::from).collect();
            let words = command_first(words, || ["callers".to_owned()].into_iter());
            words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(moved("whichfn -v callers X"), "whichfn callers -v X");
        assert_eq!(moved("whichfn -q -v callers X -k 3"), "whichfn callers -q -v X -k 3");
        for kept in ["whichfn -v parse callers", "whichfn callers -v X", "whichfn -k callers X", "whichfn -v"] {
            assert_eq!(moved(kept), kept);
        }
    }
}
