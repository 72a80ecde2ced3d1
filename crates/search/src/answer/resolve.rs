//! Resolves a typed name to a definition: `renew`, `Session.renew`, `path/file.py`,
//! `path/file.py:42`, `path/file.py:renew`, `path.file.Session.renew`.
//!
//! **Invariant:** a name has the same meaning with either separator (`.` or `::`) and may omit its
//! leading parts, or begin with the directories and the file around the definition. The name of one
//! definition may contain separators itself (`aws_vpc.this` in Terraform, `print.session` in R,
//! `log::info` in Bash). A path may omit its first directories. A line refers to the innermost
//! definition around it.
//!
//! **Cost:** one pass over the file paths; similar names are searched only if nothing matches.

use super::corrected::closest;
use super::entries::{EntryQuestion, entries, entries_of};
use super::similar_names::{MAX_SUGGESTIONS, similar};
use super::typed_names::{
    all_definitions, definitions_in, dotted, ends, file_definition, files_ending_in, has_name, has_parts,
};
use rustc_hash::FxHashSet;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;

/// Result of resolving a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved<T = DefinitionId> {
    /// Exactly one.
    One(T),
    /// The only one whose name is closest to a mistyped name. A front end that uses it reports the
    /// name that it used.
    Corrected(T),
    /// Several, sorted by path and position.
    Many(Vec<T>),
    /// None.
    None {
        /// Those with similar names, most similar first, with at most one for each name.
        near: Vec<T>,
    },
}

/// Resolves a name to its definitions.
pub fn resolve(graph: &GraphFile, name: &str) -> Resolved {
    let name = name.trim().trim_start_matches("./").trim_end_matches("()");
    let selected = by_selector(graph, name);
    if !selected.is_empty() {
        return known(&selected);
    }
    let (place, rest) = split(graph, name);
    let found = match rest {
        None => by_full_name(graph, place),
        Some(rest) => files_ending_in(graph, place).into_iter().flat_map(|file| in_file(graph, file, rest)).collect(),
    };
    match without_constructors(graph, &found).as_slice() {
        [] if let entries = entries_called(graph, name)
            && !entries.is_empty() =>
        {
            known(&entries)
        }
        [] => unknown(graph, place, rest),
        found => known(found),
    }
}

fn known(found: &[DefinitionId]) -> Resolved {
    match found {
        [one] => Resolved::One(*one),
        several => Resolved::Many(several.to_vec()),
    }
}

/// Returns the routes and commands that a name is the name of, or fits.
fn entries_called(graph: &GraphFile, name: &str) -> Vec<DefinitionId> {
    let is_named = |id: &DefinitionId| graph.entry_names(*id).any(|own| own == name);
    let exact: Vec<DefinitionId> = entries(graph).filter(is_named).collect();
    let fitting = || EntryQuestion::read(name).map(|question| entries_of(graph, &question).entries);
    if exact.is_empty() { fitting().unwrap_or_default() } else { exact }
}

/// Leaves out the constructors that share the name of a type among the definitions: the name means
/// the type, which includes them.
fn without_constructors(graph: &GraphFile, found: &[DefinitionId]) -> Vec<DefinitionId> {
    let is_own = |&id: &DefinitionId| {
        let definition = graph.definition(id);
        // In C++, a constructor may be outside the body of its type, which is then its owner.
        let mut types =
            [definition.parent, graph.owner(id)].into_iter().filter(|&of| graph.traits(of).kind().is_type());
        definition.kind().is_function() && types.any(|of| graph.name(of) == graph.name(id) && found.contains(&of))
    };
    found.iter().copied().filter(|id| !is_own(id)).collect()
}

/// Resolves a name that no definition has: with the modules around the definition before its name,
/// or corrected. Returns similar names if neither is possible.
fn unknown(graph: &GraphFile, place: &str, rest: Option<&str>) -> Resolved {
    let selectors = by_first_part(graph, place, rest);
    if !selectors.is_empty() {
        return known(&selectors);
    }
    let (mut near, is_exact) = closest(graph, place, rest);
    if is_exact {
        return known(&without_constructors(graph, &near));
    }
    if let [one] = near[..] {
        return Resolved::Corrected(one);
    }
    near.extend(similar(graph, place, rest));
    let mut seen = FxHashSet::default();
    near.retain(|id| seen.insert(*id));
    near.truncate(MAX_SUGGESTIONS);
    Resolved::None { near }
}

/// Returns the methods with a name that ends with a colon, with or without the type before it
/// (`addObserver:forKey:` in Objective-C).
fn by_selector(graph: &GraphFile, name: &str) -> Vec<DefinitionId> {
    if !name.ends_with(':') {
        return Vec::new();
    }
    let method = name.rsplit_once('.').map_or(name, |(_, method)| method);
    let is_whole = |id: &DefinitionId| has_name(graph, *id) && is_last_part(name, graph.qualified_name(*id));
    graph.named(method).into_iter().filter(is_whole).collect()
}

/// Returns the file with exactly this path; failing that, the definitions with this name; failing
/// that, the files whose paths end with it.
fn by_full_name(graph: &GraphFile, name: &str) -> Vec<DefinitionId> {
    let files = files_ending_in(graph, name);
    let exact = matches!(files[..], [file] if graph.path(file) == name);
    let among = || ends(name).into_iter().flat_map(|end| graph.named(end));
    let definitions = if exact { Vec::new() } else { by_parts(graph, name, among()) };
    if definitions.is_empty() {
        files.into_iter().map(|file| file_definition(graph, file)).collect()
    } else {
        definitions
    }
}

/// Splits a typed name into a path and the part after its colon. Splits at a double colon only after
/// a file, and never splits the full path of a file.
fn split<'a>(graph: &GraphFile, name: &'a str) -> (&'a str, Option<&'a str>) {
    let single = name.match_indices(':').map(|(at, _)| at).find(|&at| {
        let bytes = name.as_bytes();
        bytes.get(at + 1) != Some(&b':') && (at == 0 || bytes[at - 1] != b':')
    });
    match single {
        Some(at) if files_ending_in(graph, name).is_empty() => (&name[..at], Some(&name[at + 1..])),
        Some(_) => (name, None),
        // Test runners write `tests/test_shop.py::test_tax`.
        None => match name.split_once("::").filter(|(file, _)| !files_ending_in(graph, file).is_empty()) {
            Some((file, rest)) => (file, Some(rest)),
            None => (name, None),
        },
    }
}

/// Returns the definitions in a file that `rest` refers to: a name, or a line number. A column, or
/// the last line of a range, is ignored.
fn in_file(graph: &GraphFile, file: FileId, rest: &str) -> Vec<DefinitionId> {
    let line = rest.split([':', '-']).next().and_then(|number| number.parse::<u32>().ok());
    match line {
        None => by_parts(graph, rest, definitions_in(graph, file)),
        Some(line) => {
            let spans = |id: &DefinitionId| {
                let row = graph.definition(*id);
                (row.start_line..=row.end_line).contains(&line)
            };
            let around =
                definitions_in(graph, file).filter(|id| has_name(graph, *id) || *id == file_definition(graph, file));
            // Of two definitions of equal length, the inner one has the higher id.
            let length = |id: &DefinitionId| {
                let row = graph.definition(*id);
                (row.end_byte - row.start_byte, std::cmp::Reverse(*id))
            };
            around.filter(spans).min_by_key(length).into_iter().collect()
        }
    }
}

/// Returns the definitions with a name that ends with the typed parts. An extension has the same
/// name as its type; the type takes precedence.
fn by_parts(graph: &GraphFile, name: &str, among: impl Iterator<Item = DefinitionId>) -> Vec<DefinitionId> {
    let name = dotted(name);
    let mut found: Vec<DefinitionId> = among
        .filter(|&id| is_end_of(graph.name(id), &name) && has_name(graph, id))
        .filter(|&id| is_end_of(&name, &dotted(graph.qualified_name(id))))
        .collect();
    found.sort_unstable();
    found.dedup();
    let extension = |id: &DefinitionId| graph.definition(*id).kind() == DefinitionKind::Extension;
    if !found.iter().all(extension) {
        found.retain(|id| !extension(id));
    }
    found
}

/// Returns the methods whose names consist of several parts, of which the typed name is the first:
/// `addObserver` means `addObserver:forKey:`.
fn by_first_part(graph: &GraphFile, place: &str, rest: Option<&str>) -> Vec<DefinitionId> {
    let typed = rest.unwrap_or(place);
    let method = typed.rsplit_once('.').map_or(typed, |(_, method)| method);
    let begins = |id: &DefinitionId| {
        let own = graph.name(*id);
        own.split_once(':').is_some_and(|(first, _)| first == method) && own.ends_with(':') && has_name(graph, *id)
    };
    let is_whole = |id: &DefinitionId| {
        let qualified = graph.qualified_name(*id);
        let end = qualified.split_once(':').map_or(qualified, |(first, _)| first);
        is_last_part(typed, end)
    };
    let is_meant = |id: &DefinitionId| begins(id) && is_whole(id);
    if rest.is_none() {
        return all_definitions(graph).filter(is_meant).collect();
    }
    let files = files_ending_in(graph, place).into_iter();
    files.flat_map(|file| definitions_in(graph, file)).filter(is_meant).collect()
}

/// Checks whether a name is the same as a qualified name, or follows a dot in it.
fn is_last_part(name: &str, qualified: &str) -> bool {
    qualified.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Checks whether a name consists of the last parts of a name whose separators are dots.
fn is_end_of(end: &str, whole: &str) -> bool {
    !end.is_empty() && if has_parts(end) { is_last_part(&dotted(end), whole) } else { is_last_part(end, whole) }
}
