//! Tests untrusted git repositories. `check` and `fleet pack` run no program that the repository
//! names, open no connection, do not block and use limited memory. Unusual but valid repositories
//! are read normally.
#![cfg(unix)]

use crate::support::env::{Env, Ran, entries};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Output};
use std::time::Duration;

const OLD: &str = "def save(path, data):\n    return open(path).write(data)\n";
const NEW: &str = "def save(path, mode):\n    return open(path).write(mode)\n";
const APP: &str = "from store import save\n\n\ndef go():\n    save('a', data='b')\n";

/// Runs git in a folder of the repository.
fn git_in(env: &Env, folder: &str, arguments: &[&str]) -> Output {
    let mut git = env.other_process("git");
    git.current_dir(env.at(folder));
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]).args(arguments);
    git.output().expect("git runs")
}

fn git(env: &Env, arguments: &[&str]) -> String {
    let output = git_in(env, "", arguments);
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn commit(env: &Env) {
    git(env, &["add", "-A"]);
    git(env, &["commit", "-q", "-m", "a change"]);
}

/// Creates a repository with one commit, using these options of `git init`.
fn repository(options: &[&str]) -> Env {
    let env = Env::with(&[("store.py", OLD), ("app.py", APP)]);
    git(&env, &[&["init", "-q"], options].concat());
    commit(&env);
    env
}

/// Returns the rule and the path of each finding.
fn found(ran: &Ran) -> Vec<String> {
    let findings = ran.json()["findings"].as_array().expect("a list").clone();
    findings.iter().map(|one| format!("{} {}", one["rule"], one["path"]).replace('"', "")).collect()
}

/// Checks that the change from `OLD` to `NEW` is found.
fn is_checked(env: &Env, arguments: &[&str]) {
    let ran = env.run(&[&["check", "--json"], arguments].concat());
    assert_eq!(found(&ran), ["callers store.py"], "{ran:#?}");
}

/// Returns the revision that `fleet pack` records.
fn revision(env: &Env) -> String {
    let ran = env.run(&["fleet", "pack", ".", "-o", "../shards", "--json"]).found().json();
    ran["shards"][0]["members"][0]["revision"].as_str().expect("text").to_owned()
}

/// Sets the modification time of a file into the past, as in a fresh copy.
fn touch(path: &Path) {
    let file = std::fs::File::options().write(true).open(path).expect("file");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("time");
}

// ---- programs and pipes in a repository

const COMMANDS: &[&[&str]] = &[
    &["check"],
    &["check", "--base", "HEAD~1"],
    &["check", "--from-ref", "HEAD~1", "--to-ref", "HEAD"],
    &["check", "store.py"],
    &["check", "--staged"],
    &["fleet", "pack", ".", "-o", "../shards"],
];

/// Creates two commits, then changes a file, renames a file and changes the time of an unmodified
/// file.
fn changed() -> Env {
    let env = repository(&[]);
    env.write("moved.py", "def other(x):\n    return x * 2\n");
    env.write("same.py", "def same(x):\n    return x\n");
    env.write(".gitattributes", "*.py filter=evil diff=evil\n");
    commit(&env);
    env.write("store.py", NEW);
    git(&env, &["mv", "moved.py", "renamed.py"]);
    ["renamed.py", "same.py"].iter().for_each(|name| touch(&env.at(name)));
    env
}

/// Creates a program that leaves a mark. It exits immediately, so nothing waits for it.
fn program(env: &Env) -> String {
    let program = env.outside("program.sh");
    std::fs::write(&program, format!("#!/bin/sh\n: > {}\n", env.outside("mark").display())).expect("written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("rights");
    program.display().to_string()
}

fn runs_nothing(env: &Env) {
    for arguments in COMMANDS {
        let ran = env.run(arguments);
        assert!(!env.outside("mark").exists(), "{arguments:?} ran the program: {ran:#?}");
    }
}

#[test]
fn a_filter_of_the_repository_does_not_run() {
    for filter in ["clean", "smudge", "process"] {
        let env = changed();
        git(&env, &["config", &format!("filter.evil.{filter}"), &program(&env)]);
        runs_nothing(&env);
        is_checked(&env, &[]);
        assert!(revision(&env).ends_with("-dirty"));
    }
}

#[test]
fn other_settings_of_the_repository_run_nothing() {
    let env = changed();
    let program = program(&env);
    let keys = ["diff.evil.textconv", "diff.external", "core.fsmonitor", "core.pager", "core.alternateRefsCommand"];
    for key in keys.into_iter().chain(["alias.rev-parse", "alias.diff-index", "gpg.program", "core.hooksPath"]) {
        git(&env, &["config", key, &program]);
    }
    std::fs::copy(&program, env.at(".git/hooks/post-index-change")).expect("copied");
    runs_nothing(&env);
    is_checked(&env, &[]);
}

/// Creates a clone that lacks an object and is configured to fetch it from a remote.
fn partial(settings: &[(&str, &str)]) -> Env {
    let env = changed();
    let partial = [("extensions.partialClone", "origin"), ("remote.origin.promisor", "true")];
    let format = [("core.repositoryformatversion", "1")];
    for (key, value) in format.iter().chain(&partial).chain(settings) {
        git(&env, &["config", key, value]);
    }
    let object = git(&env, &["rev-parse", "HEAD:store.py"]);
    std::fs::remove_file(env.at(format!(".git/objects/{}/{}", &object[..2], &object[2..]))).expect("removed");
    env
}

#[test]
fn a_missing_object_is_not_fetched() {
    type Remote<'a> = Vec<(&'a str, &'a str)>;
    let place = Env::new();
    let (program, url) = (program(&place), place.repo().display().to_string());
    git(&place, &["init", "-q", "--bare", "."]);
    let external = format!("ext::{program}");
    let remotes: [Remote; 3] = [
        vec![("remote.origin.url", &url), ("remote.origin.uploadpack", &program)],
        vec![("remote.origin.url", "ssh://127.0.0.1/x"), ("core.sshCommand", &program)],
        vec![("remote.origin.url", &external), ("protocol.ext.allow", "always")],
    ];
    for remote in remotes {
        let env = partial(&remote);
        for arguments in COMMANDS {
            let ran = env.run(arguments);
            assert!(!place.outside("mark").exists(), "{arguments:?} fetched from {remote:?}: {ran:#?}");
        }
        env.run(&["check"]).failed(&["no content for store.py", "partial clone", "git diff"]);
        env.run(&["check", "--from-ref", "HEAD~1", "--to-ref", "HEAD"]).failed(&["no content for store.py"]);
    }
}

#[test]
fn the_settings_of_a_submodule_run_nothing() {
    let env = changed();
    std::fs::create_dir(env.at("part")).expect("folder");
    env.write("part/part.py", "def part(x):\n    return x\n");
    git(&env, &["init", "-q", "part"]);
    git_in(&env, "part", &["add", "-A"]);
    git_in(&env, "part", &["commit", "-q", "-m", "one"]);
    git(&env, &["add", "part"]);
    git(&env, &["commit", "-q", "-m", "with a part"]);
    let program = program(&env);
    for key in ["core.fsmonitor", "filter.evil.clean", "filter.evil.process"] {
        git_in(&env, "part", &["config", key, &program]);
    }
    env.write("part/.gitattributes", "*.py filter=evil\n");
    touch(&env.at("part/part.py"));
    runs_nothing(&env);
    is_checked(&env, &["store.py"]);
}

fn pipe(path: &Path) {
    let _ = std::fs::remove_file(path);
    std::fs::create_dir_all(path.parent().expect("folder")).expect("folder");
    let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
    assert!(made.success());
}

#[test]
fn a_pipe_in_the_git_directory_is_an_error_at_once() {
    let object = |env: &Env| {
        let object = git(env, &["rev-parse", "HEAD:store.py"]);
        format!("objects/{}/{}", &object[..2], &object[2..])
    };
    let names = ["index", "HEAD", "config", "packed-refs", "commondir", "info/attributes", "objects/info/alternates"];
    for name in
        names.into_iter().chain(["refs/heads/main", "an object", "objects/info/commit-graphs/commit-graph-chain"])
    {
        let env = changed();
        let name = if name == "an object" { object(&env) } else { name.to_owned() };
        pipe(&env.at(".git").join(&name));
        for arguments in [&["check"][..], &["check", "--base", "HEAD"]] {
            env.run(arguments).failed(&[&name, "is a pipe or a device", ".git folder"]);
        }
        assert_eq!(revision(&env), "", "{name}");
    }
}

#[test]
fn a_pipe_instead_of_attributes_is_not_read() {
    let env = changed();
    // Before version 2.41, git always reads the attributes, so this would run until the deadline.
    let knows = ["--attr-source", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "rev-parse"];
    if !git_in(&env, "", &knows).status.success() {
        return;
    }
    pipe(&env.at(".gitattributes"));
    is_checked(&env, &[]);
    assert!(revision(&env).ends_with("-dirty"));
}

// ---- time and memory

#[test]
fn an_oversized_old_file_is_skipped() {
    let env = repository(&[]);
    env.write("store.py", vec![0; 64 << 20]);
    env.write("long.py", "x = 1\n".repeat(1 << 20));
    commit(&env);
    ["store.py", "long.py"].iter().for_each(|name| env.write(name, NEW));
    let ran = env.run(&["check", "--json"]);
    assert!(found(&ran).is_empty() && ran.json()["files"] == 2, "{ran:#?}");
    let beyond = env.run(&["check", "--json", "--base", "HEAD~1"]);
    assert_eq!(found(&beyond), ["callers store.py"]);
}

/// Creates a branch whose tree contains ten trees of ten trees and so on, with this many levels.
fn tree_bomb(env: &Env, levels: usize) {
    let object = git(env, &["rev-parse", "HEAD:store.py"]);
    let tree = |lines: String| {
        let place = env.outside("tree");
        std::fs::write(&place, lines).expect("written");
        let mut git = env.other_process("git");
        let output = git.arg("mktree").stdin(std::fs::File::open(&place).expect("file")).output().expect("git runs");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    let mut id = tree((0..10).map(|number| format!("100644 blob {object}\tf{number}.py\n")).collect());
    for _ in 1..levels {
        id = tree((0..10).map(|number| format!("040000 tree {id}\td{number}\n")).collect());
    }
    let commit = git(env, &["commit-tree", "-p", "HEAD", "-m", "bomb", &id]);
    git(env, &["branch", "bomb", &commit]);
}

#[test]
fn a_commit_that_repeats_its_trees_without_end_is_refused() {
    let env = repository(&[]);
    tree_bomb(&env, 8);
    let words = ["lists at least 200001 files", "the tree is too large"];
    env.run(&["check", "--from-ref", "HEAD", "--to-ref", "bomb"]).failed(&words);
    let left: Vec<_> = entries(&env.outside("cache/whichfn")).iter().flat_map(|folder| entries(folder)).collect();
    assert!(!left.iter().any(|path| path.to_string_lossy().contains("revision-")), "{left:#?}");
    git(&env, &["update-ref", "refs/heads/main", "bomb"]);
    env.run(&["check"]).failed(&words);
    assert_eq!(revision(&env), "");
}

// ---- unusual but valid repositories

#[test]
fn a_hundred_thousand_equal_files_are_allowed() {
    let env = repository(&[]);
    tree_bomb(&env, 5);
    git(&env, &["update-ref", "refs/heads/main", "bomb"]);
    assert!(revision(&env).ends_with("-dirty"));
}

#[test]
fn a_checkout_with_crlf_is_unchanged() {
    let env = repository(&[]);
    git(&env, &["config", "core.autocrlf", "true"]);
    for (name, text) in [("store.py", OLD), ("app.py", APP)] {
        env.write(name, text.replace('\n', "\r\n"));
    }
    git(&env, &["add", "--renormalize", "."]);
    assert_eq!(revision(&env), git(&env, &["rev-parse", "HEAD"]));
    ["store.py", "app.py"].iter().for_each(|name| touch(&env.at(name)));
    assert_eq!(revision(&env), git(&env, &["rev-parse", "HEAD"]), "only times differ");
    env.write("store.py", NEW.replace('\n', "\r\n"));
    is_checked(&env, &[]);
    assert!(revision(&env).ends_with("-dirty"));
}

#[test]
fn a_repository_with_sha256_is_read() {
    let env = repository(&["--object-format=sha256"]);
    assert_eq!(revision(&env), git(&env, &["rev-parse", "HEAD"]));
    env.write("store.py", NEW);
    is_checked(&env, &[]);
    commit(&env);
    is_checked(&env, &["--base", "HEAD~1"]);
    git(&env, &["checkout", "-q", "HEAD~1"]);
    is_checked(&env, &["--from-ref", "main~1", "--to-ref", "main"]);
}

#[test]
fn a_split_or_sparse_index_is_read() {
    let env = repository(&[]);
    git(&env, &["update-index", "--split-index"]);
    git(&env, &["config", "core.splitIndex", "true"]);
    assert!(entries(&env.at(".git")).iter().any(|path| path.to_string_lossy().contains("sharedindex.")));
    assert_eq!(revision(&env), git(&env, &["rev-parse", "HEAD"]));
    env.write("store.py", NEW);
    is_checked(&env, &[]);
    git(&env, &["add", "-A"]);
    is_checked(&env, &["--staged"]);

    let env = repository(&[]);
    ["in/a.py", "out/b.py"].iter().for_each(|name| env.write(name, "def f(x):\n    return x\n"));
    commit(&env);
    git(&env, &["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
    assert!(!env.at("out").exists());
    assert_eq!(revision(&env), git(&env, &["rev-parse", "HEAD"]));
    env.write("store.py", NEW);
    is_checked(&env, &[]);
}

#[test]
fn an_unreliable_mode_of_files_is_no_change() {
    let env = repository(&[]);
    git(&env, &["config", "core.fileMode", "false"]);
    std::fs::set_permissions(env.at("app.py"), std::fs::Permissions::from_mode(0o755)).expect("rights");
    assert_eq!(env.run(&["check", "--json"]).json()["files"], 0);
    assert_eq!(revision(&env), git(&env, &["rev-parse", "HEAD"]));
}

/// Git refreshes an index with outdated times. Here it may only refresh a copy of the index.
#[test]
fn packing_leaves_the_index_unchanged() {
    let env = repository(&[]);
    ["store.py", "app.py"].iter().for_each(|name| touch(&env.at(name)));
    let (index, place) = (|| std::fs::read(env.at(".git/index")).expect("index"), env.at(".git/index"));
    let (before, time) = (index(), place.metadata().and_then(|meta| meta.modified()).expect("time"));
    assert_eq!(revision(&env), git(&env, &["rev-parse", "HEAD"]));
    assert_eq!(index(), before);
    assert_eq!(place.metadata().and_then(|meta| meta.modified()).expect("time"), time);
    assert!(!env.at(".git/index.lock").exists());
}

/// The copy of the index keeps the time of the original. If a file has the same time as the index,
/// git does not rely on the time alone to treat the file as unchanged.
#[test]
fn a_change_within_the_time_of_the_index_is_seen() {
    let env = repository(&[]);
    git(&env, &["config", "core.trustctime", "false"]);
    let set_time = |name: &str| {
        // Git treats the time 0 of an index as a missing time.
        let time = std::time::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let file = std::fs::File::options().write(true).open(env.at(name)).expect("file");
        file.set_modified(time).expect("time");
    };
    ["store.py", "app.py"].into_iter().for_each(set_time);
    git(&env, &["update-index", "--refresh"]);
    set_time(".git/index");
    env.write("store.py", OLD.replace("data", "code"));
    set_time("store.py");
    assert!(revision(&env).ends_with("-dirty"));
}

/// During a commit, git passes the path of the index in a variable.
#[test]
fn a_hook_sees_what_is_committed() {
    let env = repository(&[]);
    env.write("store.py", NEW);
    let index = env.at(".git/next-index").display().to_string();
    std::fs::copy(env.at(".git/index"), &index).expect("copied");
    let added = env.other_process("git").env("GIT_INDEX_FILE", &index).args(["add", "store.py"]).output().expect("git");
    assert!(added.status.success(), "{added:?}");
    assert!(found(&env.run(&["check", "--json", "--staged"])).is_empty());
    let ran = env.run_under(&[("GIT_INDEX_FILE", &index), ("GIT_TRACE", "1")], &["check", "--json", "--staged"]);
    assert_eq!(found(&ran), ["callers store.py"], "{ran:#?}");
}

// ---- temporary folders and signals

/// Creates a folder for temporary files.
fn temporary(env: &Env) -> PathBuf {
    let temporary = env.outside("temporary");
    std::fs::create_dir(&temporary).expect("folder");
    temporary
}

#[test]
fn no_private_folder_is_left() {
    let env = repository(&[]);
    let temporary = temporary(&env);
    let place = temporary.display().to_string();
    assert_eq!(env.run_under(&[("TMPDIR", &place)], &["check"]).code, Some(0));
    assert!(entries(&temporary).is_empty());
    let missing = temporary.join("missing").display().to_string();
    env.run_under(&[("TMPDIR", &missing)], &["check"]).failed(&["cannot write a temporary folder", "TMPDIR"]);
}

/// Starts `check` after running `line` in `sh`, and returns once git lists a tree. Git continues
/// when the file `go` exists.
fn waiting_check(env: &Env, temporary: &Path, line: &str) -> Child {
    let real = String::from_utf8(env.other_process("sh").args(["-c", "command -v git"]).output().expect("sh").stdout);
    let (programs, waits) = (env.outside("programs"), env.outside("waits"));
    std::fs::create_dir(&programs).expect("folder");
    let wait = format!(": > {}; until [ -e {} ]; do sleep 0.02; done", waits.display(), env.outside("go").display());
    let real = real.expect("UTF-8");
    let script = format!("#!/bin/sh\ncase \"$*\" in *ls-tree*) {wait};; esac\nexec {} \"$@\"\n", real.trim());
    std::fs::write(programs.join("git"), script).expect("written");
    std::fs::set_permissions(programs.join("git"), std::fs::Permissions::from_mode(0o755)).expect("rights");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").expect("PATH"));
    let mut check = env.interruptible_process();
    let program = check.get_program().to_owned();
    if !line.is_empty() {
        let variables: Vec<_> =
            check.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
        check = env.other_process("sh");
        check.env_clear().envs(variables.into_iter().filter_map(|(name, value)| Some((name, value?))));
        check.arg("-c").arg(format!("{line}; exec \"$0\" \"$@\"")).arg(program);
    }
    let mut child = check.arg("check").env("PATH", path).env("TMPDIR", temporary).spawn().expect("start");
    while !waits.exists() {
        assert!(child.try_wait().expect("running").is_none(), "git lists a tree");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn interrupt(child: &Child) {
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|sent| sent.success()));
}

#[test]
fn an_interrupt_removes_the_private_folder() {
    let env = repository(&[]);
    let temporary = temporary(&env);
    let mut child = waiting_check(&env, &temporary, "");
    assert!(!entries(&temporary).is_empty(), "the folder is in use");
    interrupt(&child);
    assert_eq!(child.wait().expect("ended").signal(), Some(2));
    assert!(entries(&temporary).is_empty());
}

/// `nohup` and scripts start commands with signals ignored.
#[test]
#[cfg(target_os = "linux")]
fn an_ignored_interrupt_stays_ignored() {
    let env = repository(&[]);
    let mut child = waiting_check(&env, &temporary(&env), "trap '' INT");
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(100));
    std::fs::write(env.outside("go"), "").expect("written");
    assert_eq!(child.wait().expect("ended").code(), Some(0));
}

#[test]
#[cfg(target_os = "linux")]
fn folders_of_killed_processes_are_removed_after_an_hour() {
    let env = repository(&[]);
    let temporary = temporary(&env);
    let own = std::process::id();
    // Process ids have at most seven digits.
    let names = ["whichfn-git-99999999-0-1".to_owned(), format!("whichfn-git-{own}-0-1"), "whichfn-git-x".to_owned()];
    for name in &names {
        std::fs::create_dir(temporary.join(name)).expect("folder");
        std::fs::write(temporary.join(name).join("config"), "").expect("written");
        let folder = std::fs::File::open(temporary.join(name)).expect("folder");
        folder.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("time");
    }
    std::fs::create_dir(temporary.join("whichfn-git-99999999-0-2")).expect("folder");
    let place = temporary.display().to_string();
    assert_eq!(env.run_under(&[("TMPDIR", &place)], &["check"]).code, Some(0));
    let mut left: Vec<_> = entries(&temporary).iter().filter_map(|path| Some(path.file_name()?.to_owned())).collect();
    left.sort();
    let mut expected = [&names[1][..], &names[2], "whichfn-git-99999999-0-2"].map(std::ffi::OsString::from);
    expected.sort();
    assert_eq!(left, expected, "a new folder, one of a running process and one with another name stay");
}
