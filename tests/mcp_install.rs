//! Tests `whichfn mcp install`, which adds the server to an agent's configuration.

use crate::support::env::{Env, entries};
use serde_json::{Value, json};

fn written(env: &Env, path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(env.at(path)).expect("a file")).expect("JSON")
}

#[test]
fn each_client_gets_its_entry_in_its_own_file() {
    let env = Env::new();
    for (client, path, key) in [
        ("claude-code", ".mcp.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", ".vscode/mcp.json", "servers"),
        ("gemini", ".gemini/settings.json", "mcpServers"),
        ("zed", "../config/zed/settings.json", "context_servers"),
    ] {
        let ran = env.run(&["mcp", "install", "--client", client]).found();
        assert!(ran.out.contains("+") && ran.out.contains("whichfn"), "the difference: {}", ran.out);
        let entry = &written(&env, path)[key]["whichfn"];
        assert_eq!(entry["args"], json!(["mcp"]), "{client}");
        assert!(entry["command"].as_str().is_some_and(|command| command.contains("whichfn")), "{client}: {entry}");
    }
    env.run(&["mcp", "install", "--client", "codex"]).found();
    let codex = std::fs::read_to_string(env.outside("home/.codex/config.toml")).expect("a file");
    let codex: toml::Table = codex.parse().expect("TOML");
    assert_eq!(codex["mcp_servers"]["whichfn"]["args"][0].as_str(), Some("mcp"));
}

#[test]
fn existing_entries_are_kept_and_a_second_install_changes_nothing() {
    let env = Env::new();
    let former = "// mine\n{\n  \"servers\": {\n    \"other\": {\"command\": \"x\"},\n  },\n}\n";
    env.write(".vscode/mcp.json", former);
    let install = || env.run(&["mcp", "install", "--client", "vscode"]).found();
    let ran = install();
    assert!(!ran.out.contains("\n-"), "no line was removed: {}", ran.out);
    let read = |path: &str| std::fs::read_to_string(env.at(path)).expect("a file");
    assert_eq!(entries(&env.at(".vscode")), [env.at(".vscode/mcp.json")], "no backup in the repository");
    let new = read(".vscode/mcp.json");
    assert!(new.starts_with("// mine\n") && new.contains("\"other\": {\"command\": \"x\"},"), "{new}");
    assert!(install().out.contains("is already configured"));
    assert_eq!(read(".vscode/mcp.json"), new);
}

/// The file is shared, so it must not contain a path that exists on this machine only.
#[test]
#[cfg(unix)]
fn a_file_of_the_repository_names_the_command_without_a_path() {
    let env = Env::new();
    let bin = env.outside("bin");
    std::fs::create_dir(&bin).expect("folder");
    let install = |client: &str, path: &std::path::Path| {
        let ran = env.run_under(&[("PATH", path.to_str().expect("text"))], &["mcp", "install", "--client", client]);
        ran.found()
    };
    let command = |path: &str, key: &str| written(&env, path)[key]["whichfn"]["command"].clone();
    // The program is not on PATH yet.
    for (client, path, key) in [
        ("claude-code", ".mcp.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", ".vscode/mcp.json", "servers"),
        ("gemini", ".gemini/settings.json", "mcpServers"),
    ] {
        install(client, &bin).stderr_contains(&["`whichfn` on PATH is not this program", "install it on PATH"]);
        assert_eq!(command(path, key), "whichfn", "{client}");
    }
    install("zed", &bin).without_stderr();
    assert_eq!(command("../config/zed/settings.json", "context_servers"), env!("CARGO_BIN_EXE_whichfn"));
    // Now the program is on PATH.
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_whichfn"), bin.join("whichfn")).expect("link");
    install("claude-code", &bin).without_stderr();
    assert_eq!(command(".mcp.json", "mcpServers"), "whichfn");
    install("zed", &bin).without_stderr();
    assert_eq!(command("../config/zed/settings.json", "context_servers"), "whichfn");
}

#[test]
fn print_writes_nothing() {
    let env = Env::new();
    let ran = env.run(&["mcp", "install", "--client", "claude-code", "--print"]).found();
    assert!(serde_json::from_str::<Value>(&ran.out).is_ok_and(|value| value["mcpServers"]["whichfn"].is_object()));
    assert!(!env.at(".mcp.json").exists());
}

#[test]
fn an_unreadable_file_is_not_changed() {
    let env = Env::new();
    for broken in ["{\"mcpServers\": ", "[]", "{\"mcpServers\": []}"] {
        env.write(".mcp.json", broken);
        let ran = env.run(&["mcp", "install", "--client", "claude-code"]);
        ran.failed(&[".mcp.json", "nothing was written"]);
        assert_eq!(std::fs::read_to_string(env.at(".mcp.json")).expect("a file"), broken);
    }
}

#[test]
fn an_unknown_client_lists_the_known_ones() {
    let ran = Env::new().run(&["mcp", "install", "--client", "nobody"]).stderr_contains(&["claude-code", "zed"]);
    assert_eq!(ran.code, Some(2));
}
