//! Notices about input that is almost right: a mistyped command, and a line beyond the end of its
//! file.

use super::output;
use clap::Command;
use std::borrow::Cow;
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
/// Minimum length if there is no other word: the search still answers.
const SHORTEST_ALONE: usize = 5;
/// Maximum number of words after the command: a question has more.
const MOST_ARGUMENTS: usize = 2;

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
fn command(words: &[OsString], root: &Command) -> Option<String> {
    let [first, arguments @ ..] = words else { return None };
    let first = first.to_str()?;
    if arguments.len() > MOST_ARGUMENTS || first.contains(char::is_whitespace) || root.find_subcommand(first).is_some()
    {
        return None;
    }
    let arguments: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    let is_before_name =
        arguments.first().is_some_and(|word| !word.contains(char::is_whitespace) && is_code_name(word));
    let is_similar = |command: &str, shortest| command.len() >= shortest && edit_distance(first, command, 1).is_some();
    let is_meant = |command: &str| match arguments[..] {
        // "test" and "checks" are words of a question.
        [] => is_similar(command, SHORTEST_ALONE) && !first.starts_with(command) && !command.starts_with(first),
        _ if is_before_name => is_similar(command, SHORTEST_BEFORE_NAME) || is_synonym(first, command),
        _ => is_similar(command, SHORTEST) && !first.starts_with(command),
    };
    let command = root.get_subcommands().find(|command| is_meant(command.get_name()))?;
    let is_alone = arguments.is_empty();
    let missing = command.get_positionals().filter(|argument| is_alone && argument.is_required_set());
    let missing = missing.flat_map(|argument| argument.get_value_names().unwrap_or_default());
    let missing = missing.map(|name| format!("<{name}>").into());
    let words = ["whichfn".into(), command.get_name().into()].into_iter();
    Some(words.chain(arguments).chain(missing).collect::<Vec<Cow<'_, str>>>().join(" "))
}

fn is_synonym(word: &str, command: &str) -> bool {
    SYNONYMS.iter().any(|(of, words)| *of == command && words.contains(&word))
}

/// Prints that a question looks like a command.
pub(super) fn command_notice(words: &[OsString], root: &Command) {
    if let Some(command) = command(words, root) {
        output::notice(&format!("searching for a function; to run the command: {command}"));
    }
}

/// Returns the error for arguments that are valid only after a command whose name is mistyped, as
/// in `whichfn chek --staged`; `is_valid` checks arguments.
pub(super) fn invalid_without_command(
    arguments: &[OsString],
    root: &Command,
    is_valid: impl Fn(&[OsString]) -> bool,
) -> Option<Error> {
    let [program, first, rest @ ..] = arguments else { return None };
    let typed = first.to_str()?;
    let with = |command: &str| [&[program.clone(), command.into()][..], rest].concat();
    let is_meant = |command: &&str| {
        (edit_distance(typed, command, 1).is_some() || is_synonym(typed, command)) && is_valid(&with(command))
    };
    let command = root.get_subcommands().map(Command::get_name).find(is_meant)?;
    let rest: Vec<_> = rest.iter().map(|word| word.to_string_lossy()).collect();
    let next = format!("to run the command: whichfn {command} {}", rest.join(" "));
    Some(Error::new(Kind::Usage, format!("no command is called `{typed}`"), next))
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
    use super::super::args::Cli;
    use super::*;
    use clap::CommandFactory;

    fn meant(typed: &str) -> Option<String> {
        let words: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
        command(&words, &Cli::command())
    }

    #[test]
    fn only_a_word_that_is_almost_a_command_is_taken_for_one() {
        assert_eq!(meant("callerz Session.renew").as_deref(), Some("whichfn callers Session.renew"));
        assert_eq!(meant("refrences X src").as_deref(), Some("whichfn references X src"));
        for question in ["callers", "reads config", "related functions", "checks a token", "caller of a b c", "renew"] {
            assert_eq!(meant(question), None, "{question}");
        }
        for named in ["callers tax", "callees tax", "refs tax", "impls Tax"] {
            assert_eq!(meant(named), None, "another command is not meant: {named}");
        }
    }

    #[test]
    fn a_mistyped_word_alone_is_taken_for_a_command() {
        for (typed, command) in [
            ("chekc", "whichfn check"),
            ("chck", "whichfn check"),
            ("statsu", "whichfn status"),
            ("idnex", "whichfn index"),
            ("callesr", "whichfn callers <FILE:LINE|NAME>"),
            ("implementatoins", "whichfn implementations <FILE:LINE|NAME>"),
        ] {
            assert_eq!(meant(typed).as_deref(), Some(command));
        }
        for question in ["test", "tested", "checks", "checked", "indexes", "real", "caller", "relates", "parser"] {
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
}
