//! Tests that a new worktree or clone starts from the index of another checkout of its repository,
//! and gets the same index as one that is built from scratch.

use crate::support::env::{Env, Ran, entries};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Runs git in a folder; `None` without git, with a notice.
fn git(env: &Env, folder: &Path, arguments: &[&str]) -> Option<()> {
    let mut command = env.other_process("git");
    command.current_dir(folder).args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]);
    let output = command.args(arguments).output().ok().or_else(|| {
        // The test harness does not capture this, so a skipped test is visible.
        let _ = writeln!(std::io::stderr(), "SKIPPED: git is not on PATH, so checkouts are not tested");
        None
    })?;
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(())
}

/// Creates a repository with a commit; its files call each other.
fn repository() -> Option<Env> {
    let env = Env::new();
    std::fs::remove_dir_all(env.at(".git")).expect("folder removed");
    for number in 0..20 {
        let next = (number + 1) % 20;
        let text = format!(
            "from app.part{next} import step{next}\n\n\ndef step{number}(text):\n    \"\"\"Does step {number}.\"\"\"\n    return step{next}(text)\n"
        );
        env.write(format!("app/part{number}.py"), text);
    }
    env.write("README.md", "# App\n");
    git(&env, &env.repo(), &["init", "-q"])?;
    git(&env, &env.repo(), &["add", "."])?;
    git(&env, &env.repo(), &["commit", "-qm", "first"])?;
    Some(env)
}

fn index(env: &Env, folder: &Path, more: &[&str]) -> Ran {
    env.run_with(&[&["index", "--json"], more].concat(), |command| {
        command.current_dir(folder);
    })
}

/// Returns the number of files that were parsed.
fn parsed(ran: &Ran) -> u64 {
    ran.json()["refreshed_files"].as_u64().unwrap_or_else(|| panic!("a number: {ran:#?}"))
}

/// Returns the files of a checkout's index, except for the manifest, which contains times.
fn tables(env: &Env, index_dir: &Path, checkout: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = entries(index_dir).into_iter().find(|folder| {
        folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("{checkout}-")))
    });
    let folder = folder.unwrap_or_else(|| panic!("an index of {checkout} in {}", env.outside("").display()));
    let current = std::fs::read_to_string(folder.join("CURRENT")).expect("a generation");
    let generation = folder.join(current.trim());
    let files = entries(&generation).into_iter().filter(|file| !file.ends_with("manifest"));
    files
        .map(|file| (file.strip_prefix(&generation).expect("inside").to_owned(), std::fs::read(&file).expect("bytes")))
        .collect()
}

/// Checks that the index of a checkout has the bytes of one that is built from scratch elsewhere.
fn assert_as_from_scratch(env: &Env, checkout: &Path) {
    let fresh = env.outside("fresh");
    index(env, checkout, &["--index-dir", fresh.to_str().expect("text")]).found();
    let name = checkout.file_name().expect("a name").to_string_lossy().into_owned();
    let (taken, built) = (tables(env, &env.outside("cache/whichfn"), &name), tables(env, &fresh, &name));
    assert!(!taken.is_empty());
    assert_eq!(
        taken.iter().map(|(name, bytes)| (name, bytes.len())).collect::<Vec<_>>(),
        built.iter().map(|(name, bytes)| (name, bytes.len())).collect::<Vec<_>>()
    );
    assert!(taken == built, "the tables of {name} have the same bytes as from scratch");
}

#[test]
fn a_worktree_parses_only_the_files_that_differ() {
    let Some(env) = repository() else { return };
    assert_eq!(parsed(&index(&env, &env.repo(), &[]).found()), 21);
    let (same, other) = (env.outside("same"), env.outside("other"));
    git(&env, &env.repo(), &["worktree", "add", "-q", same.to_str().expect("text"), "-b", "same"]);
    git(&env, &env.repo(), &["worktree", "add", "-q", other.to_str().expect("text"), "-b", "other"]);
    let ran = index(&env, &same, &[]).found();
    assert_eq!(parsed(&ran), 0, "{ran:#?}");
    assert_eq!(ran.json()["taken_from"], env.repo().to_str().expect("text"));
    assert_as_from_scratch(&env, &same);

    // A changed, a new and a deleted file.
    std::fs::write(other.join("app/part3.py"), "def step3(text):\n    return text.strip()\n").expect("file");
    std::fs::write(
        other.join("app/added.py"),
        "from app.part3 import step3\n\ndef add(text):\n    return step3(text)\n",
    )
    .expect("file");
    std::fs::remove_file(other.join("app/part7.py")).expect("file removed");
    let ran = index(&env, &other, &[]).found();
    assert_eq!(parsed(&ran), 2, "{ran:#?}");
    assert_as_from_scratch(&env, &other);
    let callers = env.run_with(&["callers", "step3"], |command| {
        command.current_dir(&other);
    });
    assert!(callers.found().out.contains("add"));
}

#[test]
fn a_clone_starts_from_the_index_of_its_origin_or_of_another_clone() {
    let Some(env) = repository() else { return };
    index(&env, &env.repo(), &[]).found();
    let (first, second) = (env.outside("first"), env.outside("second"));
    for clone in [&first, &second] {
        git(
            &env,
            &env.outside(""),
            &["clone", "-q", env.repo().to_str().expect("text"), clone.to_str().expect("text")],
        );
    }
    assert_eq!(parsed(&index(&env, &first, &[]).found()), 0, "from its origin");
    std::fs::remove_dir_all(env.repo()).expect("folder removed");
    let folders = entries(&env.outside("cache/whichfn"));
    let of_origin = folders.iter().find(|folder| folder.to_string_lossy().contains("repo-")).expect("an index");
    std::fs::remove_dir_all(of_origin).expect("index removed");
    assert_eq!(parsed(&index(&env, &second, &[]).found()), 0, "from another clone");
    assert_as_from_scratch(&env, &second);
}

#[test]
fn an_unrelated_or_damaged_index_is_not_used() {
    let Some(env) = repository() else { return };
    index(&env, &env.repo(), &[]).found();
    // The same files, but a repository of its own.
    let unrelated = env.outside("unrelated");
    std::fs::create_dir(&unrelated).expect("folder");
    for file in entries(&env.at("app")) {
        std::fs::create_dir_all(unrelated.join("app")).expect("folder");
        std::fs::copy(&file, unrelated.join("app").join(file.file_name().expect("a name"))).expect("copied");
    }
    git(&env, &unrelated, &["init", "-q"]);
    assert_eq!(parsed(&index(&env, &unrelated, &[]).found()), 20);

    let folder = entries(&env.outside("cache/whichfn")).into_iter().find(|f| f.to_string_lossy().contains("repo-"));
    let folder = folder.expect("an index");
    let generation = entries(&folder).into_iter().find(|f| f.is_dir()).expect("a generation");
    let base = generation.join("base");
    let mut bytes = std::fs::read(&base).expect("bytes");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].fill(0xa5);
    std::fs::write(&base, bytes).expect("written");
    let worktree = env.outside("worktree");
    git(&env, &env.repo(), &["worktree", "add", "-q", worktree.to_str().expect("text"), "-b", "w"]);
    std::fs::write(worktree.join("app/part3.py"), "def step3(text):\n    return text\n").expect("file");
    let ran = index(&env, &worktree, &[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_as_from_scratch(&env, &worktree);
}

/// Returns the paths of the indexed functions with a name.
fn definitions(env: &Env, folder: &Path, name: &str) -> Vec<String> {
    let ran = env.run_with(&["ask", "--unit", "definition", "-k", "50", "--jsonl", "--no-fold", name], |command| {
        command.current_dir(folder);
    });
    let rows = ran.out.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut paths: Vec<String> =
        rows.filter(|row| row["name"] == name).filter_map(|row| Some(row["path"].as_str()?.to_owned())).collect();
    paths.sort();
    paths
}

/// Returns how many worktrees `whichfn status` counts as skipped.
fn worktrees(env: &Env, folder: &Path) -> u64 {
    let ran = env.run_with(&["status", "--json"], |command| {
        command.current_dir(folder);
    });
    ran.json()["skipped"]["worktree"].as_u64().unwrap_or(0)
}

#[test]
fn only_one_worktree_of_a_repository_is_indexed() {
    let Some(env) = repository() else { return };
    let (root, file) = (env.repo(), ["app/part3.py".to_owned()]);
    git(&env, &root, &["worktree", "add", "-q", "trees/one", "-b", "one"]);
    git(&env, &root, &["worktree", "add", "-q", ".hidden/two", "-b", "two"]);
    assert_eq!((definitions(&env, &root, "step3"), worktrees(&env, &root)), (file.to_vec(), 1));
    // The root may itself be a worktree, and the copy of a worktree has no entry in the repository.
    let one = env.at("trees/one");
    assert_eq!((definitions(&env, &one, "step3"), worktrees(&env, &one)), (file.to_vec(), 0));
    std::fs::create_dir(env.at("copy")).expect("folder");
    for name in [".git", "app"] {
        let copied = std::process::Command::new("cp").arg("-r").arg(one.join(name)).arg(env.at("copy")).status();
        assert!(copied.is_ok_and(|status| status.success()));
    }
    assert_eq!((definitions(&env, &root, "step3"), worktrees(&env, &root)), (file.to_vec(), 2));
    std::fs::remove_dir_all(env.at("copy")).expect("removed");
    git(&env, &root, &["worktree", "remove", "--force", "trees/one"]);
    assert_eq!((definitions(&env, &root, "step3"), worktrees(&env, &root)), (file.to_vec(), 0));
}

#[test]
fn nested_clones_and_submodules_are_indexed() {
    let Some(env) = repository() else { return };
    let root = env.repo();
    git(&env, &root, &["clone", "-q", ".", "clone"]);
    let from = root.display().to_string();
    git(&env, &root, &["-c", "protocol.file.allow=always", "submodule", "add", "-q", &from, "sub"]);
    let paths = ["app/part3.py", "clone/app/part3.py", "sub/app/part3.py"];
    assert_eq!((definitions(&env, &root, "step3"), worktrees(&env, &root)), (paths.map(str::to_owned).to_vec(), 0));
}

#[test]
fn one_worktree_of_a_bare_repository_is_indexed() {
    let Some(env) = repository() else { return };
    let project = env.outside("project");
    std::fs::create_dir(&project).expect("folder");
    let from = env.repo().display().to_string();
    git(&env, &project, &["clone", "-q", "--bare", &from, ".bare"]);
    for branch in ["feature", "main", "other"] {
        let new: &[&str] = if branch == "main" { &[] } else { &["-b"] };
        let arguments = [&["--git-dir", ".bare", "worktree", "add", "-q"], &[branch][..], new, &[branch]].concat();
        git(&env, &project, &arguments);
    }
    // Without and with a file that makes the folder the top of the repository.
    for is_top in [false, true] {
        if is_top {
            std::fs::write(project.join(".git"), "gitdir: ./.bare\n").expect("file");
        }
        assert_eq!(definitions(&env, &project, "step3"), ["main/app/part3.py"], "{is_top}");
        assert_eq!(worktrees(&env, &project), 2);
    }
    git(&env, &project, &["--git-dir", ".bare", "worktree", "remove", "main"]);
    assert_eq!(definitions(&env, &project, "step3"), ["feature/app/part3.py"]);
    let other = project.join("other");
    assert_eq!(definitions(&env, &other, "step3"), ["app/part3.py"]);
}

#[test]
fn only_one_workspace_of_jujutsu_is_indexed() {
    let text = "def lone():\n    return 1\n";
    let env = Env::with(&[("a.py", text), ("spaces/two/a.py", text), ("other/a.py", text)]);
    std::fs::create_dir_all(env.at(".jj/repo/store")).expect("folder");
    std::fs::create_dir_all(env.at("other/.jj/repo/store")).expect("folder");
    env.write("spaces/two/.jj/repo", "../../../.jj/repo");
    assert_eq!(definitions(&env, &env.repo(), "lone"), ["a.py", "other/a.py"]);
    assert_eq!(definitions(&env, &env.at("spaces/two"), "lone"), ["a.py"]);
}

#[test]
fn a_tracked_file_is_indexed_although_git_ignores_it() {
    let Some(env) = repository() else { return };
    let root = env.repo();
    let text = |name: &str| format!("def {name}():\n    return 1\n");
    let git = |arguments: &[&str]| git(&env, &root, arguments).expect("git");
    for (path, name) in [
        ("gen/deep/tracked.py", "in_folder"),
        ("gen/deep/other.py", "untracked"),
        ("one.gen.py", "by_pattern"),
        ("local.py", "by_exclude"),
        ("vendor/kept.py", "by_search_rules"),
    ] {
        env.write(path, text(name));
    }
    git(&["add", "gen/deep/tracked.py", "one.gen.py", "local.py", "vendor/kept.py"]);
    env.write(".gitignore", "gen/\n*.gen.py\n");
    env.write(".git/info/exclude", "local.py\n");
    env.write(".whichfnignore", "vendor/\n");
    let found = |name: &str| definitions(&env, &root, name);
    assert_eq!(found("in_folder"), ["gen/deep/tracked.py"]);
    assert_eq!(found("by_pattern"), ["one.gen.py"]);
    assert_eq!(found("by_exclude"), ["local.py"]);
    assert_eq!((found("untracked"), found("by_search_rules")), (vec![], vec![]));
    // The index of git decides, also if nothing else changes.
    git(&["add", "-f", "gen/deep/other.py"]);
    git(&["rm", "-q", "--cached", "one.gen.py"]);
    assert_eq!((found("untracked"), found("by_pattern")), (vec!["gen/deep/other.py".to_owned()], vec![]));
    for version in ["4", "2"] {
        git(&["update-index", "--index-version", version]);
        assert_eq!(found("in_folder"), ["gen/deep/tracked.py"], "version {version}");
    }
    git(&["update-index", "--split-index"]);
    env.write("gen/deep/third.py", text("third"));
    git(&["add", "-f", "gen/deep/third.py"]);
    assert_eq!((found("in_folder").len(), found("third").len()), (1, 1));
    git(&["commit", "-qam", "generated"]);
    // `check` compares it as well.
    env.write("use.py", "from gen.deep.tracked import in_folder\n\n\ndef use():\n    return in_folder()\n");
    git(&["add", "use.py"]);
    git(&["commit", "-qm", "use"]);
    env.write("gen/deep/tracked.py", "def in_folder(one, two):\n    return 1\n");
    let ran = env.run(&["check"]);
    assert!(ran.out.contains("signature of in_folder changed"), "{ran:#?}");
}
