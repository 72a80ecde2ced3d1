//! Checks the version numbers in `crates/index/src/store/version.rs`: if the same source produces
//! other bytes, a number must change, and an index with the same numbers can still be opened and
//! searched.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use whichfn_index::store::{CONTENT, FORMAT, Fingerprint, Freshness, Generation, Layout};
use whichfn_search::search::{Query, Searcher};
use whichfn_syntax::ids::FileId;
use whichfn_syntax::lang::Registry;
use whichfn_testing::{Case, Indexed, entries, indexed, workspace};
use xxhash_rust::xxh3::xxh3_64;

const ADVICE: &str = "bytes changed: raise FORMAT or CONTENT in crates/index/src/store/version.rs, then just update";

fn fixture(name: &str) -> PathBuf {
    workspace().join("fixtures").join(name)
}

fn updates() -> bool {
    std::env::var_os("UPDATE").is_some()
}

/// Returns the versions in the format of the first line of `fixtures/index.sums`.
fn versions() -> String {
    format!("FORMAT {FORMAT} CONTENT {CONTENT}")
}

/// Returns the directory of an index's only generation.
fn generation(indexed: &Indexed) -> PathBuf {
    Layout::new(&indexed.index_dir(), &indexed.root()).current().expect("an index")
}

/// Returns, for each fixture, the checksum of its source files and the checksums of the files of
/// its index.
fn sums() -> BTreeMap<String, (u64, [u64; 2])> {
    let sums = Case::all("lang").into_iter().map(|case| {
        let source: String = case.files().iter().map(|file| format!("{}\n{}", file.path, file.text)).collect();
        let indexed = Indexed::new(|root| case.write_to(root));
        let folder = generation(&indexed);
        let of = |name: &str| xxh3_64(&std::fs::read(folder.join(name)).expect("a file of the index"));
        (case.name(), (xxh3_64(source.as_bytes()), [of("base"), of("links")]))
    });
    sums.collect()
}

/// A fixture with a changed source may have other checksums under the same versions; one with an
/// unchanged source may not.
#[test]
fn the_same_source_yields_the_same_bytes_or_another_version() {
    let (path, actual) = (fixture("index.sums"), sums());
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    let mut written = versions() + "\n";
    for (name, (source, [base, links])) in &actual {
        writeln!(written, "{name} source {source:016x} base {base:016x} links {links:016x}").expect("text");
    }
    let same_versions = stored.lines().next() == Some(&versions());
    for line in stored.lines().skip(1).filter(|_| same_versions) {
        let [name, _, source, ..] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("index.sums: {line}") };
        let same_source = actual.get(name).is_some_and(|(now, _)| format!("{now:016x}") == source);
        assert!(!same_source || written.contains(line), "{name}: {ADVICE}");
    }
    if updates() {
        return std::fs::write(&path, written).expect("sums written");
    }
    assert_eq!(stored, written, "fixtures or versions changed: just update writes fixtures/index.sums");
}

/// Content of the frozen index.
const SESSION: &str = "class Session:
    def renew(self, token):
        return self.store.touch(token)


def paint(wall):
    wall.fill()
";

/// Fingerprint with which the frozen index was built. Grammars and word vectors may have changed
/// since then: they determine the contents of an index, not how it is read.
fn frozen_fingerprint() -> Fingerprint {
    let text = std::fs::read_to_string(fixture("frozen-index/fingerprint.json")).expect("a fingerprint");
    serde_json::from_str(&text).expect("a fingerprint")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("directory");
    for path in entries(from) {
        let to = to.join(path.file_name().expect("name"));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            std::fs::copy(&path, to).expect("file copied");
        }
    }
}

fn freeze() {
    let indexed = indexed(&[("session.py", SESSION)]);
    let layout = Layout::new(&indexed.index_dir(), &indexed.root());
    let folder = fixture("frozen-index");
    let _ = std::fs::remove_dir_all(&folder);
    copy(layout.folder(), &folder.join("index"));
    // The data that a scan stores for the next one contains paths of this machine.
    let _ = std::fs::remove_file(folder.join("index/tree"));
    let fingerprint = indexed.generation.manifest.fingerprint;
    let text = serde_json::to_string_pretty(&fingerprint).expect("JSON") + "\n";
    std::fs::write(folder.join("fingerprint.json"), text).expect("file written");
}

#[test]
fn a_frozen_index_opens_and_answers_or_is_of_another_version() {
    let is_of_today = || {
        let frozen = frozen_fingerprint();
        (frozen.format, frozen.content) == (FORMAT, CONTENT)
    };
    if updates() && !(fixture("frozen-index").exists() && is_of_today()) {
        freeze();
    }
    let place = tempfile::tempdir().expect("folder");
    let layout = Layout::new(place.path(), Path::new("/frozen"));
    copy(&fixture("frozen-index/index"), layout.folder());
    let registry = Registry::builtin().expect("language files");
    let frozen = frozen_fingerprint();
    assert!(is_of_today(), "the frozen index is of another version: just update makes it anew");
    let generation = Generation::open(&layout, &frozen).unwrap_or_else(|why| panic!("{why:?}: {ADVICE}"));
    let searcher = Searcher::new(&generation, &registry);
    let hits = searcher.search(&Query::new("which method renews a token")).expect("hits");
    assert_eq!(generation.graph.qualified_name(hits[0].definition), "Session.renew");
    let facts = generation.graph.facts(FileId(0));
    assert!(facts.definition_count() > 1 && !facts.places().is_empty(), "{ADVICE}");
    for other in [Fingerprint { format: FORMAT + 1, ..frozen }, Fingerprint { content: CONTENT + 1, ..frozen }] {
        assert_eq!(Generation::open(&layout, &other).err(), Some(Freshness::Fingerprint), "of another version");
    }
}
