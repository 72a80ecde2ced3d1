//! The `whichfn completions` command.

use super::{Exit, output};
use clap::Command;
use clap_complete::Shell;
use whichfn_system::error::Result;

/// Prints the completion script of a shell.
pub(super) fn completions(shell: Shell, mut program: Command) -> Result<Exit> {
    let names: Vec<String> = program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "whichfn", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    output::data(&match shell {
        Shell::Bash => first_word_only(&script),
        Shell::Fish => question_in_fish(&script, &names),
        Shell::Zsh => question_in_zsh(&without_positionals(&script), &names),
        _ => script,
    })?;
    Ok(Exit::Found)
}

/// Removes the positional arguments of commands that have subcommands from a zsh script.
///
/// The generator counts them as words before the subcommand, but here a word is either one or the
/// other: `whichfn callers` would be completed as a question.
fn without_positionals(script: &str) -> String {
    let is_positional = |line: &str| line.starts_with("'::") || line.starts_with("'*::");
    let mut lines: Vec<&str> = Vec::new();
    for line in script.lines() {
        if line.starts_with("\":: :_") && lines.last().is_some_and(|last| is_positional(last)) {
            lines.pop();
        }
        lines.push(line);
    }
    // After an argument with `*::`, zsh treats the rest as a separate command and offers no
    // options.
    lines.join("\n").replace("$line[2]", "$line[1]").replace("\n'*::", "\n'*:") + "\n"
}

/// Makes bash read only the first word as a command, because a question may contain the name of a
/// command.
fn first_word_only(script: &str) -> String {
    script.replacen(
        "    do\n",
        "    do\n        [[ \"${cmd}\" == \"whichfn\" && \"${i}\" != \"${COMP_WORDS[1]}\" ]] && continue\n",
        1,
    )
}

/// Makes fish offer the options of `ask` after a first word that is not a command.
fn question_in_fish(script: &str, names: &[String]) -> String {
    script.replacen(
        "    and return 1\n    contains",
        &format!(
            "    and return 1\n    contains -- $cmd[1] help {}\n    or set cmd ask\n    contains",
            names.join(" ")
        ),
        1,
    )
}

/// Makes zsh offer the options of `ask` after a first word that is not a command, and directories
/// to `mcp`.
fn question_in_zsh(script: &str, names: &[String]) -> String {
    let asks = format!("        [[ $line[1] == ({}|help) ]] || line[1]=ask\n", names.join("|"));
    let script = script.replacen("    (whichfn)\n", &format!("    (whichfn)\n{asks}"), 1);
    let mcp = "_whichfn__subcmd__mcp_commands";
    script.replacen(&format!("\":: :{mcp}\""), &format!("\":: :{{{mcp}; _files -/}}\""), 1)
}
