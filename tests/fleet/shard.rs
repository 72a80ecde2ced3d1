//! Checks that a shard depends only on its sources, gives the same answers as the index of a
//! checkout, and is rejected when damaged.

use super::support::{PLAY, checkout, fingerprint, open, packed};
use crate::support::env::{Env, entries};
use proptest::prelude::*;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};
use whichfn::fleet::LINES;
use whichfn_index::source::Sources;
use whichfn_index::store::{Fingerprint, Generation, Shard, ShardMember, catch_damaged};
use whichfn_search::search::{Query, Searcher};
use whichfn_syntax::lang::Registry;
use whichfn_testing::{Case, Indexed, cases, repo};

/// Returns everything that an index contains about files, definitions and calls, and the results of
/// a search.
fn contents(generation: &Generation, sources: &Sources<'_>) -> String {
    use std::fmt::Write;
    let (graph, registry) = (&generation.graph, Registry::builtin().expect("languages"));
    let mut out = String::new();
    for file in graph.file_ids() {
        let row = graph.file(file);
        writeln!(out, "{} {:?} {}", graph.path(file), graph.language(file), row.lines).expect("text");
        writeln!(out, "{:?} {:?}", sources.text(file), graph.syntax(file)).expect("text");
        writeln!(out, "{:?} {:?}", graph.words(file), graph.skeleton(file)).expect("text");
    }
    for id in graph.definition_ids() {
        let (name, row) = (graph.qualified_name(id), graph.definition(id));
        let lines = sources.line_span(row.file, row.start_byte, row.end_byte);
        writeln!(out, "{name} {:?} {lines:?} {:?} {:?}", row.kind(), graph.lengths(id), graph.documented_by(id))
            .expect("text");
        let calls: Vec<_> = graph.calls(id).iter().map(|call| (call.callee, call.place())).collect();
        writeln!(out, "{calls:?} {:?} {:?}", graph.callers(id), sources.text_of(id)).expect("text");
        for stem in name.split(['.', '_', ':']).map(str::to_lowercase) {
            writeln!(out, "{stem} {}", graph.postings(&stem).len()).expect("text");
        }
    }
    let hits = Searcher::new(generation, &registry).search(&Query::new("play a song with two parts")).expect("search");
    let hits: Vec<_> = hits.iter().map(|hit| (hit.definition, hit.score.to_bits())).collect();
    writeln!(out, "{hits:?} {:?}", graph.totals()).expect("text");
    out
}

fn contents_of_member(member: &ShardMember) -> String {
    contents(&member.generation, &Sources::from_member(member))
}

fn contents_of_index(indexed: &Indexed) -> String {
    contents(&indexed.generation, &Sources::new(&indexed.root(), &indexed.generation))
}

// ---- the same bytes

#[test]
fn packing_is_deterministic() {
    let env = Env::new();
    let mut backwards = PLAY.to_vec();
    backwards.reverse();
    let (first, second) = (checkout(&env, "one/song", PLAY), checkout(&env, "two/elsewhere/song", &backwards));
    File::options()
        .write(true)
        .open(second.join("notes.txt"))
        .and_then(|file| file.set_modified(SystemTime::now() - Duration::from_secs(9000)))
        .expect("time");
    let mut all = Vec::new();
    for (number, (root, threads)) in
        [(&first, "1"), (&first, "8"), (&second, "8"), (&second, "1")].into_iter().enumerate()
    {
        let into = env.outside(format!("shards-{number}"));
        let (root, into) = (root.to_string_lossy(), into.to_string_lossy());
        let ran = env.run_under(&[("RAYON_NUM_THREADS", threads)], &["fleet", "pack", &root, "-o", &into]).found();
        assert!(ran.out.contains("built"), "{ran:?}");
        let files = entries(Path::new(&*into));
        assert_eq!(files.len(), 1, "the shard and nothing else: {files:?}");
        all.push((files[0].file_name().expect("name").to_owned(), fs::read(&files[0]).expect("shard")));
    }
    assert!(
        all.windows(2).all(|two| two[0] == two[1]),
        "names: {:?}",
        all.iter().map(|(name, _)| name).collect::<Vec<_>>()
    );
}

#[test]
fn an_existing_shard_is_rebuilt_only_if_damaged_or_outdated() {
    let env = Env::new();
    let (root, into) = (checkout(&env, "song", PLAY), env.outside("shards"));
    let again = || packed(std::slice::from_ref(&root), &into, LINES).remove(0);
    let first = again();
    assert!(first.is_built);
    let place = into.join(&first.file);
    let (bytes, made) =
        (fs::read(&place).expect("shard"), fs::metadata(&place).and_then(|meta| meta.modified()).expect("time"));
    let second = again();
    assert!(!second.is_built && second.key == first.key && second.members == first.members, "{second:?}");
    assert_eq!(fs::metadata(&place).and_then(|meta| meta.modified()).expect("time"), made, "it was not written");
    fs::write(&place, &bytes[..bytes.len() / 2]).expect("cut off");
    assert!(again().is_built, "half a shard is none");
    assert_eq!(fs::read(&place).expect("shard"), bytes);
    fs::write(root.join("notes.txt"), "Songs are sung.\n").expect("written");
    let third = again();
    assert!(third.is_built && third.key != first.key && entries(&into).len() == 2, "another tree, another shard");
}

#[test]
fn a_name_is_part_of_the_key_and_a_revision_is_not() {
    let env = Env::new();
    let root = checkout(&env, "song", PLAY).to_string_lossy().into_owned();
    let pack = |more: &[&str]| {
        let mut arguments = vec!["fleet", "pack", &root, "-o", "../shards", "--json"];
        arguments.extend(more);
        env.run(&arguments).found().json()["shards"][0].clone()
    };
    let plain = pack(&["--revision", "r1"]);
    assert_eq!(
        (&plain["built"], &plain["members"][0]["id"], &plain["members"][0]["revision"]),
        (&true.into(), &"song".into(), &"r1".into())
    );
    let later = pack(&["--revision", "r2"]);
    assert_eq!(
        (&later["built"], &later["key"], &later["members"][0]["revision"]),
        (&false.into(), &plain["key"], &"r2".into())
    );
    let named = pack(&["--name", "org/song"]);
    assert!(named["key"] != plain["key"] && named["members"][0]["tree"] == plain["members"][0]["tree"], "{named}");
    assert!(named["file"].as_str().is_some_and(|file| file.starts_with("org_song-")), "{named}");
}

#[test]
fn the_revision_is_the_commit_and_a_copy_of_a_checkout_is_not_dirty() {
    let env = Env::new();
    let root = checkout(&env, "song", PLAY);
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"];
        let ran = env.other_process("git").args(identity).arg("-C").arg(&root).args(arguments).output().expect("git");
        assert!(ran.status.success(), "{ran:?}");
        String::from_utf8_lossy(&ran.stdout).trim().to_owned()
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "one"]);
    let head = git(&["rev-parse", "HEAD"]);
    let revision = || {
        let ran = env.run(&["fleet", "pack", &root.to_string_lossy(), "-o", "../shards", "--json"]).found().json();
        ran["shards"][0]["members"][0]["revision"].as_str().expect("text").to_owned()
    };
    assert_eq!(revision(), head);
    File::options()
        .write(true)
        .open(root.join("notes.txt"))
        .and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH))
        .expect("time");
    assert_eq!(revision(), head, "only a time is another");
    fs::write(root.join("notes.txt"), "Songs are sung.\n").expect("written");
    assert_eq!(revision(), head + "-dirty");
}

#[test]
#[cfg(unix)]
fn a_linked_repository_has_the_name_of_the_link() {
    let env = Env::new();
    let root = checkout(&env, "song-1.2", PLAY);
    std::os::unix::fs::symlink(root, env.outside("song")).expect("linked");
    let ran = env.run(&["fleet", "pack", "../song", "-o", "../shards", "--json"]).found().json();
    assert_eq!(ran["shards"][0]["members"][0]["id"], "song");
}

#[test]
fn small_repositories_share_a_shard_up_to_its_lines() {
    let env = Env::new();
    let folders: Vec<PathBuf> = ["a", "b", "c", "d"].iter().map(|name| checkout(&env, name, PLAY)).collect();
    let lines = packed(&folders[..1], &env.outside("one"), LINES)[0].members[0].lines;
    assert_eq!(lines, 12, "lines of {PLAY:?}");
    let shards = packed(&folders, &env.outside("some"), 2 * lines);
    let ids: Vec<Vec<&str>> =
        shards.iter().map(|shard| shard.members.iter().map(|member| &*member.id).collect()).collect();
    assert_eq!(ids, [["a", "b"], ["c", "d"]]);
    let all = packed(&folders, &env.outside("all"), LINES);
    assert_eq!((all.len(), all[0].members.len()), (1, 4));
    let (two, four) = (open(&env.outside("some").join(&shards[1].file)), open(&env.outside("all").join(&all[0].file)));
    assert_eq!(contents_of_member(&two.members[1]), contents_of_member(&four.members[3]), "bundling changes nothing");
}

// ---- the same answers

#[test]
fn a_moved_shard_answers_like_the_index_of_the_checkout() {
    let env = Env::new();
    let indexed = Indexed::new(|root| Case::all("lang").iter().for_each(|case| case.write_to(&root.join(case.name()))));
    let file = packed(&[indexed.root()], &env.outside("shards"), LINES).remove(0).file;
    let elsewhere = env.outside("moved.shard");
    fs::rename(env.outside("shards").join(file), &elsewhere).expect("moved");
    let shard = open(&elsewhere);
    let member = &shard.members[0];
    member.verify().expect("whole");
    assert!(contents_of_member(member) == contents_of_index(&indexed), "the shard has other contents");
    let sources = Sources::from_member(member);
    assert!(sources.left_out().is_empty() && sources.on_disk("no/such/file").is_none());
    let (graph, record) = (&member.generation.graph, &member.record);
    assert_eq!((record.files, record.functions), (graph.file_count(), member.generation.manifest.functions as usize));
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&shard);
}

proptest! {
    #![proptest_config(cases(12))]
    #[test]
    fn shard_and_index_of_any_repository_answer_the_same(repo in repo()) {
        let (env, indexed) = (Env::new(), repo.indexed());
        let file = packed(&[indexed.root()], &env.outside("shards"), LINES).remove(0).file;
        let shard = open(&env.outside("shards").join(file));
        prop_assert!(contents_of_member(&shard.members[0]) == contents_of_index(&indexed));
    }
}

#[test]
fn a_repository_without_a_file_worth_indexing_is_packed_too() {
    let env = Env::new();
    let root = checkout(&env, "data", &[("a.png", "no picture")]);
    let shards = packed(&[root], &env.outside("shards"), LINES);
    let shard = open(&env.outside("shards").join(&shards[0].file));
    assert_eq!((shard.members[0].record.files, shard.members[0].generation.graph.file_count()), (0, 0));
}

// ---- damage

/// Returns a shard with two members: its path, its bytes and the contents of the members.
fn two_members(env: &Env) -> (PathBuf, Vec<u8>, Vec<String>) {
    let folders = ["a", "b"].map(|name| checkout(env, name, PLAY));
    fs::write(folders[1].join("more.py"), "def more(song):\n    return song\n").expect("written");
    let place = env.outside("shards").join(&packed(&folders, &env.outside("shards"), LINES)[0].file);
    let before_damage = open(&place).members.iter().map(contents_of_member).collect();
    (place.clone(), fs::read(&place).expect("shard"), before_damage)
}

/// Returns the contents of each member of a file with these bytes, or an error if it is damaged.
fn contents_of_bytes(place: &Path, bytes: &[u8]) -> Vec<Result<String, String>> {
    fs::write(place, bytes).expect("written");
    match Shard::open(place, &fingerprint()) {
        Err(error) => vec![Err(error.what().to_owned()); 2],
        Ok(shard) => {
            assert_eq!(shard.members.len() + shard.damaged.len(), 2, "each member is open or reported as damaged");
            let member = |id: &str| {
                let Some(open) = shard.members.iter().find(|member| member.record.id == id) else {
                    let (_, error) = shard.damaged.iter().find(|(record, _)| record.id == id).expect("one of both");
                    assert!(error.what().contains(id), "{error}");
                    return Err(error.what().to_owned());
                };
                open.verify().map_err(|damaged| damaged.file.display().to_string())?;
                catch_damaged(|| contents_of_member(open)).map_err(|damaged| damaged.file.display().to_string())
            };
            ["a", "b"].map(member).to_vec()
        }
    }
}

#[test]
fn a_flipped_bit_is_found_or_changes_nothing() {
    let env = Env::new();
    let (place, bytes, before_damage) = two_members(&env);
    let (mut found, mut state) = (0, 7u64);
    for _ in 0..150 {
        // A linear congruential generator, so that each run damages the same places.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (at, bit) = ((state >> 20) as usize % bytes.len(), 1 << (state >> 60 & 7));
        let mut damaged = bytes.clone();
        damaged[at] ^= bit;
        for (now, before) in contents_of_bytes(&place, &damaged).into_iter().zip(&before_damage) {
            match now {
                Ok(now) => assert!(now == *before, "bit {bit} of byte {at}: has other contents"),
                Err(_) => found += 1,
            }
        }
    }
    assert!(found > 50, "most bytes count: {found} of 150");
}

#[test]
fn a_damaged_member_is_a_separate_error() {
    let env = Env::new();
    let (place, bytes, before_damage) = two_members(&env);
    let head = bytes.chunks(512).position(|block| block.starts_with(b"0/base\0")).expect("a head") * 512;
    let mut damaged = bytes.clone();
    damaged[head + 512 + 5] ^= 1;
    let now = contents_of_bytes(&place, &damaged);
    assert!(now[0].is_err() && now[1].as_ref() == Ok(&before_damage[1]), "the other answers");
    let mut damaged = bytes.clone();
    damaged[head + 3] ^= 1;
    assert_eq!(
        contents_of_bytes(&place, &damaged),
        before_damage.into_iter().map(Ok).collect::<Vec<_>>(),
        "a head between parts is for others"
    );
    damaged[700] ^= 1;
    assert!(contents_of_bytes(&place, &damaged).iter().all(Result::is_err), "the list of members is of all");
}

#[test]
fn a_truncated_shard_returns_whole_members_or_none() {
    let env = Env::new();
    let (place, bytes, before_damage) = two_members(&env);
    // The last kilobyte marks the end of a tar, and the bytes before it are padding.
    for end in (0..bytes.len() - 2048).step_by(997) {
        let now = contents_of_bytes(&place, &bytes[..end]);
        assert!(
            now[1].is_err() && now[0].as_ref().map_or(true, |now| *now == before_damage[0]),
            "cut off after {end} bytes"
        );
    }
    for other in [&b""[..], b"no tar at all", &[0; 2048]] {
        assert!(contents_of_bytes(&place, other).iter().all(Result::is_err));
    }
}

#[test]
fn a_shard_of_another_version_is_refused() {
    let env = Env::new();
    let (place, _, _) = two_members(&env);
    let newer = Fingerprint { content: fingerprint().content + 1, ..fingerprint() };
    let error = Shard::open(&place, &newer).err().expect("an error");
    assert!(error.what().contains("a different version"), "{error}");
    let sized = Fingerprint { max_size: 7, ..fingerprint() };
    assert!(
        Shard::open(&place, &sized).is_ok_and(|shard| shard.members.len() == 2),
        "the reader's own limit does not matter"
    );
}

// ---- invalid requests

#[test]
fn escaping_and_duplicate_names_are_refused() {
    let env = Env::new();
    let (a, b) = (checkout(&env, "x/song", PLAY), checkout(&env, "y/song", PLAY));
    let (a, b) = (a.to_string_lossy(), b.to_string_lossy());
    for name in ["../song", "/song", "a//b", "", "song#1", "song\n"] {
        env.run(&["fleet", "pack", &a, "-o", "../shards", "--name", name]).failed(&["is not a valid repository name"]);
    }
    env.run(&["fleet", "pack", &a, &b, "-o", "../shards"]).failed(&["two repositories are called song"]);
    env.run(&["fleet", "pack", &a, "-o", "../shards", "--name", "one", "--name", "two"])
        .failed(&["2 names for 1 directories"]);
    env.run(&["fleet", "pack", "../nowhere", "-o", "../shards"]).failed(&["nowhere"]);
    assert!(entries(&env.outside("shards")).is_empty());
    env.run(&["fleet", "pack", &a, &b, "-o", "../shards", "--name", "one"]).found();
}

#[test]
fn a_run_continues_after_a_killed_one() {
    let env = Env::new();
    let (root, into) = (checkout(&env, "song", PLAY), env.outside("shards"));
    let first = packed(std::slice::from_ref(&root), &into, LINES).remove(0);
    let place = into.join(&first.file);
    let whole = fs::read(&place).expect("shard");
    fs::remove_file(&place).expect("removed");
    let left = into.join(format!(".{}.unfinished", first.file.trim_end_matches(".shard")));
    fs::create_dir_all(left.join("0")).expect("folder");
    for (file, bytes) in [("LOCK", &b""[..]), ("0/base", b"half a base"), (&first.file, b"half a shard")] {
        fs::write(left.join(file), bytes).expect("written");
    }
    assert!(packed(&[root], &into, LINES)[0].is_built);
    assert_eq!(fs::read(&place).expect("shard"), whole);
    assert_eq!(entries(&into), [place], "nothing is left");
}

#[test]
fn concurrent_packs_of_one_tree_yield_one_shard() {
    let env = Env::new();
    let root = checkout(&env, "song", PLAY).to_string_lossy().into_owned();
    let start = || {
        let mut process = env.process();
        process
            .args(["fleet", "pack", &root, "-o", "../shards", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("started")
    };
    let running: Vec<_> = (0..6).map(|_| start()).collect();
    let said: Vec<_> = running.into_iter().map(|process| process.wait_with_output().expect("ended")).collect();
    assert!(said.iter().all(|output| output.status.success()), "{said:?}");
    let built = said.iter().filter(|output| String::from_utf8_lossy(&output.stdout).contains("\"built\":true")).count();
    assert_eq!((built, entries(&env.outside("shards")).len()), (1, 1), "one builds, the others wait and find it");
}

/// If the run is killed at any point, each shard is complete or missing; the next run creates it.
#[test]
fn a_run_that_is_killed_leaves_no_half_shard() {
    let env = Env::new();
    let (root, into) = (checkout(&env, "song", PLAY), env.outside("shards"));
    let file = packed(std::slice::from_ref(&root), &env.outside("whole"), LINES).remove(0).file;
    let whole = fs::read(env.outside("whole").join(&file)).expect("shard");
    let root = root.to_string_lossy().into_owned();
    for moment in 0..20 {
        let mut process = env.process();
        process.args(["fleet", "pack", &root, "-o", "../shards", "--revision", "r1", "-q"]);
        let mut process = process.spawn().expect("started");
        std::thread::sleep(Duration::from_millis(3 * moment));
        process.kill().expect("killed");
        process.wait().expect("ended");
        let place = into.join(&file);
        if place.exists() {
            assert!(fs::read(&place).expect("shard") == whole, "after {moment}");
            fs::remove_file(place).expect("removed");
        }
    }
    env.run(&["fleet", "pack", &root, "-o", "../shards", "--revision", "r1"]).found();
    assert!(fs::read(into.join(&file)).expect("shard") == whole);
    assert_eq!(entries(&into).len(), 1, "nothing is left of the killed");
}
