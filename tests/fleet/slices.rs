//! Checks the slices of a large repository: each file is in exactly one slice, and no slice is
//! larger than necessary.

use super::support::{PLAY, checkout, open};
use crate::support::env::Env;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use whichfn::fleet::{Catalog, slices};
use whichfn_index::source::Sources;
use whichfn_testing::cases;

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Generates paths of up to four levels over few names, so that they share directories, each with
/// its number of lines.
fn tree() -> impl Strategy<Value = BTreeMap<String, u64>> {
    let name = prop::sample::select(vec!["a", "b", "a-b", "a.b", "c"]);
    let path = prop::collection::vec(name, 1..=4).prop_map(|parts| parts.join("/") + ".py");
    prop::collection::btree_map(path, 0..20u64, 0..40)
}

proptest! {
    #![proptest_config(cases(300))]
    #[test]
    fn each_file_is_in_one_slice_and_no_slice_is_larger_than_a_directory_makes_it(tree in tree(), limit in 0..120u64) {
        let files: Vec<(&str, u64)> = tree.iter().map(|(path, lines)| (&**path, *lines)).collect();
        let slices = slices(&files, limit);
        let mut all: Vec<usize> = slices.iter().flatten().copied().collect();
        all.sort_unstable();
        prop_assert_eq!(all, (0..files.len()).collect::<Vec<_>>());
        let lines = |slice: &[usize]| slice.iter().map(|&number| files[number].1).sum::<u64>();
        let directories = |slice: &[usize]| slice.iter().map(|&number| directory(files[number].0)).collect::<BTreeSet<_>>();
        for slice in &slices {
            prop_assert!(lines(slice) <= limit || directories(slice).len() == 1, "{slice:?} has {} lines", lines(slice));
            prop_assert!(slice.is_sorted());
        }
        for two in slices.windows(2) {
            prop_assert!(lines(&two[0]) + lines(&two[1]) > limit, "{two:?} would fit into one");
            prop_assert!(directories(&two[0]).is_disjoint(&directories(&two[1])), "{two:?} part a directory");
        }
    }
}

fn ids(shards: &serde_json::Value) -> Vec<String> {
    let members = |shard: &serde_json::Value| shard["members"].as_array().expect("members").clone();
    let shards = shards["shards"].as_array().expect("shards");
    shards.iter().flat_map(members).map(|member| member["id"].as_str().expect("id").to_owned()).collect()
}

#[test]
fn a_repository_above_the_limit_is_sliced_by_itself() {
    let env = Env::new();
    let root = checkout(&env, "song", PLAY);
    let small = checkout(&env, "small", &PLAY[2..3]).to_string_lossy().into_owned();
    let song = root.to_string_lossy().into_owned();
    let ran = env.run(&["fleet", "pack", &small, &song, "-o", "../shards", "--lines", "8", "--json"]).found().json();
    assert_eq!(ids(&ran), ["small", "song#1", "song#2"]);
    let shards = ran["shards"].as_array().expect("shards");
    assert!(shards.iter().all(|shard| shard["members"].as_array().is_some_and(|members| members.len() == 1)));
    let paths = |number: usize| {
        let shard = open(&env.outside("shards").join(shards[number]["file"].as_str().expect("file")));
        let (member, graph) = (&shard.members[0], &shard.members[0].generation.graph);
        assert_eq!(member.record.repository, "song");
        assert!(graph.file_ids().all(|file| Sources::from_member(member).bytes(file).is_some()));
        graph.file_ids().map(|file| graph.path(file).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paths(1), ["latin.py", "notes.txt"], "what lies in the root itself");
    assert_eq!(paths(2), ["sound/empty.py", "sound/play.py", "sound/tone.py"], "paths begin at the root");
    let catalog = Catalog::of_folder(&env.outside("shards")).expect("a catalog");
    assert_eq!(catalog.repository("song").map(|of| (of.lines, of.files)), Some((12, 5)), "slices add up");
    let again = env.run(&["fleet", "pack", &song, "-o", "../shards", "--lines", "8", "--json"]).found().json();
    assert!(again["shards"].as_array().expect("shards").iter().all(|shard| shard["built"] == false), "{again}");
}

#[test]
fn requested_slices_are_directories_of_one_repository() {
    let env = Env::new();
    let song = checkout(&env, "song", PLAY).to_string_lossy().into_owned();
    let pack = |more: &[&str]| {
        let mut arguments = vec!["fleet", "pack", &song, "-o", "../shards", "--json"];
        arguments.extend(more);
        env.run(&arguments)
    };
    let ran = pack(&["--slice", "sound"]).found().json();
    assert_eq!(ids(&ran), ["song#1", "song#2"]);
    assert_eq!(
        (&ran["shards"][0]["members"][0]["files"], &ran["shards"][1]["members"][0]["files"]),
        (&3.into(), &2.into())
    );
    pack(&["--slice", "noise"]).failed(&["\"noise\" contains no indexed file"]);
    let other = checkout(&env, "other", PLAY).to_string_lossy().into_owned();
    pack(&[&other, "--slice", "sound"]).failed(&["slices need a single repository, but there are 2"]);
}
