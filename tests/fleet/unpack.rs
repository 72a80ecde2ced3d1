//! Checks that an index that was built elsewhere works for a checkout: only files that differ are
//! parsed.

use super::support::{checkout, packed};
use crate::support::env::{Env, entries};
use std::fs;
use std::path::PathBuf;
use whichfn::fleet::LINES;

/// Packs a hundred files on one machine and creates a checkout on another, which has its own
/// environment.
fn packed_elsewhere() -> (Env, PathBuf) {
    let files: Vec<(String, String)> = (0..100)
        .map(|i| {
            (
                format!("f{i}.py"),
                format!(
                    "from f{} import play_{0}\n\ndef play_{i}(sound):\n    return play_{0}(sound)\n",
                    (i + 1) % 100
                ),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let (there, here) = (Env::new(), Env::new());
    let root = checkout(&there, "song", &files);
    fs::write(root.join("cover.png"), b"\0\0").expect("written");
    fs::write(root.join("torn.py"), b"\0\0").expect("written");
    let file = packed(&[root], &there.outside("shards"), LINES).remove(0).file;
    let shard = here.outside("song.shard");
    fs::copy(there.outside("shards").join(file), &shard).expect("copied");
    files.iter().for_each(|(path, text)| here.write(path, text));
    here.write("cover.png", b"\0\0");
    here.write("torn.py", b"\0\0");
    (here, shard)
}

/// Returns the bytes of the graph of an index.
fn graph(env: &Env) -> [Vec<u8>; 2] {
    let generation = entries(&env.index_folder()).into_iter().find(|path| path.is_dir()).expect("a generation");
    ["base", "links"].map(|part| fs::read(generation.join(part)).expect("a part"))
}

#[test]
fn a_checkout_takes_the_index_of_a_shard_and_parses_what_differs() {
    let (env, shard) = packed_elsewhere();
    let shard = shard.to_string_lossy();
    let said = env.run(&["fleet", "unpack", &shard, "song"]).found().without_stderr().out;
    assert!(said.contains("song with 100 files") && said.contains("0 files differ"), "{said}");
    let seen = env.run(&["index", "--json"]).found().json();
    assert_eq!(
        (&seen["refreshed_files"], &seen["skipped"]["binary"], &seen["skipped"]["data"]),
        (&0.into(), &1.into(), &1.into())
    );
    let unpacked = graph(&env);
    env.run(&["index", "--force"]).found();
    assert!(graph(&env) == unpacked, "an index built here is the same");
    env.write("f7.py", "def play_7(zebra):\n    return zebra\n");
    let said = env.run(&["fleet", "unpack", &shard, "song"]).found().out;
    assert!(said.contains("1 file differs"), "{said}");
    assert_eq!(env.ask(&["zebra"])[0], "play_7");
    let callers = env.run(&["callers", "play_7", "--json"]).found().json();
    assert!(callers.to_string().contains("play_6"), "{callers}");
}

#[test]
fn a_failed_unpack_leaves_the_index_unchanged() {
    let (env, shard) = packed_elsewhere();
    env.run(&["index"]).found();
    let before = graph(&env);
    let name = shard.to_string_lossy().into_owned();
    env.run(&["fleet", "unpack", &name, "sang"]).failed(&["does not contain sang", "it has song"]);
    env.run(&["fleet", "unpack", "../none.shard", "song"]).failed(&["none.shard"]);
    let mut bytes = fs::read(&shard).expect("shard");
    let at = bytes.len() - 3000;
    bytes[at] ^= 1;
    fs::write(&shard, bytes).expect("written");
    env.run(&["fleet", "unpack", &name, "song"]).failed(&["song in", "is damaged", "fetch it again"]);
    assert!(graph(&env) == before);
    assert_eq!(env.run(&["index", "--json"]).found().json()["refreshed_files"], 0);
    let root = env.repo().to_string_lossy().into_owned();
    let ran = env
        .run(&["fleet", "pack", &root, "-o", "../slices", "--name", "song", "--lines", "100", "--json"])
        .found()
        .json();
    assert_eq!(ran["shards"][0]["members"][0]["id"], "song", "files of one directory are never parted: {ran}");
}

#[test]
fn a_slice_cannot_be_unpacked_as_a_checkout() {
    let env = Env::with(&[("a/x.py", "def x():\n    return 1\n"), ("b/y.py", "def y():\n    return 2\n")]);
    let ran =
        env.run(&["fleet", "pack", ".", "-o", "../shards", "--name", "song", "--lines", "2", "--json"]).found().json();
    let file = format!("../shards/{}", ran["shards"][1]["file"].as_str().expect("file"));
    env.run(&["fleet", "unpack", &file, "song#2"]).failed(&["song#2 is a slice of song"]);
}

/// A folder to which CI packs after each merge has several shards of one repository.
#[test]
fn of_several_shards_the_newest_with_the_repository_is_used() {
    let env = Env::with(&[("a.py", "def old():\n    return 1\n")]);
    let pack = || {
        let ran = env.run(&["fleet", "pack", ".", "-o", "../shards", "--name", "song", "--json"]).found().json();
        format!("../shards/{}", ran["shards"][0]["file"].as_str().expect("file"))
    };
    let old = pack();
    env.write("a.py", "def newer():\n    return 2\n");
    let new = pack();
    let early = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1);
    fs::File::options().append(true).open(env.at(&old)).and_then(|file| file.set_modified(early)).expect("a time");
    let file = new.rsplit('/').next().expect("a name");
    for order in [[&old, &new], [&new, &old]] {
        let ran = env.run(&["fleet", "unpack", order[0], order[1], "song"]).found();
        assert!(ran.err.contains(file) && ran.out.contains("0 files differ"), "{ran:#?}");
    }
}

#[test]
fn the_shard_of_another_repository_is_rejected() {
    let (env, shard) = packed_elsewhere();
    let other = checkout(&env, "poem", &[("verse.py", "def rhyme():\n    return 1\n")]);
    let arguments = [&shard, &other].map(|path| path.to_string_lossy().into_owned());
    env.run(&["fleet", "unpack", &arguments[0], "song", "--root", &arguments[1]])
        .failed(&["does not contain any file of song", "--root"]);
}
