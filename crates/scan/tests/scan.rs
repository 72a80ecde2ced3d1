//! Checks that a repeated scan finds the same files as a full walk, whatever was edited in between,
//! and does not list unchanged directories.

use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use whichfn_scan::{Scan, Skip, scan, scan_again};
use whichfn_syntax::lang::Registry;
use whichfn_testing::cases;
use whichfn_text::{path_from_text, path_text};

const MAX_SIZE: u64 = 40;
/// Granularity of file times; two writes within one step look the same.
const STEP: Duration = Duration::from_millis(10);
/// Directories relative to the root, which is `.`; `..` is outside it.
const DIRECTORIES: [&str; 8] = [".", "a", "b", "a/a", "a/b", "b/a/b", ".hidden", ".."];
/// File names. The last one is not UTF-8 on disk.
const NAMES: [&str; 6] = ["a", "b.py", "c.txt", "d.png", ".e", "\u{10FFE9}.py"];
const RULE_FILES: [&str; 5] = [".gitignore", ".ignore", ".whichfnignore", ".git/info/exclude", ".git"];
const RULES: [&str; 6] = ["b.py\n", "a/\n", "*.txt\n!c.txt\n", "!.e\n!.hidden\n", "/a/b\n", ""];

/// Returns a time, in nanoseconds since 1970, that is later than every write so far, so that no
/// file counts as recently changed.
fn later() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    (now + Duration::from_secs(3600)).as_nanos() as i64
}

#[derive(Debug, Clone)]
enum Edit {
    Write(usize, usize, usize),
    Link(usize, usize),
    Remove(usize, usize),
    RemoveDirectory(usize),
    Move(usize, usize),
    Rule(usize, usize, usize),
    RemoveRule(usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let (directory, name) = (0..DIRECTORIES.len(), 0..NAMES.len());
    let rule = (0..DIRECTORIES.len(), 0..RULE_FILES.len());
    prop_oneof![
        5 => (directory.clone(), name.clone(), 0..3usize).prop_map(|(d, n, size)| Edit::Write(d, n, size)),
        1 => (directory.clone(), name.clone()).prop_map(|(d, n)| Edit::Link(d, n)),
        2 => (directory.clone(), name).prop_map(|(d, n)| Edit::Remove(d, n)),
        1 => (1..7usize).prop_map(Edit::RemoveDirectory),
        2 => (1..7usize, 1..7usize).prop_map(|(from, to)| Edit::Move(from, to)),
        2 => (rule.clone(), 0..RULES.len()).prop_map(|((d, f), r)| Edit::Rule(d, f, r)),
        1 => rule.prop_map(|(d, f)| Edit::RemoveRule(d, f)),
    ]
}

/// Applies an edit if it is possible; for example, a file may have the name of a wanted directory.
fn apply(root: &Path, edit: &Edit) {
    let place = |directory: usize| root.join(DIRECTORIES[directory]);
    let write = |path: &Path, text: &str| {
        let _ = fs::create_dir_all(path.parent().expect("a directory")).and_then(|()| fs::write(path, text));
    };
    match *edit {
        Edit::Write(directory, name, size) => {
            write(&place(directory).join(path_from_text(NAMES[name])), &"x".repeat(size * 30))
        }
        Edit::Link(directory, name) => {
            #[cfg(unix)]
            let _ = std::os::unix::fs::symlink("../a", place(directory).join(path_from_text(NAMES[name])));
        }
        Edit::Remove(directory, name) => drop(fs::remove_file(place(directory).join(path_from_text(NAMES[name])))),
        Edit::RemoveDirectory(directory) => drop(fs::remove_dir_all(place(directory))),
        Edit::Move(from, to) => drop(fs::rename(place(from), place(to))),
        Edit::Rule(directory, file, rule) => write(&place(directory).join(RULE_FILES[file]), RULES[rule]),
        Edit::RemoveRule(directory, file) => drop(fs::remove_file(place(directory).join(RULE_FILES[file]))),
    }
}

fn found(scan: Scan) -> (Vec<whichfn_scan::ScannedFile>, Vec<(String, whichfn_scan::Skip)>) {
    (scan.files, scan.skipped)
}

/// Returns all entries except directories, found by the crate `ignore`, which ripgrep uses.
fn as_ripgrep(root: &Path) -> Vec<String> {
    let mut walk = ignore::WalkBuilder::new(root);
    let entries = walk.require_git(false).add_custom_ignore_filename(".whichfnignore").build();
    let entries =
        entries.map(|entry| entry.expect("entry")).filter(|entry| !entry.file_type().is_some_and(|t| t.is_dir()));
    let mut paths: Vec<String> =
        entries.map(|entry| path_text(entry.path().strip_prefix(root).expect("below"))).collect();
    paths.sort();
    paths
}

/// Returns all entries except directories, found by a scan.
fn all_paths(scan: &Scan) -> Vec<String> {
    let files = scan.files.iter().map(|file| file.path.clone());
    let mut paths: Vec<String> = files.chain(scan.skipped.iter().map(|(path, _)| path.clone())).collect();
    paths.sort();
    paths
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_rescan_equals_a_full_walk(rounds in prop::collection::vec(prop::collection::vec(edit(), 1..6), 4..12)) {
        let around = tempfile::tempdir().expect("directory");
        let root = around.path().canonicalize().expect("directory").join("root");
        fs::create_dir(&root).expect("directory");
        let registry = Registry::builtin().expect("languages");
        let mut known: Option<Vec<u8>> = None;
        for edits in rounds {
            edits.iter().for_each(|edit| apply(&root, edit));
            let (again, left) = scan_again(&root, &registry, MAX_SIZE, known.as_deref(), later()).expect("scan");
            let walked = scan(&root, &registry, MAX_SIZE).expect("scan");
            prop_assert_eq!(all_paths(&walked), as_ripgrep(&root), "after {:?}", edits);
            prop_assert_eq!(found(again), found(walked), "after {:?}", edits);
            known = left.or(known);
            std::thread::sleep(STEP);
        }
    }
}

/// Creates a root with three directories, two of which have a file, and returns the data that a
/// scan of it stores.
fn small_tree() -> (tempfile::TempDir, Registry, Vec<u8>) {
    let root = tempfile::tempdir().expect("directory");
    for path in ["a/one.py", "b/two.py", "b/c/readme.png"] {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("directory");
        fs::write(path, "x").expect("written");
    }
    let registry = Registry::builtin().expect("languages");
    let (first, left) = scan_again(root.path(), &registry, MAX_SIZE, None, later()).expect("scan");
    assert_eq!((first.files.len(), first.skipped.len(), first.listed), (2, 1, 4));
    std::thread::sleep(STEP);
    (root, registry, left.expect("a tree to rely on"))
}

#[test]
#[cfg(unix)]
fn unchanged_directories_are_not_listed() {
    let (root, registry, known) = small_tree();
    let again = |known: &[u8]| scan_again(root.path(), &registry, MAX_SIZE, Some(known), later()).expect("scan");
    let (scan, left) = again(&known);
    assert_eq!((scan.files.len(), scan.skipped.len(), scan.listed, left), (2, 1, 0, None));
    fs::write(root.path().join("a/one.py"), "longer").expect("written");
    assert_eq!(again(&known).0.listed, 0, "an edit of a file does not touch its directory");
    fs::create_dir_all(root.path().join("b/d/e")).expect("directory");
    fs::write(root.path().join("b/d/e/three.py"), "x").expect("written");
    let (scan, left) = again(&known);
    assert_eq!((scan.files.len(), scan.listed), (3, 3), "`b`, and the two that are new in it");
    assert_eq!(again(&left.expect("a tree to rely on")).0.listed, 0);
}

#[test]
#[cfg(unix)]
fn possibly_changed_directories_are_listed_and_a_changed_rule_walks_all() {
    let (root, registry, known) = small_tree();
    let now = later() - Duration::from_secs(3600).as_nanos() as i64;
    let (scan, left) = scan_again(root.path(), &registry, MAX_SIZE, None, now).expect("scan");
    let left = left.expect("a tree to rely on");
    let (again, _) = scan_again(root.path(), &registry, MAX_SIZE, Some(&left), now).expect("scan");
    assert_eq!((scan.listed, again.listed), (4, 4), "directories younger than the steps of a file system's clock");
    fs::write(root.path().join(".gitignore"), "a/\n").expect("written");
    let (scan, _) = scan_again(root.path(), &registry, MAX_SIZE, Some(&known), later()).expect("scan");
    assert_eq!((scan.files.len(), scan.listed), (1, 3));
}

#[test]
fn a_truncated_tree_is_not_used() {
    let (root, registry, known) = small_tree();
    for end in [0, 8, 16, known.len() - 1] {
        let (scan, left) = scan_again(root.path(), &registry, MAX_SIZE, Some(&known[..end]), later()).expect("scan");
        assert_eq!((scan.files.len(), scan.listed), (2, 4), "{end} bytes");
        assert!(left.is_some());
    }
    let mut damaged = known.clone();
    damaged[known.len() / 2] ^= 1;
    assert_eq!(scan_again(root.path(), &registry, MAX_SIZE, Some(&damaged), later()).expect("scan").0.listed, 4);
}

#[test]
#[cfg(unix)]
fn a_directory_returns_when_its_ignore_file_is_repaired() {
    let (root, registry, _) = small_tree();
    let rules = root.path().join("a/.gitignore");
    fs::write(&rules, "#".repeat((1 << 20) + 1)).expect("written");
    let (scan, left) = scan_again(root.path(), &registry, MAX_SIZE, None, later()).expect("scan");
    assert_eq!(
        (scan.files.len(), all_paths(&scan)),
        (1, vec!["a/.gitignore".into(), "b/c/readme.png".into(), "b/two.py".into()])
    );
    let again = |known: &Option<Vec<u8>>| {
        scan_again(root.path(), &registry, MAX_SIZE, known.as_deref(), later()).expect("scan")
    };
    let (scan, same) = again(&left);
    assert_eq!((scan.skipped.len(), scan.listed, same), (2, 0, None), "an unchanged tree is not walked");
    fs::write(&rules, "").expect("written");
    assert_eq!(again(&left).0.files.len(), 2);
}

#[test]
fn ignore_files_beyond_the_total_limit_exclude_their_directories() {
    let root = tempfile::tempdir().expect("directory");
    for number in 10..22 {
        let directory = root.path().join(format!("d{number}"));
        fs::create_dir(&directory).expect("directory");
        fs::write(directory.join("a.py"), "x").expect("written");
        fs::write(directory.join(".gitignore"), wild(number, 12_000)).expect("written");
    }
    fs::create_dir(root.path().join("e")).expect("directory");
    fs::copy(root.path().join("d10/.gitignore"), root.path().join("e/.gitignore")).expect("copied");
    fs::write(root.path().join("e/a.py"), "x").expect("written");
    let registry = Registry::builtin().expect("languages");
    let found = scan(root.path(), &registry, MAX_SIZE).expect("scan");
    let paths: Vec<&str> = found.files.iter().map(|file| &*file.path).collect();
    assert_eq!((paths[0], paths[paths.len() - 1]), ("d10/a.py", "e/a.py"), "equal texts count once: {paths:?}");
    assert!(paths.len() > 3 && !found.skipped.is_empty());
    assert_eq!(found.skipped.last(), Some(&("d21/.gitignore".to_owned(), Skip::Special)));
    assert_eq!(found.skipped.len() + paths.len(), 13);
    let (warnings, count) = (found.warnings().join("\n"), found.skipped.len());
    assert!(warnings.contains(&format!("{count} directories are skipped")), "{warnings}");
    let known = scan_again(root.path(), &registry, MAX_SIZE, None, later()).expect("scan").1;
    let (again, _) = scan_again(root.path(), &registry, MAX_SIZE, known.as_deref(), later()).expect("scan");
    assert_eq!((again.listed, again.warnings()), (0, found.warnings()), "each answer mentions it");
}

/// Returns an ignore file with the given number of different wildcard lines.
fn wild(number: usize, lines: usize) -> String {
    (0..lines).map(|line| format!("*{number}*{line:05}\n")).collect()
}

#[test]
fn similar_ignore_files_of_many_projects_stay_within_the_limit() {
    let root = tempfile::tempdir().expect("directory");
    for number in 0..300 {
        let directory = root.path().join(format!("p{number}"));
        fs::create_dir(&directory).expect("directory");
        fs::write(directory.join("a.py"), "x").expect("written");
        fs::write(directory.join("b.py"), "x").expect("written");
        let line = |at: usize| match at {
            50 => format!("[Oo]wn{number}*/b*\nb.p?\n"),
            at => format!("[Bb]uild*[Oo]utput{at:02}/\n"),
        };
        fs::write(directory.join(".gitignore"), (0..100).map(line).collect::<String>()).expect("written");
    }
    let found = scan(root.path(), &Registry::builtin().expect("languages"), MAX_SIZE).expect("scan");
    assert!(found.files.len() == 300 && found.files.iter().all(|file| file.path.ends_with("a.py")));
    assert!(found.skipped.is_empty() && found.warnings().is_empty());
}

#[test]
fn the_exclude_file_of_a_worktree_or_submodule_is_used() {
    let root = tempfile::tempdir().expect("directory");
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("directory");
        fs::write(path, text).expect("written");
    };
    write("tree/.git", "gitdir: ../main/.git/worktrees/tree\n");
    write("main/.git/worktrees/tree/commondir", "../..\n");
    write("main/.git/info/exclude", "hidden.py\n");
    write("tree/sub/.git", "gitdir: ../../main/.git/modules/sub\n");
    write("main/.git/modules/sub/info/exclude", "secret.py\n");
    for path in ["tree/hidden.py", "tree/sub/secret.py", "tree/sub/seen.py"] {
        write(path, "x");
    }
    let found = scan(&root.path().join("tree"), &Registry::builtin().expect("languages"), MAX_SIZE).expect("scan");
    assert_eq!(all_paths(&found), ["sub/seen.py"]);
}
