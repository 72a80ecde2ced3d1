//! Tests the index as a cache under adverse conditions: misleading file times, read-only folders,
//! other users, full disks and a concurrent writer.

#![allow(clippy::print_stdout)] // prints what it skips

use crate::support::env::{Env, Ran, entries};
use serde_json::json;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

const ZEBRA: &str = "def zebra_stripes(animal):\n    return animal\n";
const KOALA: &str = "def koala_stripes(animal):\n    return animal\n";

fn zebra() -> Env {
    let env = Env::with(&[("a.py", ZEBRA)]);
    set_modified(&env.at("a.py"), hour_ago());
    assert_eq!(env.ask(&["zebra"]), ["zebra_stripes"]);
    env
}

fn hour_ago() -> SystemTime {
    SystemTime::now() - Duration::from_secs(3600)
}

fn set_modified(path: &Path, time: SystemTime) {
    File::options().write(true).open(path).expect("file").set_modified(time).expect("time");
}

// ---- times

/// `tar`, `rsync -t`, `cp -p` and restored caches set such times.
#[test]
#[cfg(unix)]
fn detects_other_content_with_the_same_size_and_time() {
    let env = zebra();
    let time = fs::metadata(env.at("a.py")).expect("file").modified().expect("time");
    env.write("a.py", KOALA);
    set_modified(&env.at("a.py"), time);
    assert_eq!(env.ask(&["koala"]), ["koala_stripes"]);
    env.run(&["zebra"]).nothing();
}

#[test]
fn times_before_1970_differ() {
    let (first, second) = (Duration::from_secs(20 * 365 * 86_400), Duration::from_secs(15 * 365 * 86_400));
    let env = Env::with(&[("a.py", ZEBRA)]);
    set_modified(&env.at("a.py"), SystemTime::UNIX_EPOCH - first);
    assert_eq!(env.ask(&["zebra"]), ["zebra_stripes"]);
    env.write("a.py", KOALA);
    set_modified(&env.at("a.py"), SystemTime::UNIX_EPOCH - second);
    assert_eq!(env.ask(&["koala"]), ["koala_stripes"]);
}

/// A fresh checkout changes all times and inodes and no content.
#[test]
fn a_fresh_checkout_is_compared_by_content_and_not_built_again() {
    let files: Vec<(String, String)> =
        (0..100).map(|i| (format!("f{i}.py"), format!("def play_{i}(sound):\n    return sound\n"))).collect();
    let env = Env::new();
    files.iter().for_each(|(path, text)| env.write(path, text));
    env.write("picture.py", b"\0\0\0");
    env.run(&["index"]).found();
    let generation = |env: &Env| fs::read_to_string(env.index_folder().join("CURRENT")).expect("CURRENT");
    let before = generation(&env);
    for (path, text) in &files {
        env.remove(path);
        env.write(path, text);
    }
    env.remove("picture.py");
    env.write("picture.py", b"\0\0\0");
    let seen = env.run(&["index", "--json"]).found().json();
    assert_eq!((&seen["refreshed_files"], &seen["built"]), (&json!(0), &json!(false)));
    assert_eq!(generation(&env), before);
}

/// The times and inodes of the other files do not matter: all files are newer than the last scan,
/// or all have new times and inodes.
#[test]
fn after_a_fresh_checkout_one_edited_file_is_parsed_and_no_other() {
    let play = |i: usize| (format!("f{i}.py"), format!("def play_{i}(sound):\n    return sound\n"));
    let env = Env::new();
    (0..100).map(play).for_each(|(path, text)| env.write(path, text));
    assert_eq!(env.run(&["index", "--json"]).found().json()["refreshed_files"], 100);
    let parsed = |what: &str, edited: &str, is_new: bool| {
        if is_new {
            (0..100).map(play).for_each(|(path, text)| {
                env.remove(&path);
                env.write(path, text);
            });
        }
        env.write("f7.py", edited);
        let seen = env.run(&["index", "--json"]).found().json();
        assert_eq!((&seen["refreshed_files"], &seen["built"]), (&json!(1), &json!(false)), "{what}");
    };
    parsed("edited within two seconds of the checkout", ZEBRA, false);
    parsed("checked out anew and edited", KOALA, true);
    assert_eq!(env.ask(&["koala"]), ["koala_stripes"]);
    for i in 0..100 {
        set_modified(&env.at(format!("f{i}.py")), hour_ago());
    }
    parsed("touched, and one edited", ZEBRA, false);
    assert_eq!(env.ask(&["zebra"]), ["zebra_stripes"]);
}

#[test]
fn an_edit_among_many_binary_files_parses_one_file() {
    let env = Env::new();
    (0..30).for_each(|i| env.write(format!("f{i}.py"), format!("def play_{i}(sound):\n    return sound\n")));
    (0..70).for_each(|i| env.write(format!("picture{i}.dat"), b"\0\0\0"));
    env.run(&["index"]).found();
    env.write("f7.py", ZEBRA);
    let seen = env.run(&["index", "--json"]).found().json();
    assert_eq!((&seen["refreshed_files"], &seen["built"]), (&json!(1), &json!(false)));
}

#[test]
fn verify_reads_everything_and_lists_differences() {
    let env = zebra();
    env.run(&["index", "--verify"]).found().stderr_contains(&[]);
    let all_right = env.run(&["index", "--verify", "--json"]).found().json();
    assert_eq!(all_right["verified"], json!({"damaged": false, "differing": []}));
    let generation = entries(&env.index_folder()).into_iter().find(|path| path.is_dir()).expect("a generation");
    let base = generation.join("base");
    let mut bytes = fs::read(&base).expect("base");
    bytes[300] ^= 1;
    fs::write(&base, bytes).expect("damaged");
    let damaged = env.run(&["index", "--verify", "--json"]).nothing().json();
    assert_eq!((&damaged["verified"]["damaged"], &damaged["built"]), (&json!(true), &json!(true)));
    env.run(&["index", "--verify"]).found();
}

// ---- permissions

#[cfg(unix)]
mod unix {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::path::PathBuf;

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    }

    fn below(folder: &Path) -> Vec<PathBuf> {
        let inside =
            |path: PathBuf| if path.is_dir() { [vec![path.clone()], below(&path)].concat() } else { vec![path] };
        entries(folder).into_iter().flat_map(inside).collect()
    }

    #[test]
    fn only_the_owner_can_read_an_index() {
        let env = zebra();
        let folder = env.index_folder();
        set_mode(&folder, 0o755);
        env.write("b.py", KOALA);
        assert_eq!(env.ask(&["koala"]), ["koala_stripes"]);
        for path in [vec![folder.clone()], below(&folder)].concat() {
            let mode = fs::metadata(&path).expect("there").permissions().mode();
            assert_eq!(mode & 0o077, 0, "{} has {mode:o}", path.display());
        }
    }

    /// Creates an obstacle at the first path. A link points to the second path.
    type Put = fn(&Path, &Path);

    /// The program does not write through a link, and it removes whatever blocks the path.
    #[test]
    fn a_link_at_the_path_of_an_index_file_is_removed_but_not_its_target() {
        let shapes: [(&str, Put); 3] = [
            ("a link", |place, victim| symlink(victim, place).expect("link")),
            ("a link to itself", |place, _| symlink(place, place).expect("link")),
            ("a directory", |place, _| fs::create_dir_all(place.join("full")).expect("directory")),
        ];
        for name in ["LOCK", "CURRENT", "CURRENT.new"] {
            for (shape, put) in &shapes {
                let env = zebra();
                let (place, victim) = (env.index_folder().join(name), env.outside("victim"));
                fs::write(&victim, "precious").expect("file");
                let _ = fs::remove_file(&place);
                put(&place, &victim);
                env.write("b.py", KOALA);
                assert_eq!(env.ask(&["koala"]), ["koala_stripes"], "{shape} in the place of {name}");
                assert_eq!(fs::read_to_string(&victim).expect("file"), "precious", "{shape} in the place of {name}");
                assert_eq!(env.ask(&["koala"]), ["koala_stripes"], "and again");
            }
        }
    }

    /// Returns a function that runs the program as `nobody`, or `None` if the tests do not run as
    /// root. Makes the folders of `env` accessible to that user.
    fn as_nobody(env: &Env) -> Option<impl Fn(&[&str]) -> Ran> {
        for place in ["", "home", "cache", "cache/whichfn", "config", "repo"] {
            set_mode(&env.outside(place), 0o777);
        }
        let command = move |arguments: &[&str]| {
            let mut command = env.other_process("setpriv");
            let program = env!("CARGO_BIN_EXE_whichfn");
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", program]).args(arguments).output()
        };
        if !command(&["--version"]).is_ok_and(|output| output.status.success()) {
            println!("skipped: only root can be somebody else");
            return None;
        }
        Some(move |arguments: &[&str]| {
            Ran::new(format!("{arguments:?} as nobody"), command(arguments).expect("it starts"))
        })
    }

    #[test]
    fn an_index_of_another_user_is_refused() {
        let env = zebra();
        let Some(run) = as_nobody(&env) else { return };
        let folder = env.index_folder();
        set_mode(&folder, 0o777);
        below(&folder).iter().for_each(|path| set_mode(path, 0o777));
        let others = "42";
        let given = Command::new("chown").args(["-R", others]).arg(&folder).status().expect("chown");
        assert!(given.success() && fs::metadata(&folder).expect("folder").uid() == 42);
        for arguments in [&["zebra"][..], &["zebra", "--no-update"], &["index"]] {
            run(arguments).failed(&["belongs to another user", "--index-dir"]);
        }
    }

    #[test]
    fn a_read_only_index_still_answers() {
        let env = zebra();
        let Some(run) = as_nobody(&env) else { return };
        let folder = env.index_folder();
        // Other users may read the index of root, as in a container image that includes a cache.
        below(&folder).iter().chain([&folder]).for_each(|path| set_mode(path, 0o755));
        set_modified(&env.at("a.py"), SystemTime::now());
        run(&["zebra"]).found().without_stderr();
        run(&["index"]).found();
        env.write("b.py", KOALA);
        run(&["zebra"]).found().stderr_contains(&["using the existing index, although 1 file changed"]);
        run(&["koala"]).nothing();
        run(&["index"]).failed(&["index folder", "permission denied"]);
    }

    // ---- disk

    /// The previous index is valid: the program neither rebuilds it nor asks the user to remove it.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_disk_that_fills_up_while_refreshing_leaves_the_former_index() {
        let env = zebra();
        let text: String =
            (0..3_000).map(|i| format!("def sound_{i}_{}(wave):\n    return wave_{i}\n", i * 7_919)).collect();
        fs::create_dir(env.outside("small")).expect("directory");
        fs::write(env.outside("more.py"), text).expect("file");
        let script = "mount -t tmpfs -o size=300k whichfn-test \"$1\" || exit 99
            \"$0\" index --index-dir \"$1\" && cp \"$2\" more.py && \"$0\" zebra --index-dir \"$1\"";
        let mut command = env.other_process("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_whichfn")]);
        let output = command.arg(env.outside("small")).arg(env.outside("more.py")).output();
        let Some(output) = output.ok().filter(|output| output.status.code() != Some(99)) else {
            return println!("skipped: this machine lets nobody mount a small disk");
        };
        if String::from_utf8_lossy(&output.stderr).contains("unshare") {
            return println!("skipped: this machine lets nobody mount a small disk");
        }
        let ran = Ran::new("whichfn on a disk that fills up".into(), output).found();
        assert!(ran.out.contains("zebra_stripes"), "{ran:#?}");
        let ran = ran.stderr_contains(&["no space left on device; using the existing index"]);
        assert!(!ran.err.contains("rebuilding the index"), "{ran:#?}");
    }

    // ---- another writer

    /// Simulates another writer: locks the file `LOCK`, which contains the writer's progress.
    fn another_writer(env: &Env, noted: &str) -> File {
        let place = env.index_folder().join("LOCK");
        fs::write(&place, noted).expect("noted");
        let lock = File::options().write(true).open(&place).expect("LOCK");
        lock.lock().expect("locked");
        lock
    }

    #[test]
    fn a_question_during_a_long_refresh_is_answered_from_the_index_as_it_was() {
        let env = zebra();
        env.write("b.py", KOALA);
        let lock = another_writer(&env, "412 6412\n");
        let ran = env.run(&["zebra"]).found();
        ran.stderr_contains(&["another whichfn", "412 of 6412 files are parsed", "using the existing index"]);
        env.run(&["koala"]).nothing();
        drop(lock);
        assert_eq!(env.ask(&["koala"]), ["koala_stripes"]);
    }

    #[test]
    fn an_index_with_a_missing_folder_is_rebuilt() {
        let env = zebra();
        for path in entries(&env.index_folder()).into_iter().filter(|path| path.is_dir()) {
            fs::remove_dir_all(path).expect("removed");
        }
        assert_eq!(env.ask(&["zebra"]), ["zebra_stripes"]);
    }

    #[test]
    fn progress_reports_the_linking_of_calls() {
        let env = zebra();
        env.write("b.py", KOALA);
        let lock = another_writer(&env, "6412 6412 linking\n");
        let ran = env.run(&["zebra"]).found();
        ran.stderr_contains(&["all 6412 files are parsed, and their calls are", "using the existing index"]);
        drop(lock);
    }

    #[test]
    fn waits_for_a_short_refresh_and_for_a_first_index() {
        let env = zebra();
        env.write("b.py", KOALA);
        let lock = another_writer(&env, "1 3\n");
        let mut asking =
            env.process().args(["koala"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("start");
        let mut notice = String::new();
        BufReader::new(asking.stderr.as_mut().expect("pipe")).read_line(&mut notice).expect("a line");
        assert!(notice.ends_with("waiting for it\n"), "{notice}");
        drop(lock);
        let ran = Ran::new("the one who waited".into(), asking.wait_with_output().expect("end")).found();
        assert!(ran.out.contains("koala_stripes"), "{ran:#?}");
    }
}
