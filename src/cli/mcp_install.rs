//! The `whichfn mcp install` command: adds the server to the configuration of an agent's program.
//!
//! It writes only the entry: every other byte of a JSON file stays, including comments and trailing
//! commas.

use super::{Exit, output};
use clap::{Args, ValueEnum};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use whichfn_scan::find_root;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::{open_regular, read_at_most};

/// The name of the entry.
const NAME: &str = "whichfn";
/// Maximum size in bytes of a configuration file.
const LONGEST: u64 = 4 << 20;

#[derive(Debug, Clone, Args)]
pub(super) struct InstallArgs {
    /// The MCP client to configure.
    #[arg(long, value_name = "NAME")]
    pub client: Client,
    /// Print the new contents of the file without writing it.
    #[arg(long)]
    pub print: bool,
    /// The repository to configure, for clients with a configuration per repository [default: the one
    /// around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
}

/// A program that agents run in, and where its configuration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Client {
    /// Claude Code: `.mcp.json` in the repository.
    ClaudeCode,
    /// Cursor: `.cursor/mcp.json` in the repository.
    Cursor,
    /// Visual Studio Code: `.vscode/mcp.json` in the repository.
    Vscode,
    /// Gemini CLI: `.gemini/settings.json` in the repository.
    Gemini,
    /// Codex: `config.toml` in CODEX_HOME, else in ~/.codex.
    Codex,
    /// Zed: `settings.json` in the user's configuration directory.
    Zed,
}

impl Client {
    /// Returns the path of the configuration file; `root` is the repository's.
    fn file(self, root: &Path) -> Result<PathBuf> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || {
            let next = "set HOME";
            variable("HOME")
                .ok_or_else(|| Error::new(Kind::Usage, "cannot find the home directory: HOME is not set", next))
        };
        Ok(match self {
            Self::ClaudeCode => root.join(".mcp.json"),
            Self::Cursor => root.join(".cursor/mcp.json"),
            Self::Vscode => root.join(".vscode/mcp.json"),
            Self::Gemini => root.join(".gemini/settings.json"),
            Self::Codex => match variable("CODEX_HOME") {
                Some(folder) => folder.join("config.toml"),
                None => home()?.join(".codex/config.toml"),
            },
            Self::Zed => match variable("XDG_CONFIG_HOME").filter(|_| cfg!(target_os = "linux")) {
                Some(folder) => folder.join("zed/settings.json"),
                None => home()?.join(".config/zed/settings.json"),
            },
        })
    }

    /// Checks whether the file belongs to the repository, so that other people use it too.
    fn is_shared(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Cursor | Self::Vscode | Self::Gemini)
    }

    /// Returns the key of the client's table of servers.
    fn servers(self) -> &'static str {
        match self {
            Self::ClaudeCode | Self::Cursor | Self::Gemini => "mcpServers",
            Self::Vscode => "servers",
            Self::Codex => "mcp_servers",
            Self::Zed => "context_servers",
        }
    }

    /// Returns the entry of this server.
    fn entry(self, command: &str) -> Value {
        let mut entry = json!({"command": command, "args": ["mcp"]});
        match self {
            Self::ClaudeCode | Self::Vscode => entry["type"] = "stdio".into(),
            Self::Zed => entry["source"] = "custom".into(),
            Self::Cursor | Self::Gemini | Self::Codex => {}
        }
        entry
    }
}

pub(super) fn run(asked: &InstallArgs) -> Result<Exit> {
    let root = find_root(asked.directory.as_deref())?;
    let file = asked.client.file(&root)?;
    let former = match open_regular(&file).and_then(|open| read_at_most(open, LONGEST)) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| unreadable(&file, "it is not valid UTF-8"))?,
        Err(cause) if cause.kind() == ErrorKind::NotFound => String::new(),
        Err(cause) => return Err(Error::io(Kind::Path, "read", &file, &cause)),
    };
    let (command, on_path) = command(asked.client.is_shared());
    let entry = asked.client.entry(&command);
    let new = match asked.client {
        Client::Codex => with_toml(&former, asked.client.servers(), &entry),
        _ => with_json(&former, asked.client.servers(), &entry),
    };
    let new = new.map_err(|cause| unreadable(&file, &cause))?;
    if asked.print {
        output::data(&new)?;
        return Ok(Exit::Found);
    }
    if new == former {
        output::data(&format!("{} is already configured\n", file.display()))?;
    } else {
        write(&file, &new)?;
        output::data(&difference(&file, &former, &new))?;
    }
    if asked.client.is_shared() && !on_path {
        output::notice(&format!(
            "{} is shared, so it names the command `{NAME}` without a path, but `{NAME}` on PATH is not \
             this program; install it on PATH for the client to find it",
            file.display()
        ));
    }
    Ok(Exit::Found)
}

fn unreadable(file: &Path, cause: &str) -> Error {
    let next = format!(
        "correct it, or add the entry by hand: the key is `{NAME}`; --print shows it for an empty file elsewhere"
    );
    Error::new(Kind::Usage, format!("{}: {cause}; nothing was written", file.display()), next)
}

/// Returns the command with which the client starts this program, and whether its name on PATH
/// leads to this program. A shared file contains only the name, since a path of this machine is
/// wrong on every other one.
fn command(is_shared: bool) -> (String, bool) {
    let Ok(this) = std::env::current_exe().and_then(|this| this.canonicalize()) else { return (NAME.to_owned(), true) };
    let path = std::env::var_os("PATH").unwrap_or_default();
    // `whichfn.exe` on Windows.
    let file = format!("{NAME}{}", std::env::consts::EXE_SUFFIX);
    let first = std::env::split_paths(&path).find_map(|folder| folder.join(&file).canonicalize().ok());
    let on_path = first.as_deref() == Some(&this);
    (if is_shared || on_path { NAME.to_owned() } else { this.to_string_lossy().into_owned() }, on_path)
}

/// Adds the entry to the table `servers` of a JSON text; every other byte stays.
fn with_json(former: &str, servers: &str, entry: &Value) -> std::result::Result<String, String> {
    if former.trim().is_empty() {
        let whole = json!({servers: {NAME: entry}});
        return Ok(format!("{}\n", pretty(&whole, 0)));
    }
    let plain = without_comments(former);
    let spot = |range: Range<usize>| members(&plain, range);
    let whole = spot(0..plain.len())?;
    let replaced = |at: Range<usize>, text: String| format!("{}{text}{}", &former[..at.start], &former[at.end..]);
    let Some(table) = whole.get(servers) else {
        let table = json!({NAME: entry});
        return Ok(inserted(former, &plain, 0, whole.is_empty(), &format!("\"{servers}\": {}", pretty(&table, 1)), 1));
    };
    let known = spot(table.clone())?;
    match known.get(NAME) {
        Some(at) if serde_json::from_str::<Value>(&plain[at.clone()]).is_ok_and(|value| value == *entry) => {
            Ok(former.to_owned())
        }
        Some(at) => Ok(replaced(at.clone(), pretty(entry, 2))),
        None => {
            let said = format!("\"{NAME}\": {}", pretty(entry, 2));
            Ok(inserted(former, &plain, table.start, known.is_empty(), &said, 2))
        }
    }
}

/// Returns the members of the object at a range of a text, each with the range of its value.
fn members(plain: &str, range: Range<usize>) -> std::result::Result<BTreeMap<String, Range<usize>>, String> {
    let found: BTreeMap<String, &RawValue> =
        serde_json::from_str(&plain[range]).map_err(|cause| format!("it is not valid JSON: {cause}"))?;
    let start = plain.as_ptr() as usize;
    let place = |value: &RawValue| {
        let at = value.get().as_ptr() as usize - start;
        at..at + value.get().len()
    };
    Ok(found.into_iter().map(|(name, value)| (name, place(value))).collect())
}

/// Inserts a first member into the object that begins at or after `at`.
fn inserted(former: &str, plain: &str, at: usize, is_empty: bool, member: &str, depth: usize) -> String {
    let open = at + plain[at..].find('{').map_or(0, |brace| brace + 1);
    let comma = if is_empty { "\n" } else { "," };
    let end = if is_empty { "  ".repeat(depth - 1) } else { String::new() };
    let rest = if is_empty { former[open..].trim_start() } else { &former[open..] };
    format!("{}\n{}{member}{comma}{end}{rest}", &former[..open], "  ".repeat(depth))
}

/// Replaces comments, and commas before a closing bracket, by blanks of the same length. Editors
/// allow both in JSON.
fn without_comments(text: &str) -> String {
    let mut plain = text.as_bytes().to_vec();
    let (mut at, mut comma, mut in_string) = (0, None, false);
    while at < plain.len() {
        let blank_to =
            |plain: &mut [u8], end: usize| plain[at..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
        match (plain[at], plain.get(at + 1)) {
            (b'\\', Some(_)) if in_string => at += 1,
            (b'"', _) => (in_string, comma) = (!in_string, None),
            _ if in_string => {}
            (b'/', Some(b'/')) => {
                let end = text[at..].find('\n').map_or(plain.len(), |end| at + end);
                blank_to(&mut plain, end);
            }
            (b'/', Some(b'*')) => {
                let end = text[at..].find("*/").map_or(plain.len(), |end| at + end + 2);
                blank_to(&mut plain, end);
            }
            (b',', _) => comma = Some(at),
            (b'}' | b']', _) => {
                if let Some(comma) = comma.take() {
                    plain[comma] = b' ';
                }
            }
            (byte, _) if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        at += 1;
    }
    // Only whole characters were replaced, so the text is valid UTF-8; otherwise parsing the
    // original text reports the error.
    String::from_utf8(plain).unwrap_or_else(|_| text.to_owned())
}

/// Formats JSON on several lines; lines after the first are indented by `depth` more steps.
fn pretty(value: &Value, depth: usize) -> String {
    let lines = serde_json::to_string_pretty(value).unwrap_or_default();
    lines.replace('\n', &format!("\n{}", "  ".repeat(depth)))
}

/// Appends the entry to a TOML text as a separate table.
fn with_toml(former: &str, servers: &str, entry: &Value) -> std::result::Result<String, String> {
    let parsed =
        |text: &str| text.parse::<toml::Table>().map_err(|cause| format!("it is not valid TOML: {}", cause.message()));
    if let Some(known) = parsed(former)?.get(servers).and_then(|servers| servers.get(NAME)) {
        let same = serde_json::to_value(known).is_ok_and(|known| known == *entry);
        return if same {
            Ok(former.to_owned())
        } else {
            Err(format!("it already contains a different [{servers}.{NAME}]"))
        };
    }
    let table = toml::to_string(entry).map_err(|cause| cause.to_string())?;
    let gap = if former.is_empty() || former.ends_with("\n\n") {
        ""
    } else if former.ends_with('\n') {
        "\n"
    } else {
        "\n\n"
    };
    let new = format!("{former}{gap}[{servers}.{NAME}]\n{table}");
    parsed(&new).map(|_| new)
}

/// Replaces the file with a rename, so that it is never incomplete and no other file remains in its
/// folder.
fn write(file: &Path, new: &str) -> Result<()> {
    let failed = |doing: &str, path: &Path, cause: std::io::Error| Error::io(Kind::Path, doing, path, &cause);
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|cause| failed("make", folder, cause))?;
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside = file.with_file_name(name);
    let written = std::fs::File::create_new(&beside).and_then(|mut open| {
        if let Ok(known) = std::fs::metadata(file) {
            open.set_permissions(known.permissions())?;
        }
        open.write_all(new.as_bytes())?;
        open.sync_all()
    });
    let done = written.and_then(|()| std::fs::rename(&beside, file));
    done.map_err(|cause| {
        let _ = std::fs::remove_file(&beside);
        failed("write", file, cause)
    })
}

/// Returns the removed and the added lines. Only one stretch changes, so common lines at the start
/// and the end are omitted.
fn difference(file: &Path, former: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (former.lines().collect(), new.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = tails.take_while(|(a, b)| a == b).count();
    let (went, came) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let marked = |mark: char, lines: &[&str]| lines.iter().map(|line| format!("{mark}{line}\n")).collect::<String>();
    format!("{}, line {}:\n{}{}", file.display(), head + 1, marked('-', went), marked('+', came))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Value {
        json!({"command": "whichfn", "args": ["mcp"]})
    }

    fn with(former: &str) -> String {
        with_json(former, "mcpServers", &entry()).expect("JSON")
    }

    fn read(text: &str) -> Value {
        serde_json::from_str(&without_comments(text)).expect("JSON")
    }

    #[test]
    fn what_was_there_stays_byte_for_byte() {
        for former in [
            "{}",
            "{ }\n",
            "{\"theme\": \"dark\"}",
            "// mine\n{\n  \"z\": 1, // last\n  \"a\": [1, 2,],\n}\n",
            "{\"mcpServers\": {}}",
            "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}, \"b\": \"// no comment, }\"}",
            "{/* { */ \"mcpServers\"\n: {\n  // one\n  \"other\": {},\n  }}",
        ] {
            let new = with(former);
            let mut expected = read(former);
            expected["mcpServers"]["whichfn"] = entry();
            assert_eq!(read(&new), expected, "{former}\n{new}");
            assert_eq!(with(&new), new, "a second time changes nothing");
            for kept in ["// mine", "// last", "[1, 2,]", "// no comment, }", "// one", "/* { */"] {
                assert_eq!(former.contains(kept), new.contains(kept), "{kept}: {new}");
            }
        }
    }

    #[test]
    fn an_entry_that_differs_is_replaced_and_nothing_else() {
        let new = with("{\"mcpServers\": {\"whichfn\": {\"command\": \"old\"}, \"b\": 1 } , \"rest\":2}");
        assert_eq!(read(&new), json!({"mcpServers": {"whichfn": entry(), "b": 1}, "rest": 2}));
        assert!(new.ends_with(", \"b\": 1 } , \"rest\":2}"), "{new}");
    }

    #[test]
    fn what_does_not_read_is_left_alone() {
        for former in ["{", "[]", "{\"mcpServers\": 3}", "{\"mcpServers\": {\"a\" 1}}", "/*", "\"", "{\"a\": \"\\"] {
            assert!(with_json(former, "mcpServers", &entry()).is_err(), "{former}");
        }
    }

    #[test]
    fn a_toml_table_is_added_at_the_end() {
        let with = |former: &str| with_toml(former, "mcp_servers", &entry());
        let new = with("model = \"x\"\n[mcp_servers.b]\ncommand = \"y\" # mine").expect("TOML");
        assert!(
            new.starts_with("model = \"x\"\n[mcp_servers.b]\ncommand = \"y\" # mine\n\n[mcp_servers.whichfn]\n"),
            "{new}"
        );
        assert_eq!(with(&new).expect("TOML"), new, "a second time changes nothing");
        assert!(with("[mcp_servers.whichfn]\ncommand = \"old\"").is_err(), "another entry");
        assert!(with("mcp_servers = {}\n").is_err(), "a table that cannot be added to");
    }
}
