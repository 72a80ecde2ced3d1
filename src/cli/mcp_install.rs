//! The `whichfn mcp install` command: adds the server to the configuration of an agent's program.
//!
//! It writes only the entry: every other byte of a JSON file stays the same, including comments and
//! trailing commas.

use super::{Exit, output};
use clap::{Args, ValueEnum};
use jsonc_parser::ast::{Object, Value as AstValue};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Value, json};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use whichfn_scan::find_root;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::{open_regular, read_at_most};

/// The name of the entry.
const NAME: &str = "whichfn";
/// Maximum size in bytes of a configuration file.
const LONGEST: u64 = 4 << 20;
/// JSON as editors accept it: with comments, and with commas before a closing bracket.
const SYNTAX: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

#[derive(Debug, Clone, Args)]
pub(super) struct InstallArgs {
    /// The MCP client to configure.
    #[arg(long, value_name = "NAME")]
    pub client: Client,
    /// Print the new contents of the file without writing it.
    #[arg(long)]
    pub print: bool,
    /// The repository to configure, for clients with a configuration per repository [default: the
    /// one around the current directory].
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

    /// Checks whether the file belongs to the repository, and is therefore shared with other
    /// people.
    fn is_shared(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Cursor | Self::Vscode | Self::Gemini)
    }

    /// Returns the key of the client's server table.
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
/// leads to this program. A shared file contains only the name, because a path on this machine is
/// wrong on every other machine.
fn command(is_shared: bool) -> (String, bool) {
    let Ok(this) = std::env::current_exe().and_then(|this| this.canonicalize()) else { return (NAME.to_owned(), true) };
    let path = std::env::var_os("PATH").unwrap_or_default();
    // `whichfn.exe` on Windows.
    let file = format!("{NAME}{}", std::env::consts::EXE_SUFFIX);
    let first = std::env::split_paths(&path).find_map(|folder| folder.join(&file).canonicalize().ok());
    let on_path = first.as_deref() == Some(&this);
    (if is_shared || on_path { NAME.to_owned() } else { this.to_string_lossy().into_owned() }, on_path)
}

/// Adds the entry to the `servers` object in a JSON document and leaves all other bytes unchanged.
fn with_json(former: &str, servers: &str, entry: &Value) -> std::result::Result<String, String> {
    if former.trim().is_empty() {
        return Ok(format!("{}\n", pretty(&json!({servers: {NAME: entry}}), 0)));
    }
    let parsed = parse_to_ast(former, &CollectOptions::default(), &SYNTAX);
    let parsed = parsed.map_err(|cause| format!("it is not valid JSON: {cause}"))?;
    let Some(AstValue::Object(root)) = parsed.value else { return Err("it is not a JSON object".to_owned()) };
    let Some(table) = root.get(servers) else {
        let member = format!("\"{servers}\": {}", pretty(&json!({NAME: entry}), 1));
        return Ok(with_member(former, &root, &member, 1));
    };
    let table = table.value.as_object().ok_or_else(|| format!("its `{servers}` is not an object"))?;
    match table.get(NAME).map(|known| &known.value) {
        Some(known) if Value::from(known.clone()) == *entry => Ok(former.to_owned()),
        Some(known) => Ok(format!("{}{}{}", &former[..known.start()], pretty(entry, 2), &former[known.end()..])),
        None => Ok(with_member(former, table, &format!("\"{NAME}\": {}", pretty(entry, 2)), 2)),
    }
}

/// Inserts a first member into an object. The parser's own editing would also format the other
/// members of an object on one line.
fn with_member(former: &str, object: &Object<'_>, member: &str, depth: usize) -> String {
    let (before, rest) = former.split_at(object.start() + 1);
    let indent = "  ".repeat(depth);
    if object.properties.is_empty() {
        format!("{before}\n{indent}{member}\n{}{}", "  ".repeat(depth - 1), rest.trim_start())
    } else {
        format!("{before}\n{indent}{member},{rest}")
    }
}

/// Formats JSON on several lines; lines after the first are indented by `depth` more steps.
fn pretty(value: &Value, depth: usize) -> String {
    let lines = serde_json::to_string_pretty(value).unwrap_or_default();
    lines.replace('\n', &format!("\n{}", "  ".repeat(depth)))
}

/// Appends the entry to a TOML document as a separate table.
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
    let temporary = file.with_file_name(name);
    let written = std::fs::File::create_new(&temporary).and_then(|mut open| {
        if let Ok(known) = std::fs::metadata(file) {
            open.set_permissions(known.permissions())?;
        }
        open.write_all(new.as_bytes())?;
        open.sync_all()
    });
    let done = written.and_then(|()| std::fs::rename(&temporary, file));
    done.map_err(|cause| {
        let _ = std::fs::remove_file(&temporary);
        failed("write", file, cause)
    })
}

/// Returns the removed and the added lines. Only one block of lines changes, so common lines at the
/// start and the end are omitted.
fn difference(file: &Path, former: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (former.lines().collect(), new.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = tails.take_while(|(a, b)| a == b).count();
    let (removed, added) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let marked = |mark: char, lines: &[&str]| lines.iter().map(|line| format!("{mark}{line}\n")).collect::<String>();
    format!("{}, line {}:\n{}{}", file.display(), head + 1, marked('-', removed), marked('+', added))
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
        let parsed = parse_to_ast(text, &CollectOptions::default(), &SYNTAX).expect("JSON");
        parsed.value.expect("a value").into()
    }

    #[test]
    fn keeps_every_other_byte_of_the_file() {
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
    fn replaces_only_an_entry_that_differs() {
        let new = with("{\"mcpServers\": {\"whichfn\": {\"command\": \"old\"}, \"b\": 1 } , \"rest\":2}");
        assert_eq!(read(&new), json!({"mcpServers": {"whichfn": entry(), "b": 1}, "rest": 2}));
        assert!(new.ends_with(", \"b\": 1 } , \"rest\":2}"), "{new}");
    }

    #[test]
    fn rejects_invalid_json() {
        for former in ["{", "[]", "{\"mcpServers\": 3}", "{\"mcpServers\": {\"a\" 1}}", "/*", "\"", "{\"a\": \"\\"] {
            assert!(with_json(former, "mcpServers", &entry()).is_err(), "{former}");
        }
    }

    #[test]
    fn adds_a_toml_table_at_the_end() {
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
