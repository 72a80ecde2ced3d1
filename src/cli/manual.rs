//! The `whichfn man` command: manual pages, with examples, exit statuses and related pages.

use super::{Exit, output};
use crate::verbs::VERBS;
use clap::{Args, Command};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::path::PathBuf;
use std::process::{Command as Process, Stdio};
use whichfn_system::error::{Error, Kind, Result};

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
        std::fs::create_dir_all(folder).map_err(failed)?;
        for command in with_subcommands(&program) {
            let file = folder.join(format!("{}.1", page_name(command)));
            std::fs::write(&file, page(command)?).map_err(failed)?;
        }
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
    let page = page(command)?;
    if !std::io::stdout().is_terminal() {
        output::data(&page)?;
    } else if !formatted_by_man(&page) {
        output::text(&plain(&page))?;
    }
    Ok(Exit::Found)
}

/// Shows a page with the `man` program, and returns whether it could.
fn formatted_by_man(page: &str) -> bool {
    let man = Process::new("man").args(["-l", "-"]).stdin(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut man) = man else { return false };
    // A reader who leaves the pager early closes the pipe.
    let _ = man.stdin.take().map(|mut input| input.write_all(page.as_bytes()));
    man.wait().is_ok_and(|status| status.success())
}

/// Returns the text of a page without the requests and escapes of roff, for a terminal without
/// `man`.
fn plain(page: &str) -> String {
    let mut out = String::new();
    let mut is_term = false;
    for line in page.lines() {
        let (request, rest) =
            line.strip_prefix('.').map_or(("", line), |line| line.split_once(' ').unwrap_or((line, "")));
        let text = without_escapes(rest);
        match request {
            "" => {
                let indent = if is_term { "    " } else { "        " };
                let _ = writeln!(out, "{indent}{text}");
                is_term = false;
            }
            "SH" | "SS" => {
                let _ = writeln!(out, "\n{}", text.trim_matches('"'));
            }
            "TP" => {
                out += "\n";
                is_term = true;
            }
            "PP" | "br" | "sp" => out += "\n",
            // The title line, fonts and indentation.
            _ => {}
        }
    }
    out.trim_start().to_owned()
}

/// Returns text with the characters that the escapes of roff represent.
fn without_escapes(text: &str) -> String {
    let fonts = text.replace("\\fB", "").replace("\\fI", "").replace("\\fR", "");
    fonts.replace("\\-", "-").replace("\\*(Aq", "'").replace("\\(aq", "'").replace("\\&", "").replace("\\e", "\\")
}

/// Returns a command and all commands below it.
fn with_subcommands(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().filter(|below| !below.is_hide_set()).flat_map(with_subcommands);
    std::iter::once(command).chain(below).collect()
}

/// Returns the name of a page, such as `whichfn-callers`.
fn page_name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

/// Returns the manual page of a command.
fn page(command: &Command) -> Result<String> {
    let name = page_name(command);
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command.clone()).title(name.clone()).render(&mut page);
    rendered.map_err(|cause| Error::new(Kind::Usage, format!("cannot render the manual: {cause}"), "report this"))?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    // Writing to a string cannot fail.
    let _ = write!(page, ".SH \"EXIT STATUS\"\n{EXIT_STATUS}");
    let examples = examples(&name);
    if !examples.is_empty() {
        page += ".SH EXAMPLES\n";
    }
    for (line, about) in examples {
        let _ = write!(page, ".TP\n\\fB{}\\fR\n{}\n", escaped(line), escaped(about));
    }
    let others = see_also(command, &name);
    let _ = write!(page, ".SH \"SEE ALSO\"\n{}\n", others.join(", "));
    Ok(page)
}

/// Returns the examples of a page: a command line, and what it does.
fn examples(page: &str) -> Vec<(&'static str, &'static str)> {
    let of_verb = VERBS.iter().find(|verb| page.strip_prefix("whichfn-") == Some(verb.about.name));
    let lines: Vec<&str> = EXAMPLES.lines().map(str::trim).collect();
    let others = lines.chunks_exact(3).filter(|lines| lines[0] == page).map(|lines| (lines[1], lines[2]));
    of_verb.into_iter().flat_map(|verb| verb.about.examples).copied().chain(others).collect()
}

/// Escapes text for roff: a hyphen is otherwise a dash, and a backslash starts a command.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq")
}

const EXIT_STATUS: &str = "\
.TP
\\fB0\\fR
Something was found, a check passed, or the command did what it was asked to do.
.TP
\\fB1\\fR
Nothing was found, or a check did not pass.
.TP
\\fB2\\fR
An error occurred. Its cause and the next step are on standard error.
";

/// Commands whose pages refer to each other.
const GROUPS: &[&[&str]] = &[
    &["callers", "callees", "references", "implementations", "relate", "path", "outline", "graph"],
    &["tests", "impact", "check"],
    &["index", "status"],
    &["install", "uninstall", "mcp", "mcp-install"],
    &["mcp", "serve", "lsp"],
];

/// Returns the references to other pages.
fn see_also(command: &Command, name: &str) -> Vec<String> {
    let reference = |name: &str| format!("\\fB{}\\fR(1)", escaped(name));
    let Some(own) = name.strip_prefix("whichfn-") else {
        let pages = command.get_subcommands().map(|below| reference(&page_name(below)));
        return pages.chain(["git", "rg"].map(reference)).collect();
    };
    let groups = GROUPS.iter().filter(|group| group.contains(&own)).flat_map(|group| group.iter());
    let mut related: Vec<String> = Vec::new();
    if let Some((parent, _)) = own.rsplit_once('-') {
        related.push(format!("whichfn-{parent}"));
    }
    related.extend(command.get_subcommands().map(page_name));
    related.extend(groups.filter(|other| **other != own).map(|other| format!("whichfn-{other}")));
    let mut seen = std::collections::BTreeSet::new();
    related.retain(|name| seen.insert(name.clone()));
    std::iter::once(reference("whichfn")).chain(related.iter().map(|name| reference(name))).collect()
}

/// Examples: the page, a command line, and what it does, on a line each.
const EXAMPLES: &str = include_str!("manual_examples.txt");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Cli;
    use clap::CommandFactory;

    #[test]
    fn every_example_is_valid_and_belongs_to_a_page() {
        let mut program = Cli::command().disable_help_subcommand(true);
        program.build();
        let pages: Vec<String> = with_subcommands(&program).into_iter().map(page_name).collect();
        assert!(EXAMPLES.lines().step_by(3).all(|page| pages.iter().any(|name| name == page)));
        for (line, _) in pages.iter().flat_map(|page| examples(page)) {
            // The words of the line up to a pipe; a quoted text is one word.
            let parts = line.split('|').next().expect("a command").split(['"', '\'']).enumerate();
            let words = parts.flat_map(|(number, part)| match number % 2 {
                1 => vec![part],
                _ => part.split_whitespace().collect(),
            });
            let parsed = Cli::command().try_get_matches_from(words);
            assert!(parsed.is_ok(), "{line}: {}", parsed.err().map(|e| e.to_string()).unwrap_or_default());
        }
        for name in pages.iter().filter(|name| !name.starts_with("whichfn-fleet-")) {
            assert!(!examples(name).is_empty(), "{name} has no example");
        }
    }

    #[test]
    fn every_page_has_its_sections_and_refers_to_pages_that_exist() {
        let mut program = Cli::command().disable_help_subcommand(true);
        program.build();
        let pages: Vec<String> = with_subcommands(&program).into_iter().map(page_name).collect();
        for command in with_subcommands(&program) {
            let text = page(command).expect("a page");
            let at = |section: &str| text.find(section).unwrap_or_else(|| panic!("{section}: {text}"));
            assert!(at(".SH \"EXIT STATUS\"") < at(".SH \"SEE ALSO\""));
            for name in see_also(command, &page_name(command)) {
                let name = name.trim_start_matches("\\fB").trim_end_matches("\\fR(1)").replace("\\-", "-");
                assert!(pages.contains(&name) || ["git", "rg"].contains(&name.as_str()), "{name}");
            }
        }
    }
}
