//! Options before a command, as in git and cargo: `whichfn --json callers NAME`.

use clap::{Arg, Command};
use std::ffi::{OsStr, OsString};

/// Moves the options before a command behind its name, where the parser expects them.
///
/// Options that the command does not accept are moved too, so that the parser reports them. More
/// words than the command takes are a question: `whichfn -k 3 tests of the parser`.
pub(super) fn command_first(mut arguments: Vec<OsString>, root: impl FnOnce() -> Command) -> Vec<OsString> {
    if !arguments.get(1).is_some_and(|first| is_option(first)) {
        return arguments;
    }
    let mut root = root();
    // Adds `--help` to each command.
    root.build();
    let found = (2..arguments.len()).find_map(|at| {
        let (end, command) = command_at(&root, &arguments, at)?;
        let is_first = words(&root, command, &arguments[1..at]) == Some(0);
        let most = command.get_positionals().filter_map(Arg::get_num_args).map(|count| count.max_values());
        let most = most.fold(0, usize::saturating_add);
        let is_command = words(&root, command, &arguments[end..]).is_none_or(|words| words <= most);
        is_first.then_some((at, end, is_command))
    });
    if let Some((at, end, true)) = found {
        arguments[1..end].rotate_left(at - 1);
    }
    arguments
}

fn is_option(word: &OsStr) -> bool {
    word.as_encoded_bytes().len() > 1 && word.as_encoded_bytes().starts_with(b"-") && word != "--"
}

/// Returns the command whose name is at a position, such as `ask` in `fleet ask`, and the position
/// after its name.
fn command_at<'c>(root: &'c Command, arguments: &[OsString], at: usize) -> Option<(usize, &'c Command)> {
    let (mut command, mut end) = (root, at);
    while let Some(inner) = arguments.get(end).and_then(|name| command.find_subcommand(name)) {
        (command, end) = (inner, end + 1);
    }
    (end > at).then_some((end, command))
}

/// Returns the number of arguments that are neither options nor their values; `None` if the value of
/// the last option is missing.
fn words(root: &Command, command: &Command, arguments: &[OsString]) -> Option<usize> {
    let (mut at, mut words) = (0, 0);
    while let Some(word) = arguments.get(at) {
        if word == "--" {
            return Some(words + arguments.len() - at - 1);
        }
        at += 1;
        if !is_option(word) {
            words += 1;
        } else if word.to_str().is_some_and(|word| has_value_after(root, command, word)) {
            at += 1;
        }
    }
    (at == arguments.len()).then_some(words)
}

/// Checks whether the value of an option is the next argument. An option that the command does not
/// accept is looked up in the other commands.
fn has_value_after(root: &Command, command: &Command, option: &str) -> bool {
    let takes_value = |is_meant: &dyn Fn(&&Arg) -> bool| {
        let all = [command].into_iter().chain(commands(root));
        all.flat_map(Command::get_arguments).find(is_meant).is_some_and(|arg| arg.get_action().takes_values())
    };
    match option.strip_prefix("--") {
        Some(name) => !name.contains('=') && takes_value(&|arg| arg.get_long() == Some(name)),
        // In `-vk 3`, the last letter takes the value; in `-k3`, the rest of the word is the value.
        None => {
            let mut letters = option.chars().skip(1);
            let first = letters.find(|letter| takes_value(&|arg| arg.get_short() == Some(*letter)));
            first.is_some() && letters.next().is_none()
        }
    }
}

/// Returns the commands below a command.
fn commands(root: &Command) -> Vec<&Command> {
    root.get_subcommands().flat_map(|command| [vec![command], commands(command)].concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::args::Cli;
    use super::*;
    use clap::CommandFactory;

    fn moved(typed: &str) -> String {
        let words = typed.split(' ').map(OsString::from).collect();
        let words = command_first(words, Cli::command);
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_before_a_command_are_moved_behind_it() {
        for (typed, expected) in [
            ("whichfn -v callers X", "whichfn callers -v X"),
            ("whichfn -q -v callers X -k 3", "whichfn callers -q -v X -k 3"),
            ("whichfn --color never callers X", "whichfn callers --color never X"),
            ("whichfn --color=never refs X dir", "whichfn refs --color=never X dir"),
            ("whichfn -qk 3 callers X", "whichfn callers -qk 3 X"),
            ("whichfn -k3 impact", "whichfn impact -k3"),
            ("whichfn -k 3 status", "whichfn status -k 3"),
            ("whichfn --in callers tests X", "whichfn tests --in callers X"),
            ("whichfn --staged check", "whichfn check --staged"),
            ("whichfn --help callers", "whichfn callers --help"),
            ("whichfn --json fleet ask a b c", "whichfn fleet ask --json a b c"),
            ("whichfn -k 3 ask a b c", "whichfn ask -k 3 a b c"),
        ] {
            assert_eq!(moved(typed), expected);
        }
    }

    #[test]
    fn questions_keep_their_options() {
        for typed in [
            "whichfn -v parse callers",
            "whichfn callers -v X",
            "whichfn -k callers X",
            "whichfn -v",
            "whichfn -k 3 tests of the parser",
            "whichfn --explain callers of a b c",
            "whichfn --unknown=x parse",
            "whichfn -- callers X",
            "whichfn - callers",
        ] {
            assert_eq!(moved(typed), typed);
        }
    }

    /// A command accepts each of its options before its name.
    #[test]
    fn every_option_may_precede_its_command() {
        let mut root = Cli::command();
        root.build();
        for command in root.get_subcommands().filter(|command| command.get_name() != "help") {
            for option in command.get_arguments().filter_map(|arg| Some((arg.get_long()?, arg.get_action()))) {
                let value = if option.1.takes_values() { " 1" } else { "" };
                let name = command.get_name();
                let typed = format!("whichfn --{}{value} {name}", option.0);
                assert_eq!(moved(&typed), format!("whichfn {name} --{}{value}", option.0));
            }
        }
    }
}
