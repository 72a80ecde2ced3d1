//! The `whichfn install`, `whichfn uninstall` and `whichfn mcp install` commands: add the server to
//! the configuration of agents' programs, with lines for `AGENTS.md`, a skill and a sub-agent, and
//! remove them.
//!
//! **Never:** write a file that was not named or that changed since it was read, or change any other
//! byte of it.

mod block;
mod client;
mod file_change;
mod json_entry;
mod mcp_install;
mod text_style;
mod toml_entry;

pub(super) use mcp_install::{McpInstallArgs, run as mcp_install};

use super::page::quoted;
use super::{Exit, output};
use clap::{Args, ValueEnum};
use client::{Client, Places};
use file_change::{FileChange, overview, read, resolved};
use serde_json::Value;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use whichfn_system::error::Result;

/// The name of the program, and of its entry in each configuration.
const NAME: &str = "whichfn";
/// Who reads `AGENTS.md`.
const ALL_AGENTS: &str = "All agents";
/// The name of the skill and of the sub-agent.
const SKILL_NAME: &str = "which-function";

#[derive(Debug, Clone, Args)]
pub(super) struct InstallArgs {
    #[command(flatten)]
    choice: ChoiceArgs,
    /// What to add.
    #[arg(long = "part", value_name = "PART", value_delimiter = ',', default_values = ["server", "agents-md"])]
    parts: Vec<Part>,
}

#[derive(Debug, Clone, Args)]
pub(super) struct UninstallArgs {
    #[command(flatten)]
    choice: ChoiceArgs,
    /// What to remove [default: all parts].
    #[arg(long = "part", value_name = "PART", value_delimiter = ',')]
    parts: Vec<Part>,
}

#[derive(Debug, Clone, Args)]
struct ChoiceArgs {
    /// Only these agents [default: `install`: all on this machine; `uninstall`: all].
    #[arg(long = "client", value_name = "NAME", value_delimiter = ',')]
    clients: Vec<Client>,
    /// Change the files without asking.
    #[arg(short, long, conflicts_with = "dry_run")]
    yes: bool,
    /// Show the changes, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// The repository to configure [default: the one around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    directory: Option<PathBuf>,
}

/// What can be added for an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The MCP server, in the configuration of each agent.
    Server,
    /// Lines in the repository's `AGENTS.md` about when to use the server.
    AgentsMd,
    /// A skill with commands, for Claude Code, Codex and Gemini CLI.
    Skill,
    /// A sub-agent that finds code, for Claude Code.
    Subagent,
}

/// What remains of a file without what this program wrote.
#[derive(Debug, PartialEq, Eq)]
enum Kept {
    /// This text.
    Text(String),
    /// Nothing: the file can be removed.
    Nothing,
    /// Everything: the file does not contain it.
    Absent,
    /// Everything: someone else changed or wrote it.
    Foreign,
}

/// The changes of a command, and messages about files that it leaves unchanged.
#[derive(Default)]
struct Changes {
    files: Vec<FileChange>,
    /// Number of files that already are as they should be.
    unchanged: usize,
    notices: Vec<String>,
}

impl Changes {
    /// Adds the change of a file to the text that `change` returns. A file that cannot be changed is
    /// skipped and named, so that the others are still changed.
    fn add(
        &mut self,
        root: &Path,
        reader: &'static str,
        path: &Path,
        change: impl Fn(Option<&str>) -> std::result::Result<Kept, String>,
    ) {
        let former = resolved(path, root).and_then(|file| read(&file).map(|former| (file, former)));
        let kept = former.and_then(|(file, former)| change(former.as_deref()).map(|kept| (file, former, kept)));
        let (file, former, new) = match kept {
            Ok((file, former, Kept::Text(new))) => (file, former, Some(new)),
            Ok((file, former, Kept::Nothing)) => (file, former, None),
            Ok((.., Kept::Absent)) => return,
            Ok((file, _, Kept::Foreign)) => {
                return self.notices.push(format!(
                    "{} contains a different version of `{NAME}`, which someone changed or wrote; change or remove it by hand",
                    file.display()
                ));
            }
            Err(cause) => return self.skip(path, &cause),
        };
        let change = FileChange { reader, file, former, new };
        if change.former == change.new {
            self.unchanged += 1;
        } else if let Err(cause) = change.is_allowed() {
            self.skip(path, &cause);
        } else {
            self.files.push(change);
        }
    }

    fn skip(&mut self, file: &Path, cause: &str) {
        self.notices.push(format!("skipped {}: {cause}", file.display()));
    }

    /// Adds the change of a client's configuration.
    fn add_entry(
        &mut self,
        places: &Places,
        client: Client,
        change: impl Fn(Option<&str>) -> std::result::Result<Kept, String>,
    ) {
        match client.file(places) {
            Ok(file) => self.add(&places.root, client.title(), &file, change),
            Err(error) => self.notices.push(format!("skipped {}: {}", client.title(), error.what())),
        }
    }
}

/// Adds the server and the other parts to the agents on this machine.
pub(super) fn install(asked: &InstallArgs) -> Result<Exit> {
    let places = Places::find(asked.choice.directory.as_deref())?;
    let clients = match &asked.choice.clients[..] {
        [] => Client::detect(&places),
        chosen => chosen.to_vec(),
    };
    if clients.is_empty() {
        output::notice("found no agent on this machine; name one with --client (whichfn install --help lists them)");
        return Ok(Exit::Nothing);
    }
    let changes = additions(&places, &clients, &asked.parts);
    if !changes.files.is_empty()
        && asked.parts.contains(&Part::Server)
        && clients.iter().any(|client| client.is_shared())
    {
        warn_without_command(&shown(&places.root));
    }
    let done = format!("everything is already installed for {}", quoted(&places.root));
    finish(&asked.choice, &places, &changes, "add", &done)
}

fn additions(places: &Places, clients: &[Client], parts: &[Part]) -> Changes {
    let (mut changes, root) = (Changes::default(), &places.root);
    for client in clients {
        if parts.contains(&Part::Server) {
            let (command, _) = command(client.is_shared());
            changes.add_entry(places, *client, |former| with_entry(*client, former, &command).map(Kept::Text));
        }
        for (file, text) in files(*client, places, parts) {
            changes.add(root, client.title(), &file, |former| Ok(block::with_file(former, text)));
        }
    }
    if parts.contains(&Part::AgentsMd) {
        changes.add(root, ALL_AGENTS, &root.join("AGENTS.md"), block::with_block);
    }
    changes
}

/// Removes what [`install`] added, from the files of all agents.
pub(super) fn uninstall(asked: &UninstallArgs) -> Result<Exit> {
    let places = Places::find(asked.choice.directory.as_deref())?;
    let clients = match &asked.choice.clients[..] {
        [] => Client::value_variants(),
        chosen => chosen,
    };
    let parts = match &asked.parts[..] {
        [] => Part::value_variants(),
        chosen => chosen,
    };
    let changes = removals(&places, clients, parts);
    let done = format!("nothing is installed for {} and this user", quoted(&places.root));
    finish(&asked.choice, &places, &changes, "remove", &done)
}

fn removals(places: &Places, clients: &[Client], parts: &[Part]) -> Changes {
    let (mut changes, root) = (Changes::default(), &places.root);
    for client in clients {
        if parts.contains(&Part::Server) {
            changes.add_entry(places, *client, |text| without_entry(*client, text.unwrap_or_default()));
        }
        for (file, _) in files(*client, places, parts) {
            changes.add(root, client.title(), &file, |text| Ok(block::without_file(text)));
        }
    }
    if parts.contains(&Part::AgentsMd) {
        changes.add(root, ALL_AGENTS, &root.join("AGENTS.md"), |text| block::without_block(text.unwrap_or_default()));
    }
    changes
}

/// Returns the files that this program writes as a whole for a client.
fn files(client: Client, places: &Places, parts: &[Part]) -> Vec<(PathBuf, &'static str)> {
    let skill = client.skills().filter(|_| parts.contains(&Part::Skill));
    let skill = skill.map(|folder| (format!("{folder}/{SKILL_NAME}/SKILL.md"), block::SKILL));
    let subagent = client.subagents().filter(|_| parts.contains(&Part::Subagent));
    let subagent = subagent.map(|folder| (format!("{folder}/{SKILL_NAME}.md"), block::SUBAGENT));
    skill.into_iter().chain(subagent).map(|(path, text)| (places.root.join(path), text)).collect()
}

/// Shows the changes, and writes them if the user agrees.
fn finish(asked: &ChoiceArgs, places: &Places, changes: &Changes, verb: &str, done: &str) -> Result<Exit> {
    changes.notices.iter().for_each(|notice| output::notice(notice));
    if changes.files.is_empty() && !changes.notices.is_empty() {
        // A second `install` that skips some files has the status of the first.
        return Ok(if changes.unchanged > 0 { Exit::Found } else { Exit::Nothing });
    }
    if changes.files.is_empty() {
        output::data(&format!("{done}\n"))?;
        return Ok(Exit::Found);
    }
    let differences = || changes.files.iter().try_for_each(|change| output::data(&change.difference()));
    if asked.dry_run {
        differences()?;
    }
    output::data(&overview(&changes.files, places))?;
    let count = super::common::counted(changes.files.len(), "file");
    if asked.dry_run {
        output::notice(&format!("would change {count}; nothing was written"));
        return Ok(Exit::Found);
    }
    if !asked.yes && !agrees(&format!("Change {count} to {verb} whichfn?"), differences)? {
        output::notice("nothing was written; pass --yes to write these changes, or --dry-run to see them");
        return Ok(Exit::Nothing);
    }
    write(changes, &places.root)?;
    output::notice(&format!("changed {count}"));
    Ok(Exit::Found)
}

/// Writes all files that can be written.
///
/// # Errors
/// Returns the last error; the others are printed.
fn write(changes: &Changes, root: &Path) -> Result<()> {
    let mut failure = None;
    for error in changes.files.iter().filter_map(|change| change.write(root).err()) {
        if let Some(former) = failure.replace(error) {
            output::error(&former);
        }
    }
    failure.map_or(Ok(()), Err)
}

/// Asks a person on a terminal, who can also request the differences; returns false without one.
fn agrees(question: &str, differences: impl Fn() -> Result<()>) -> Result<bool> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Ok(false);
    }
    loop {
        let _ = write!(std::io::stderr(), "{question} [y/N], or d to show the differences: ");
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line);
        match line.trim().to_ascii_lowercase().as_str() {
            "d" if read.is_ok() => differences()?,
            answer => return Ok(read.is_ok() && matches!(answer, "y" | "yes")),
        }
    }
}

/// Adds the entry of this server to the text of a client's configuration.
fn with_entry(client: Client, former: Option<&str>, command: &str) -> std::result::Result<String, String> {
    let entry = client.entry(command);
    match client {
        Client::Codex => toml_entry::with_toml(former, client.servers(), &entry),
        _ => json_entry::with_json(former, client.servers(), &entry, |known| client.wrote(known)),
    }
}

/// Removes the entry of this server from the text of a client's configuration.
fn without_entry(client: Client, text: &str) -> std::result::Result<Kept, String> {
    let wrote = |entry: &Value| client.wrote(entry);
    match client {
        Client::Codex => toml_entry::without_toml(text, client.servers(), wrote),
        _ => json_entry::without_json(text, client.servers(), wrote),
    }
}

/// Returns the command with which the client starts this program, and whether its name on PATH
/// leads to this program. A shared file contains only the name, because a path on this machine is
/// wrong on every other machine.
fn command(is_shared: bool) -> (String, bool) {
    let Ok(this) = std::env::current_exe().and_then(|this| this.canonicalize()) else { return (NAME.to_owned(), true) };
    let path = std::env::var_os("PATH").unwrap_or_default();
    // `whichfn.exe` on Windows.
    let file = format!("{NAME}{}", std::env::consts::EXE_SUFFIX);
    let first = std::env::split_paths(&path).find_map(|folder| folder.join(&file).canonicalize().ok());
    let on_path = first.as_deref() == Some(this.as_path());
    (if is_shared || on_path { NAME.to_owned() } else { this.to_string_lossy().into_owned() }, on_path)
}

/// Warns if the command in a shared file does not lead to this program.
fn warn_without_command(shared: &str) {
    if !command(true).1 {
        output::notice(&format!(
            "{shared} is shared with other people, so the entry names the command `{NAME}` without a path, but `{NAME}` \
             on PATH is not this program; install it on PATH for the client to find it"
        ));
    }
}

/// Returns the displayed form of a path.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
