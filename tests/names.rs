//! A type's name means one thing: no struct, enum, trait or type alias of one room has the name of another room's.

use crate::support::rooms::{before_tests, code, room, sources};
use std::collections::{BTreeMap, BTreeSet};

/// Names that still mean several things. None may be added, and one that means one thing now leaves the list.
const SHARED: &[&str] = &[];

/// The types that a file defines; those that belong to a trait (`type Item`) are indented and left out.
fn types(text: &str) -> impl Iterator<Item = &str> {
    code(before_tests(text)).filter_map(|(_, line)| {
        let item = line.trim_start();
        let item = match item.strip_prefix("pub") {
            Some(rest) => rest.trim_start_matches(|c| c != ' ').trim_start(),
            None => item,
        };
        let (keyword, rest) = item.split_once(' ')?;
        let name = rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().filter(|name| !name.is_empty())?;
        match keyword {
            "struct" | "enum" | "trait" | "union" => Some(name),
            "type" if !line.starts_with(' ') => Some(name),
            _ => None,
        }
    })
}

/// Each name with the rooms that define it.
fn rooms_by_name(sources: &[(String, String)]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, text) in sources {
        for name in types(text) {
            names.entry(name).or_default().insert(room(path));
        }
    }
    names
}

#[test]
fn no_type_name_is_defined_in_two_rooms() {
    let sources = sources();
    let mut names = rooms_by_name(&sources);
    assert!(names.len() > 300, "types are found: {}", names.len());
    names.retain(|_, rooms| rooms.len() > 1);
    let listed: BTreeSet<&str> = SHARED.iter().copied().collect();
    let new: Vec<_> = names.iter().filter(|(name, _)| !listed.contains(*name)).collect();
    assert!(new.is_empty(), "these names are taken by another room: {new:#?}");
    let gone: Vec<_> = listed.iter().filter(|name| !names.contains_key(*name)).collect();
    assert!(gone.is_empty(), "these names mean one thing now and leave the list SHARED: {gone:?}");
}

#[test]
fn planted_types_are_seen() {
    let seen = |text: &'static str| types(text).collect::<Vec<_>>();
    assert_eq!(seen("pub struct A;\npub(crate) enum B<T> {\nstruct C(u32);\n    struct D {"), ["A", "B", "C", "D"]);
    assert_eq!(seen("pub(super) trait E: F {\ntype G = Vec<u32>;\n    type Item = u32;"), ["E", "G"]);
    assert!(seen("/// struct A\n// enum B\nlet structure = 1;\nuse a::struct_b;").is_empty());
    assert!(seen("fn f() {}\n#[cfg(test)]\nmod tests {\n    struct A;").is_empty());
}
