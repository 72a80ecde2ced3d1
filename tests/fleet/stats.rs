//! Checks that `fleet stats` reports the same figures that the ranking uses.

use super::support::{PLAY, checkout, open, packed};
use crate::support::env::Env;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use whichfn::fleet::LINES;
use whichfn_index::store::{KindGroup, Shard};
use whichfn_syntax::ids::DefinitionId;

/// Packs two repositories into one shard; the second has a function that is documented in a header.
fn two(env: &Env) -> (String, Shard) {
    let declared = [
        ("song.h", "#define SONG 1\n\n/** Sings aloud. */\nint sing(int song);\n"),
        ("song.c", "#include \"song.h\"\nint sing(int song) { return song; }\n"),
    ];
    let folders = [checkout(env, "a", PLAY), checkout(env, "b", &declared)];
    let file = packed(&folders, &env.outside("shards"), LINES).remove(0).file;
    let shard = open(&env.outside("shards").join(&file));
    (format!("../shards/{file}"), shard)
}

#[test]
fn sums_equal_those_of_the_member_graphs() {
    let env = Env::new();
    let (path, shard) = two(&env);
    let told = env.run(&["fleet", "stats", &path, "--json"]).found().without_stderr().json()["shards"][0].clone();
    assert_eq!(told["members"].as_array().map(Vec::len), Some(2));
    let (mut functions, mut names) = (0, 0);
    for (number, member) in shard.members.iter().enumerate() {
        let totals = member.generation.graph.totals()[KindGroup::Function as usize];
        let of = &told["members"][number]["totals"]["functions"];
        assert_eq!((&of["definitions"], &of["words"]["name"]), (&totals.definitions.into(), &totals.own[0].into()));
        assert_eq!(told["members"][number]["functions"], totals.definitions);
        functions += totals.definitions;
        names += totals.own[0];
    }
    let of = &told["totals"]["functions"];
    assert_eq!((&of["definitions"], &of["words"]["name"]), (&functions.into(), &names.into()));
    assert!(told["damaged"].as_array().is_some_and(Vec::is_empty) && told.get("words").is_none());
    let text = env.run(&["fleet", "stats", &path]).found().out;
    assert!(text.contains("  a: 3 functions in 5 files, 12 lines, ") && text.contains(", at r1\n"), "{text}");
    let row =
        |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).expect("a row").split_whitespace();
    assert_eq!((row("definitions").nth(1), row("name").nth(1)), (Some("4"), Some(&*names.to_string())), "{text}");
}

#[test]
fn words_are_counted_by_function() {
    let env = Env::new();
    let (path, shard) = two(&env);
    let mut expected: BTreeMap<String, usize> = BTreeMap::new();
    for graph in shard.members.iter().map(|member| &member.generation.graph) {
        for stem in graph.stems() {
            let postings = graph.postings(stem).into_iter();
            let holders = postings
                .flat_map(|at| graph.documents(at.definition).chain([at.definition]).collect::<Vec<DefinitionId>>());
            let functions: BTreeSet<_> = holders.filter(|&id| graph.definition(id).kind().is_function()).collect();
            *expected.entry(stem.to_owned()).or_default() += functions.len();
        }
    }
    expected.retain(|_, count| *count > 0);
    assert!(
        expected["song"] >= 3 && expected.get("aloud") == Some(&1),
        "documentation in a header counts for its function: {expected:?}"
    );
    let lines = env.run(&["fleet", "stats", &path, "--words"]).found().out;
    let told: Vec<String> = expected.iter().map(|(stem, count)| format!("{stem}\t{count}")).collect();
    assert_eq!(lines.lines().collect::<Vec<_>>(), told);
    let json = env.run(&["fleet", "stats", &path, "--words", "--json"]).found().json();
    assert_eq!(json["shards"][0]["words"]["song"], expected["song"]);
}

/// Without `--verify`, the statistics do not read the texts, so they do not detect damage in one.
#[test]
fn verify_reads_every_byte() {
    let env = Env::new();
    let numbers: Vec<String> = (0..9000u64).map(|n| (n * n % 7919).to_string()).collect();
    let folders = [checkout(&env, "a", PLAY), checkout(&env, "b", &[("numbers.txt", &numbers.join("\n"))])];
    let place = env.outside("shards").join(packed(&folders, &env.outside("shards"), LINES).remove(0).file);
    let path = place.to_string_lossy();
    env.run(&["fleet", "stats", &path, "--verify"]).found().without_stderr();
    let mut bytes = fs::read(&place).expect("shard");
    let head = bytes.chunks(512).position(|block| block.starts_with(b"1/texts\0")).expect("a head") * 512;
    bytes[head + 512] ^= 1;
    fs::write(&place, bytes).expect("written");
    env.run(&["fleet", "stats", &path]).found().without_stderr();
    let ran = env.run(&["fleet", "stats", &path, "--verify"]).stderr_contains(&["b in ", "is damaged"]);
    assert!(ran.code == Some(1) && ran.out.contains("  a: ") && !ran.out.contains("  b: "), "{ran:?}");
}

#[test]
fn a_damaged_member_is_reported_and_the_others_are_counted() {
    let env = Env::new();
    let (path, shard) = two(&env);
    let place = shard.path.clone();
    drop(shard);
    let mut bytes = fs::read(&place).expect("shard");
    let head = bytes.chunks(512).position(|block| block.starts_with(b"0/links\0")).expect("a head") * 512;
    bytes[head + 512] ^= 1;
    fs::write(&place, bytes).expect("written");
    let ran = env.run(&["fleet", "stats", &path, "--json"]).found().stderr_contains(&["a in ", "is damaged"]);
    let told = &ran.json()["shards"][0];
    assert_eq!((&told["damaged"][0]["id"], &told["members"][0]["id"]), (&"a".into(), &"b".into()));
    assert_eq!(env.run(&["fleet", "stats", &path, "--verify"]).stderr_contains(&["a in "]).code, Some(1));
    fs::write(&place, "no shard").expect("written");
    env.run(&["fleet", "stats", &path]).failed(&["is not a shard", "fetch it again"]);
    env.run(&["fleet", "stats", "../shards/none.shard"]).failed(&["none.shard"]);
}
