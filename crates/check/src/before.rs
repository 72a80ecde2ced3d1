//! The name tables of the repository before and after a change.
//!
//! The facts of files that the change did not touch come from the index, and the facts of the
//! changed files before the change are those of the parsed old contents.

use super::sides::Sides;
use std::collections::{BTreeMap, BTreeSet};
use whichfn_graph::{CallEdge, PackedFacts, Paths, PreviousLink, Source, relink};
use whichfn_syntax::ids::{DefinitionId, FileId, IdVec, LocalId};
use whichfn_syntax::lang::{LangId, LanguageGroups};
use whichfn_text::file_name;

/// The groups of languages, linked together, of some changed files.
pub(super) struct ChangedGroups {
    together: LanguageGroups,
    groups: BTreeSet<LangId>,
}

impl ChangedGroups {
    /// Returns the groups of files before the change, by their indexes in [`Sides::files`].
    pub fn new(sides: &Sides<'_>, changed: impl Iterator<Item = usize>) -> Self {
        let mut found = Self { together: sides.registry.linked_together(), groups: BTreeSet::new() };
        for old in changed.filter_map(|at| sides.files[at].old.as_ref()) {
            found.groups.insert(found.together.of(old.id));
        }
        found
    }

    /// Checks whether a language is in one of the groups.
    pub fn contain(&self, language: Option<LangId>) -> bool {
        language.is_some_and(|id| self.groups.contains(&self.together.of(id)))
    }

    /// Iterates over the groups.
    pub fn iter(&self) -> impl Iterator<Item = LangId> {
        self.groups.iter().copied()
    }
}

/// The files of one state of the repository, sorted by path.
pub(super) struct State<'a> {
    pub sources: Vec<Source<'a>>,
    pub paths: Paths,
    /// For each file, its id in the index, if the file exists after the change.
    pub now: IdVec<FileId, Option<FileId>>,
    /// For each file, its index in [`Sides::files`], if it is a changed file.
    pub changed: IdVec<FileId, Option<usize>>,
}

/// Packs the facts of the changed files before the change, in the order of [`Sides::files`].
pub(super) fn packed_facts(sides: &Sides<'_>) -> Vec<Option<PackedFacts>> {
    sides.files.iter().map(|file| file.old.as_ref().map(|old| PackedFacts::new(&old.facts))).collect()
}

struct Entry<'a> {
    source: Source<'a>,
    now: Option<FileId>,
    changed: Option<usize>,
}

impl<'a> State<'a> {
    /// Returns the state before the change. Files of languages that are not `linked` have no facts.
    pub fn before(
        sides: &'a Sides<'_>,
        packed: &'a [Option<PackedFacts>],
        linked: &dyn Fn(Option<LangId>) -> bool,
    ) -> Self {
        let graph = sides.graph;
        let mut entries: Vec<Entry<'a>> = Vec::new();
        for file in graph.file_ids() {
            match sides.changed_index(file) {
                None => entries.push(current(sides, file, linked)),
                Some(at) if sides.files[at].old_path == graph.path(file) && packed[at].is_none() => {
                    entries.push(Entry { changed: Some(at), ..current(sides, file, linked) });
                }
                Some(_) => {}
            }
        }
        for (at, (file, packed)) in sides.files.iter().zip(packed).enumerate() {
            let (Some(old), Some(packed)) = (&file.old, packed) else { continue };
            let facts = packed.facts();
            let (path, language) = (&file.old_path[..], Some(old.id));
            let definitions = facts.definition_count() as u32;
            let source = Source { path, language, facts: linked(language).then_some(facts), definitions };
            entries.push(Entry { source, now: file.file, changed: Some(at) });
        }
        Self::new(sides.root(), entries)
    }

    /// Returns the state after the change.
    pub fn after(sides: &'a Sides<'_>, linked: &dyn Fn(Option<LangId>) -> bool) -> Self {
        let entry = |file| Entry { changed: sides.changed_index(file), ..current(sides, file, linked) };
        Self::new(sides.root(), sides.graph.file_ids().map(entry).collect())
    }

    fn new(root: &str, mut entries: Vec<Entry<'a>>) -> Self {
        entries.sort_by(|a, b| a.source.path.cmp(b.source.path));
        let paths = Paths::of_root(root, entries.iter().map(|entry| entry.source.path));
        let (now, changed) = (entries.iter().map(|one| one.now), entries.iter().map(|one| one.changed));
        let (now, changed) = (now.collect(), changed.collect());
        Self { sources: entries.into_iter().map(|entry| entry.source).collect(), paths, now, changed }
    }

    /// Returns the file and its number of the definition with a repository-wide number.
    pub fn locals(&self) -> impl Fn(DefinitionId) -> (FileId, LocalId) + use<> {
        let mut starts = vec![0];
        for source in &self.sources {
            starts.push(starts[starts.len() - 1] + source.definitions);
        }
        move |id| {
            let file = starts.partition_point(|&start| start <= id.0).saturating_sub(1);
            (FileId::new(file), LocalId(id.0 - starts[file]))
        }
    }
}

fn current<'a>(sides: &'a Sides<'_>, file: FileId, linked: &dyn Fn(Option<LangId>) -> bool) -> Entry<'a> {
    let graph = sides.graph;
    let path = graph.path(file);
    let language = graph.language(file).map(LangId).or_else(|| sides.registry.manifest_language(file_name(path)));
    let facts = (language.is_some() && linked(language)).then(|| graph.facts(file));
    let definitions = graph.definitions_of(file).len() as u32;
    Entry { source: Source { path, language, facts, definitions }, now: Some(file), changed: None }
}

/// Returns the call edges before the change of the files that the change affects, in the numbers of
/// `before`. Returns none of languages whose linking reached its step limit: the index contains no
/// messages to link from.
pub(super) fn edges_before<'a>(sides: &Sides<'_>, before: &State<'a>, after: &State<'a>) -> Vec<CallEdge> {
    let (graph, manifest) = (sides.graph, sides.manifest());
    let steps = manifest.steps.iter().map(|(&group, &count)| (LangId(group), count)).collect();
    let is_linked = |source: &Source<'_>| source.language.is_none_or(|language| sides.is_linked(language));
    // Only files that differ between the two states have facts on the previous side.
    let changed = |(source, changed): (&Source<'a>, &Option<usize>)| Source {
        facts: source.facts.filter(|_| changed.is_some() && is_linked(source)),
        ..*source
    };
    let sources: Vec<Source<'_>> = after.sources.iter().zip(&after.changed).map(changed).collect();
    let linked = |source: &Source<'a>| Source { facts: source.facts.filter(|_| is_linked(source)), ..*source };
    let before: Vec<Source<'_>> = before.sources.iter().map(linked).collect();
    let (mail, left_out) = (|file| graph.mail(file), BTreeMap::new());
    let root = sides.root();
    let previous = PreviousLink { root, sources: &sources, mail: &mail, steps: &steps, left_out: &left_out };
    relink(&previous, &before, sides.registry).edges
}
