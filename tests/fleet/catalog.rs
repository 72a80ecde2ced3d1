//! Tests catalogs, which specify the served repositories and their readers. An invalid catalog is
//! refused.

use super::support::{PLAY, checkout, packed};
use crate::support::env::Env;
use std::fs;
use std::path::Path;
use whichfn::fleet::{Catalog, LINES, TypedQuestion, VisibleShard};

const THREE: &str = r#"{"version": 1, "written_by": "somebody",
 "shards": [{"file": "a-1.shard", "members": ["flask", "org/jinja", "linux#1"]}, {"file": "b-2.shard", "members": ["linux#2"]}],
 "repositories": {"flask": {"revision": "abc", "team": "web", "groups": []},
                  "org/jinja": {"team": null, "groups": ["dev", "ops"], "lines": 7},
                  "linux": {"team": "kernel", "groups": ["ops"]}, "gone": {}}}"#;

fn read(text: &str) -> Result<Catalog, String> {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("fleet.json");
    fs::write(&path, text).expect("written");
    Catalog::read(&path).map_err(|error| error.what().to_owned())
}

fn visible(catalog: &Catalog, repositories: &[&str], teams: &[&str], groups: &[&str]) -> Vec<String> {
    let owned = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
    let (repos, teams, groups) = (owned(repositories), owned(teams), owned(groups));
    let question = TypedQuestion { repos, teams, groups, ..TypedQuestion::default() };
    let shown = |shard: VisibleShard| {
        let ids: Vec<String> = shard.members.into_iter().map(|member| member.id).collect();
        format!("{}: {}", shard.file, ids.join(" "))
    };
    catalog.visible(&question).expect("globs").into_iter().map(shown).collect()
}

#[test]
fn a_user_without_groups_sees_public_repositories() {
    let catalog = read(THREE).expect("a catalog");
    assert_eq!(visible(&catalog, &[], &[], &[]), ["a-1.shard: flask"]);
    assert_eq!(visible(&catalog, &[], &[], &["dev"]), ["a-1.shard: flask org/jinja"]);
    assert_eq!(
        visible(&catalog, &[], &[], &["ops", "x"]),
        ["a-1.shard: flask org/jinja linux#1", "b-2.shard: linux#2"]
    );
    assert_eq!(visible(&catalog, &["linux"], &[], &["dev"]), [""; 0], "asking for it does not open it");
}

#[test]
fn repositories_are_selected_by_glob_or_team_and_slices_by_repository() {
    let (catalog, ops) = (read(THREE).expect("a catalog"), &["ops"]);
    assert_eq!(visible(&catalog, &["linux"], &[], ops), ["a-1.shard: linux#1", "b-2.shard: linux#2"]);
    assert_eq!(visible(&catalog, &["*"], &[], ops), ["a-1.shard: flask linux#1", "b-2.shard: linux#2"]);
    assert_eq!(visible(&catalog, &["org/*", "fl?sk"], &[], ops), ["a-1.shard: flask org/jinja"]);
    assert_eq!(visible(&catalog, &["**"], &["web"], ops), ["a-1.shard: flask"]);
    assert_eq!(visible(&catalog, &["linux"], &["web"], ops), [""; 0]);
    let question = TypedQuestion { repos: vec!["[".into()], ..TypedQuestion::default() };
    assert!(catalog.visible(&question).is_err_and(|error| error.what().contains("is not a valid repository pattern")));
}

#[test]
fn a_catalog_that_contradicts_itself_is_refused() {
    let shard = |members: &str| format!(r#"{{"file": "a.shard", "members": [{members}]}}"#);
    let with = |shards: &str| format!(r#"{{"version": 1, "shards": [{shards}], "repositories": {{"flask": {{}}}}}}"#);
    assert!(read(&with(&shard(r#""flask""#))).is_ok());
    let other = r#"{"file": "b.shard", "members": ["flask"]}"#;
    for (text, words) in [
        (with(&shard(r#""flask", "flask""#)), "flask is in both a.shard and a.shard"),
        (with(&format!("{}, {other}", shard(r#""flask""#))), "flask is in both a.shard and b.shard"),
        (with(&format!("{}, {}", shard(""), shard(""))), "a.shard is listed twice"),
        (with(&shard(r#""jinja""#)), "jinja of a.shard belongs to no listed repository"),
        (with(r#"{"file": "../a.shard", "members": []}"#), "is not the name of a file in the same folder"),
        (with(r#"{"file": "", "members": []}"#), "is not the name of a file in the same folder"),
        (r#"{"version": 2, "shards": []}"#.into(), "its version is 2"),
        (r#"{"version": 1, "shards": [], "repositories": {"a#1": {}}}"#.into(), "is not a valid repository name"),
        (r#"{"version": 1, "shards": [], "repositories": {"a": {"groups": "dev"}}}"#.into(), "expected a sequence"),
        (r#"{"version": 1}"#.into(), "missing field `shards`"),
        ("no JSON".into(), "line 1"),
    ] {
        let said = read(&text).expect_err(&text);
        assert!(said.contains(words) && said.contains("fleet.json"), "{text}: {said}");
    }
}

#[test]
fn a_folder_without_a_catalog_serves_all_its_shards() {
    let env = Env::new();
    let folders = ["a", "b"].map(|name| checkout(&env, name, PLAY));
    let shards = env.outside("shards");
    fs::create_dir(&shards).expect("folder");
    let open = |shards: &Path| Catalog::of_folder(shards).map_err(|error| error.what().to_owned());
    assert!(open(&shards).is_err_and(|said| said.contains("contains no shards")));
    let both = packed(&folders, &shards, LINES).remove(0).file;
    fs::write(shards.join("torn.shard"), "half").expect("written");
    let catalog = open(&shards).expect("a catalog");
    assert_eq!(visible(&catalog, &[], &[], &[]), [format!("{both}: a b")]);
    assert_eq!(catalog.unreadable[0].0, "torn.shard", "what cannot be read is told");
    assert_eq!(catalog.repository("a").map(|of| (&*of.revision, of.lines, of.files)), Some(("r1", 12, 5)));
    assert_eq!(catalog.path_of(&both), shards.join(&both));
    let again = packed(&folders[..1], &shards, LINES).remove(0).file;
    let newer = open(&shards).expect("a catalog");
    assert_eq!(visible(&newer, &["a"], &[], &[]), [format!("{again}: a")], "what was packed last");
    let listed = format!(
        r#"{{"version": 1, "shards": [{{"file": "{both}", "members": ["b"]}}, {{"file": "{again}", "members": ["a"]}}],
            "repositories": {{"a": {{}}, "b": {{}}}}}}"#
    );
    fs::write(shards.join("fleet.json"), listed).expect("written");
    let catalog = open(&shards).expect("a catalog");
    assert_eq!(visible(&catalog, &[], &[], &[]), [format!("{both}: b"), format!("{again}: a")], "the catalog decides");
}
