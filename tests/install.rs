//! Tests `whichfn install` and `whichfn uninstall`, which configure every agent on the machine.

use crate::support::env::Env;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Each client: a folder in the home directory that shows that the machine has it, its file
/// (relative to the repository), and the keys of its entry.
const CLIENTS: &[(&str, &str, &str, &[&str])] = &[
    ("claude-code", ".claude", ".mcp.json", &["mcpServers", "whichfn"]),
    ("cursor", ".cursor", ".cursor/mcp.json", &["mcpServers", "whichfn"]),
    ("vscode", ".vscode", ".vscode/mcp.json", &["servers", "whichfn"]),
    ("gemini", ".gemini", ".gemini/settings.json", &["mcpServers", "whichfn"]),
    ("codex", ".codex", "../home/.codex/config.toml", &["mcp_servers", "whichfn"]),
    ("zed", ".config/zed", "../config/zed/settings.json", &["context_servers", "whichfn"]),
    ("windsurf", ".codeium/windsurf", "../home/.codeium/windsurf/mcp_config.json", &["mcpServers", "whichfn"]),
    ("cline", ".cline", "../home/.cline/data/settings/cline_mcp_settings.json", &["mcpServers", "whichfn"]),
    ("opencode", ".config/opencode", "opencode.json", &["mcp", "whichfn"]),
    ("continue", ".continue", ".continue/mcpServers/whichfn.json", &["mcpServers", "whichfn"]),
    ("junie", ".junie", ".junie/mcp/mcp.json", &["mcpServers", "whichfn"]),
    ("copilot-cli", ".copilot", "../home/.copilot/mcp-config.json", &["mcpServers", "whichfn"]),
];

/// Creates the folder of a client in the home directory, or in the configuration directory.
fn add_client(env: &Env, folder: &str) {
    let folder = match folder.strip_prefix(".config/").filter(|_| cfg!(target_os = "linux")) {
        Some(name) => env.outside("config").join(name),
        None => env.outside("home").join(folder),
    };
    std::fs::create_dir_all(folder).expect("folder");
}

/// A command whose PATH has no agent, so that only the folders count.
fn run(env: &Env, arguments: &[&str]) -> crate::support::env::Ran {
    let empty = env.outside("bin");
    std::fs::create_dir_all(&empty).expect("folder");
    env.run_under(&[("PATH", empty.to_str().expect("text"))], arguments)
}

/// Returns every file below a folder, with its content.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let walk = ignore::WalkBuilder::new(folder).standard_filters(false).build();
    let files = walk.map(|entry| entry.expect("entry")).filter(|entry| entry.file_type().is_some_and(|t| t.is_file()));
    files
        .map(|entry| (entry.path().display().to_string(), std::fs::read_to_string(entry.path()).expect("text")))
        .collect()
}

fn entry(env: &Env, file: &str, keys: &[&str]) -> Value {
    let text = std::fs::read_to_string(env.at(file)).unwrap_or_else(|cause| panic!("{file}: {cause}"));
    let value: Value = match file.ends_with(".toml") {
        true => serde_json::to_value(text.parse::<toml::Table>().expect("TOML")).expect("a value"),
        false => serde_json::from_str(&text).expect("JSON"),
    };
    keys.iter().fold(value, |value, key| value[*key].clone())
}

#[test]
fn every_agent_on_the_machine_is_configured_and_restored() {
    let env = Env::new();
    CLIENTS.iter().for_each(|(_, folder, ..)| add_client(&env, folder));
    env.write("AGENTS.md", "# Rules\n\nBe brief.\n");
    env.write(".vscode/mcp.json", "// mine\n{\n  \"servers\": {\n    \"other\": {\"command\": \"x\"},\n  },\n}\n");
    std::fs::write(env.outside("home/.codex/config.toml"), "model = \"x\"\n").expect("file");
    let before = (files(&env.repo()), files(&env.outside("home")), files(&env.outside("config")));
    // Nothing is written without --yes or an answer on a terminal.
    for (arguments, code) in [(&["install", "--dry-run"][..], 0), (&["install"], 1), (&["uninstall"], 0)] {
        let ran = run(&env, arguments);
        assert_eq!(ran.code, Some(code), "{ran:#?}");
        assert_eq!((files(&env.repo()), files(&env.outside("home")), files(&env.outside("config"))), before);
    }
    let shown = run(&env, &["install", "--dry-run"]).found().out;
    let written = run(&env, &["install", "--yes", "--part", "server,agents-md,skill,subagent"]).found().out;
    for (client, _, file, keys) in CLIENTS {
        let name = file.trim_start_matches("../");
        let line = written.lines().find(|line| line.contains(name.trim_start_matches("home/")));
        assert!(shown.contains(name), "{client}: {shown}");
        let change = line.unwrap_or_else(|| panic!("{client}: {written}"));
        assert!(change.ends_with("  new file") || change.ends_with(" added"), "{client}: {change}");
        if *client == "vscode" {
            let text = std::fs::read_to_string(env.at(file)).expect("a file");
            assert!(text.starts_with("// mine\n") && text.contains("\"whichfn\": {"), "{text}");
            continue;
        }
        let entry = entry(&env, file, keys);
        let starts = entry["args"] == json!(["mcp"]) || entry["command"][1] == "mcp";
        assert!(starts, "{client}: {entry}");
    }
    let agents = std::fs::read_to_string(env.at("AGENTS.md")).expect("a file");
    assert!(agents.starts_with("# Rules\n\nBe brief.\n") && agents.contains("which_function"), "{agents}");
    for file in [".claude/skills", ".gemini/skills", ".agents/skills"] {
        assert!(env.at(file).join("which-function/SKILL.md").is_file(), "{file}");
    }
    assert!(env.at(".claude/agents/which-function.md").is_file());
    assert!(run(&env, &["install", "--yes"]).found().out.contains("already installed"));

    run(&env, &["uninstall", "--yes"]).found();
    assert_eq!((files(&env.repo()), files(&env.outside("home")), files(&env.outside("config"))), before);
    assert!(!env.at(".junie").exists() && !env.at(".agents").exists(), "no empty folder remains");
    assert!(run(&env, &["uninstall", "--yes"]).found().out.contains("nothing is installed for "));
    assert!(run(&env, &["uninstall", "--yes"]).found().out.contains(env.repo().to_str().expect("text")));
}

#[test]
fn only_the_agents_of_this_machine_or_the_named_ones_are_configured() {
    let env = Env::new();
    run(&env, &["install", "--yes"]).nothing().stderr_contains(&["found no agent", "--client"]);
    add_client(&env, ".gemini");
    run(&env, &["install", "--yes", "--part", "server"]).found();
    assert!(env.at(".gemini/settings.json").is_file() && !env.at(".mcp.json").exists());
    assert!(!env.at("AGENTS.md").exists(), "only the part that was asked for");
    run(&env, &["install", "--yes", "--client", "claude-code,junie"]).found();
    assert!(env.at(".mcp.json").is_file() && env.at(".junie/mcp/mcp.json").is_file() && env.at("AGENTS.md").is_file());
    run(&env, &["uninstall", "--yes", "--client", "claude-code", "--part", "server"]).found();
    assert!(!env.at(".mcp.json").exists() && env.at(".junie/mcp/mcp.json").is_file() && env.at("AGENTS.md").is_file());
}

#[test]
fn what_a_person_changed_stays() {
    let env = Env::new();
    let edited = "{\"mcpServers\": {\"whichfn\": {\"command\": \"whichfn\", \"args\": [\"mcp\", \"src\"]}}}\n";
    env.write(".cursor/mcp.json", edited);
    env.write(".claude/skills/which-function/SKILL.md", "mine\n");
    let ran = run(&env, &["uninstall", "--yes"]).nothing();
    ran.stderr_contains(&[".cursor/mcp.json contains a different version", "SKILL.md contains a different version"]);
    assert_eq!(std::fs::read_to_string(env.at(".cursor/mcp.json")).expect("a file"), edited);
    assert_eq!(std::fs::read_to_string(env.at(".claude/skills/which-function/SKILL.md")).expect("a file"), "mine\n");
}

/// One broken file does not keep the other agents from being configured.
#[test]
fn a_file_that_cannot_be_read_is_skipped_and_named() {
    let env = Env::new();
    env.write(".mcp.json", "{\"mcpServers\": ");
    let ran = run(&env, &["install", "--yes", "--client", "claude-code,gemini", "--part", "server"]).found();
    ran.stderr_contains(&["skipped", ".mcp.json", "not valid JSON"]);
    assert_eq!(std::fs::read_to_string(env.at(".mcp.json")).expect("a file"), "{\"mcpServers\": ");
    assert!(env.at(".gemini/settings.json").is_file());
    let again = run(&env, &["install", "--yes", "--client", "claude-code,gemini", "--part", "server"]);
    assert_eq!(again.code, Some(0), "the same status again: {again:#?}");
    let none = run(&env, &["install", "--yes", "--client", "claude-code", "--part", "server"]);
    none.nothing().stderr_contains(&["skipped"]);
}

/// Editors of other systems and people write files in other ways.
#[test]
fn line_breaks_indentation_and_the_end_of_a_file_stay() {
    let env = Env::new();
    let files = [
        (".mcp.json", "{\r\n\t\"theme\": \"dark\"\r\n}"),
        (".gemini/settings.json", ""),
        ("AGENTS.md", "# Rules\r\n\r\nBe brief."),
        ("../home/.codex/config.toml", "model = \"x\""),
    ];
    std::fs::create_dir_all(env.outside("home/.codex")).expect("folder");
    files.iter().for_each(|(file, text)| env.write(file, text));
    run(&env, &["install", "--yes", "--client", "claude-code,gemini,codex"]).found();
    let read = |file: &str| std::fs::read_to_string(env.at(file)).unwrap_or_else(|cause| panic!("{file}: {cause}"));
    for (file, before) in files {
        let text = read(file);
        let crlf = text.matches("\r\n").count();
        assert_eq!(crlf, if before.contains("\r\n") { text.matches('\n').count() } else { 0 }, "{file}: {text:?}");
    }
    assert!(read(".mcp.json").contains("\r\n\t\t\"whichfn\": {"));
    run(&env, &["uninstall", "--yes"]).found();
    for (file, before) in files {
        assert_eq!(read(file), before, "{file}");
    }
}

/// A link to a shared file of rules stays a link. A repository cannot choose a file of the user.
#[test]
#[cfg(unix)]
fn links_are_followed_but_not_out_of_the_repository() {
    use std::os::unix::fs::symlink;
    let env = Env::new();
    env.write("RULES.md", "# Rules\n");
    symlink("RULES.md", env.at("AGENTS.md")).expect("link");
    std::fs::write(env.outside("home/.profile"), "{}\n").expect("file");
    symlink(env.outside("home/.profile"), env.at(".mcp.json")).expect("link");
    let ran = run(&env, &["install", "--yes", "--client", "claude-code"]).found();
    ran.stderr_contains(&["skipped", ".mcp.json", "leads out of the repository"]);
    assert_eq!(std::fs::read_to_string(env.outside("home/.profile")).expect("a file"), "{}\n");
    assert!(std::fs::read_to_string(env.at("RULES.md")).expect("a file").contains("which_function"));
    assert!(env.at("AGENTS.md").symlink_metadata().expect("a link").is_symlink());
    run(&env, &["uninstall", "--yes"]).found();
    assert_eq!(std::fs::read_to_string(env.at("RULES.md")).expect("a file"), "# Rules\n");
    env.run(&["mcp", "install", "--client", "claude-code"])
        .failed(&["leads out of the repository", "nothing was written"]);
}

// ---- what a person wrote, before and meanwhile

/// Answers the question of a command on a terminal after `meanwhile`, and returns the status and
/// what the terminal showed.
#[cfg(unix)]
fn answered(env: &Env, arguments: &[&str], answers: &str, meanwhile: impl FnOnce()) -> (Option<i32>, String) {
    use std::io::{Read, Write};
    let (mut person, program) = crate::support::terminal::terminal((80, 24));
    let mut command = env.process();
    command.args(arguments).env("PATH", env.outside("bin"));
    let [stdin, stdout] = [0, 1].map(|_| program.try_clone().expect("a copy"));
    let mut child = command.stdin(stdin).stdout(stdout).stderr(program).spawn().expect("start");
    drop(command);
    let (mut seen, mut piece) = (String::new(), [0; 1 << 12]);
    while !seen.contains("[y/N]") {
        let count = person.read(&mut piece).expect("a question");
        seen += &String::from_utf8_lossy(&piece[..count]);
    }
    meanwhile();
    person.write_all(answers.as_bytes()).expect("an answer");
    while let Ok(count @ 1..) = person.read(&mut piece) {
        seen += &String::from_utf8_lossy(&piece[..count]);
    }
    (child.wait().expect("end").code(), seen.replace("\r\n", "\n"))
}

#[test]
#[cfg(unix)]
fn a_change_that_is_made_during_the_question_stays() {
    let env = Env::new();
    let install = ["install", "--client", "claude-code,cursor", "--part", "server"];
    let uninstall = ["uninstall", "--client", "claude-code,cursor"];
    let read = || std::fs::read_to_string(env.at(".mcp.json")).expect("a file");
    let other = "{\"mcpServers\": {\"mine\": {\"command\": \"x\"}}}\n";
    // The file exists, or another program creates it meanwhile; the other file is written.
    for before in [Some("{}\n"), None] {
        before.inspect(|text| env.write(".mcp.json", text));
        let (code, seen) = answered(&env, &install, "y\n", || env.write(".mcp.json", other));
        assert_eq!((code, read()), (Some(2), other.to_owned()), "{seen}");
        assert!(seen.contains(".mcp.json changed meanwhile; it was not written"), "{seen}");
        assert!(env.at(".cursor/mcp.json").is_file());
        env.remove(".mcp.json");
        env.remove(".cursor/mcp.json");
    }
    // `uninstall` would remove the file.
    assert_eq!(answered(&env, &install, "y\n", || {}).0, Some(0));
    let (code, seen) = answered(&env, &uninstall, "y\n", || env.write(".mcp.json", other));
    assert_eq!((code, read()), (Some(2), other.to_owned()), "{seen}");
    env.write(".mcp.json", "{}");
    let (code, _) = answered(&env, &install, "y\n", || env.remove(".mcp.json"));
    assert_eq!((code, env.at(".mcp.json").exists()), (Some(2), false), "a file that someone removed");
}

#[test]
#[cfg(unix)]
fn the_question_fits_on_a_screen_and_d_shows_the_differences() {
    let env = Env::new();
    let clients = CLIENTS.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(",");
    env.write("AGENTS.md", "# Rules\n");
    let parts = "server,agents-md,skill,subagent";
    let (code, seen) = answered(&env, &["install", "--client", &clients, "--part", parts], "n\n", || {});
    let is_notice = |line: &&str| line.starts_with("whichfn: ") || line.starts_with("    ");
    let list = seen.lines().filter(|line| !is_notice(line)).collect::<Vec<_>>();
    assert!(code == Some(1) && list.len() <= 20, "{seen}");
    assert!(seen.contains("Cursor              .cursor/mcp.json  ") && seen.contains("  new file\n"), "{seen}");
    assert!(seen.contains("All agents          AGENTS.md  ") && !seen.contains("+## Finding code"), "{seen}");
    let (code, seen) = answered(&env, &["install", "--client", "cursor"], "d\ny\n", || {});
    assert!(code == Some(0) && seen.contains("+## Finding code\n") && seen.matches("[y/N]").count() == 2, "{seen}");
}

/// Files that someone else wrote are neither replaced nor removed.
#[test]
fn files_and_lines_of_other_people_stay() {
    let env = Env::new();
    let files = [
        (".claude/skills/which-function/SKILL.md", "My own skill\n"),
        (".claude/agents/which-function.md", ""),
        ("AGENTS.md", "# Rules\n<!-- whichfn: start -->\nmine\n<!-- whichfn: end -->\nrest\n"),
    ];
    files.iter().for_each(|(file, text)| env.write(file, text));
    for command in [&["install", "--part", "skill,subagent,agents-md", "--client", "claude-code"][..], &["uninstall"]] {
        let ran = run(&env, &[command, &["--yes"]].concat()).nothing();
        for (file, text) in files {
            assert!(ran.err.contains(&format!("{file} contains a different version")), "{file}: {}", ran.err);
            assert_eq!(std::fs::read_to_string(env.at(file)).expect("a file"), text, "{file}");
        }
    }
}

/// Of each file, only its own client fails.
#[test]
#[cfg(unix)]
fn a_file_of_another_kind_is_skipped() {
    use std::os::unix::fs::PermissionsExt;
    let env = Env::new();
    env.write(".mcp.json", b"{\"a\": \"\xff\"}");
    std::fs::create_dir_all(env.at(".cursor/mcp.json")).expect("folder");
    env.write(".vscode/mcp.json", vec![b' '; (4 << 20) + 1]);
    env.write(".junie/mcp/mcp.json", "{}");
    std::fs::set_permissions(env.at(".junie/mcp/mcp.json"), PermissionsExt::from_mode(0o400)).expect("mode");
    let clients = "claude-code,cursor,vscode,junie,codex,gemini";
    let ran = env.run_with(&["install", "--yes", "--client", clients, "--part", "server"], |command| {
        command.env_remove("HOME");
    });
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for cause in ["not valid UTF-8", "not a regular file", "longer than 4194304 bytes", "read-only", "HOME is not set"]
    {
        assert!(ran.err.contains(cause) && !ran.err.contains("cause above"), "{cause}: {}", ran.err);
    }
    assert!(env.at(".gemini/settings.json").is_file());
    assert_eq!(std::fs::read_to_string(env.at(".junie/mcp/mcp.json")).expect("a file"), "{}");
}

#[test]
#[cfg(unix)]
fn a_hard_link_stays() {
    let env = Env::new();
    env.write("shared.json", "{ }\n");
    std::fs::hard_link(env.at("shared.json"), env.at(".mcp.json")).expect("link");
    let read = || std::fs::read_to_string(env.at("shared.json")).expect("a file");
    run(&env, &["install", "--yes", "--client", "claude-code", "--part", "server"]).found();
    assert!(read().contains("\"whichfn\""), "{}", read());
    run(&env, &["uninstall", "--yes"]).found();
    assert_eq!(read(), "{ }\n");
}
