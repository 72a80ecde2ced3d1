//! The `whichfn completions` and `whichfn man` commands.

use super::{Exit, output};
use clap::{Args, Command};
use clap_complete::Shell;
use std::path::PathBuf;
use whichfn_system::error::{Error, Kind, Result};

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

#[derive(Debug, Clone, Args)]
pub(super) struct ManArgs {
    /// Command whose page to print, such as callers or mcp install [default: the program itself].
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Vec<String>,
    /// Write all pages into this directory: whichfn.1, whichfn-ask.1 and so on.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

pub(super) fn man(asked: &ManArgs, program: Command) -> Result<Exit> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &asked.output {
        let failed = |cause: std::io::Error| Error::io(Kind::Path, "write the manual to", folder, &cause);
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(program, folder)).map_err(failed)?;
        return Ok(Exit::Found);
    }
    let mut command = &program;
    for name in &asked.command {
        command = command.find_subcommand(name).ok_or_else(|| {
            let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            let next = format!("choose from: {}", known.join(", "));
            Error::new(Kind::Usage, format!("no command is called `{name}`"), next)
        })?;
    }
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command.clone()).title(name).render(&mut page);
    rendered.map_err(|cause| Error::new(Kind::Usage, format!("cannot render the manual: {cause}"), "report this"))?;
    output::data(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Found)
}
