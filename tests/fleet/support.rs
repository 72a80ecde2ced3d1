//! Helpers for the fleet tests: checkouts of a few files, and shards made from them.

use crate::support::env::Env;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use whichfn::fleet::{PackRequest, PackedShard, RepositoryToPack, pack};
use whichfn_index::index::{Options, Silent};
use whichfn_index::store::{Fingerprint, Shard};
use whichfn_syntax::lang::Registry;

/// Five files with twelve lines in total.
pub const PLAY: &[(&str, &str)] = &[
    (
        "sound/play.py",
        "from sound.tone import tone\n\n\ndef play(song):\n    \"\"\"Play a song.\"\"\"\n    return tone(song)\n",
    ),
    ("sound/tone.py", "def tone(song):\n    \"\"\"The tone of a song.\"\"\"\n    return song.tone\n"),
    ("notes.txt", "Songs are lists of tones.\n"),
    ("sound/empty.py", ""),
    ("latin.py", "def café():\n    return 1\n"),
];

/// Creates a checkout of some files in a directory of `env`; the files are written in the given
/// order.
pub fn checkout(env: &Env, folder: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = env.outside(folder);
    for (path, text) in files {
        let place = root.join(path);
        fs::create_dir_all(place.parent().expect("parent")).expect("directory");
        fs::write(place, text).expect("written");
    }
    root
}

/// Packs directories, each under its own name.
pub fn packed(folders: &[PathBuf], into: &Path, lines: u64) -> Vec<PackedShard> {
    let repository = |root: &PathBuf| {
        let name = root.file_name().expect("name").to_string_lossy().into_owned();
        let root = root.canonicalize().expect("folder");
        RepositoryToPack { root, name, revision: Some("r1".into()), languages: BTreeMap::new() }
    };
    let repositories = folders.iter().map(repository).collect();
    let (into, max_size) = (into.to_owned(), Options::default().max_size);
    let request = PackRequest { repositories, into, lines, slices: Vec::new(), max_size };
    let mut shards = Vec::new();
    pack(&request, &Silent, |shard| {
        shards.push(shard);
        Ok(())
    })
    .expect("packed");
    shards
}

/// Opens a shard.
pub fn open(path: &Path) -> Shard {
    Shard::open(path, &fingerprint()).expect("a shard")
}

pub fn fingerprint() -> Fingerprint {
    Fingerprint::new(Registry::builtin().expect("languages").digest(), Options::default().max_size)
}
