//! The programs that agents run in: how each is detected, and where and how it is configured.

use clap::ValueEnum;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use whichfn_scan::find_root;
use whichfn_system::error::{Error, Kind, Result};

/// A program that agents run in.
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
    /// Windsurf: ~/.codeium/windsurf/mcp_config.json.
    Windsurf,
    /// Cline: the file in CLINE_MCP_SETTINGS_PATH, else in ~/.cline/data/settings.
    Cline,
    /// opencode: `opencode.json` or `opencode.jsonc` in the repository.
    Opencode,
    /// Continue: `.continue/mcpServers/whichfn.json` in the repository.
    Continue,
    /// Junie: `.junie/mcp/mcp.json` in the repository.
    Junie,
    /// GitHub Copilot CLI: `mcp-config.json` in COPILOT_HOME, else in ~/.copilot.
    CopilotCli,
}

/// Folders of the machine and of the repository.
#[derive(Debug, Clone)]
pub(super) struct Places {
    /// The repository.
    pub root: PathBuf,
    home: Option<PathBuf>,
}

impl Places {
    /// Finds the repository around this directory, or else around the current one.
    pub fn find(directory: Option<&Path>) -> Result<Self> {
        Ok(Self { root: find_root(directory)?, home: variable("HOME").or_else(|| variable("USERPROFILE")) })
    }

    /// Returns the displayed form of a path: relative to the repository, or below `~`.
    pub fn shown(&self, path: &Path) -> String {
        let home = self.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
        match (path.strip_prefix(&self.root), home) {
            (Ok(below), _) => below.display().to_string(),
            (_, Some(below)) => Path::new("~").join(below).display().to_string(),
            _ => path.display().to_string(),
        }
    }

    /// Returns a path below the home directory.
    fn home(&self, path: &str) -> Result<PathBuf> {
        let failed = || Error::new(Kind::Usage, "cannot find the home directory: HOME is not set", "set HOME");
        Ok(self.home.as_ref().ok_or_else(failed)?.join(path))
    }

    /// Returns the folder in this variable, or else this path below the home directory.
    fn folder(&self, name: &str, path: &str) -> Result<PathBuf> {
        variable(name).map_or_else(|| self.home(path), Ok)
    }

    /// Returns a path below the user's configuration directory.
    fn config(&self, path: &str) -> Result<PathBuf> {
        // Zed and opencode use XDG_CONFIG_HOME on Linux only.
        match variable("XDG_CONFIG_HOME").filter(|_| cfg!(target_os = "linux")) {
            Some(folder) => Ok(folder.join(path)),
            None => self.home(".config").map(|folder| folder.join(path)),
        }
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

impl Client {
    /// Returns the name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Cursor => "Cursor",
            Self::Vscode => "Visual Studio Code",
            Self::Gemini => "Gemini CLI",
            Self::Codex => "Codex",
            Self::Zed => "Zed",
            Self::Windsurf => "Windsurf",
            Self::Cline => "Cline",
            Self::Opencode => "opencode",
            Self::Continue => "Continue",
            Self::Junie => "Junie",
            Self::CopilotCli => "GitHub Copilot CLI",
        }
    }

    /// Returns the clients that this machine has: their folder in the home directory exists, or
    /// their command is on PATH.
    pub fn detect(places: &Places) -> Vec<Self> {
        Self::value_variants().iter().copied().filter(|client| client.is_present(places)).collect()
    }

    fn is_present(self, places: &Places) -> bool {
        let (folder, commands): (Result<PathBuf>, &[&str]) = match self {
            Self::ClaudeCode => (places.folder("CLAUDE_CONFIG_DIR", ".claude"), &["claude"]),
            Self::Cursor => (places.home(".cursor"), &["cursor", "cursor-agent"]),
            Self::Vscode => (places.home(".vscode"), &["code"]),
            Self::Gemini => (places.home(".gemini"), &["gemini"]),
            Self::Codex => (places.folder("CODEX_HOME", ".codex"), &["codex"]),
            Self::Zed => (places.config("zed"), &["zed", "zeditor"]),
            Self::Windsurf => (places.home(".codeium/windsurf"), &["windsurf"]),
            Self::Cline => (places.home(".cline"), &["cline"]),
            Self::Opencode => (places.config("opencode"), &["opencode"]),
            Self::Continue => (places.home(".continue"), &["cn"]),
            Self::Junie => (places.home(".junie"), &["junie"]),
            Self::CopilotCli => (places.folder("COPILOT_HOME", ".copilot"), &["copilot"]),
        };
        folder.is_ok_and(|folder| folder.is_dir()) || commands.iter().any(|command| is_on_path(command))
    }

    /// Returns the path of the configuration file.
    pub fn file(self, places: &Places) -> Result<PathBuf> {
        let root = &places.root;
        Ok(match self {
            Self::ClaudeCode => root.join(".mcp.json"),
            Self::Cursor => root.join(".cursor/mcp.json"),
            Self::Vscode => root.join(".vscode/mcp.json"),
            Self::Gemini => root.join(".gemini/settings.json"),
            Self::Codex => places.folder("CODEX_HOME", ".codex")?.join("config.toml"),
            Self::Zed => places.config("zed/settings.json")?,
            Self::Windsurf => places.home(".codeium/windsurf/mcp_config.json")?,
            Self::Cline => places.folder("CLINE_MCP_SETTINGS_PATH", ".cline/data/settings/cline_mcp_settings.json")?,
            Self::Opencode => {
                let with_comments = root.join("opencode.jsonc");
                if with_comments.is_file() { with_comments } else { root.join("opencode.json") }
            }
            // Continue reads every file in this folder, so the entry gets a file of its own.
            Self::Continue => root.join(".continue/mcpServers/whichfn.json"),
            Self::Junie => root.join(".junie/mcp/mcp.json"),
            Self::CopilotCli => places.folder("COPILOT_HOME", ".copilot")?.join("mcp-config.json"),
        })
    }

    /// Checks whether the file belongs to the repository, and is therefore shared with other
    /// people.
    pub fn is_shared(self) -> bool {
        match self {
            Self::ClaudeCode | Self::Cursor | Self::Vscode | Self::Gemini => true,
            Self::Opencode | Self::Continue | Self::Junie => true,
            Self::Codex | Self::Zed | Self::Windsurf | Self::Cline | Self::CopilotCli => false,
        }
    }

    /// Returns the key of the client's server table.
    pub fn servers(self) -> &'static str {
        match self {
            Self::Vscode => "servers",
            Self::Codex => "mcp_servers",
            Self::Zed => "context_servers",
            Self::Opencode => "mcp",
            _ => "mcpServers",
        }
    }

    /// Returns the entry that starts this server with a command.
    pub fn entry(self, command: &str) -> Value {
        if self == Self::Opencode {
            // opencode 1; version 2 also reads this form.
            return json!({"type": "local", "command": [command, "mcp"], "enabled": true});
        }
        let mut entry = json!({"command": command, "args": ["mcp"]});
        match self {
            Self::ClaudeCode | Self::Vscode => entry["type"] = "stdio".into(),
            Self::Zed => entry["source"] = "custom".into(),
            Self::CopilotCli => {
                entry["type"] = "local".into();
                entry["tools"] = json!(["*"]);
            }
            _ => {}
        }
        entry
    }

    /// Checks whether an entry is one that [`Self::entry`] returns for a command with this
    /// program's name.
    pub fn wrote(self, entry: &Value) -> bool {
        let command = match &entry["command"] {
            Value::Array(words) => words.first().and_then(Value::as_str),
            other => other.as_str(),
        };
        command.is_some_and(|command| {
            let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
            name.trim_end_matches(".exe") == super::NAME && *entry == self.entry(command)
        })
    }

    /// Returns the folder in the repository that the client reads skills from.
    pub fn skills(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some(".claude/skills"),
            Self::Gemini => Some(".gemini/skills"),
            Self::Codex => Some(".agents/skills"),
            _ => None,
        }
    }

    /// Returns the folder in the repository that the client reads sub-agents from.
    pub fn subagents(self) -> Option<&'static str> {
        (self == Self::ClaudeCode).then_some(".claude/agents")
    }
}

fn is_on_path(command: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let file = format!("{command}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path).any(|folder| folder.join(&file).is_file())
}
