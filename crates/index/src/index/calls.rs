//! The calls of a new generation. They are copied from the previous generation where no change can
//! have affected them.

use super::files::PreviousGeneration;
use super::tables::GraphTables;
use crate::store::{FileRecord, GraphFile, Mail, UnlinkedCalls};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use whichfn_graph::{
    CallEdge, CallPlace, FileFacts, Hierarchy, Linked, PreviousLink, Relinked, Renumbering, Source, declared, link,
    relink,
};
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::{LangId, Registry};
use whichfn_text::file_name;

/// The calls of a generation, and the data that is kept to link them again.
pub(super) struct Calls<'f> {
    /// Sorted by caller.
    pub edges: Vec<CallEdge>,
    /// See [`crate::store::Manifest::unlinked`].
    pub unlinked: Vec<UnlinkedCalls>,
    /// See [`crate::store::Manifest::steps`].
    pub steps: BTreeMap<u16, u64>,
    pub mail: Mail<'f>,
    /// Sorted.
    pub hierarchy: Hierarchy,
}

/// Returns all calls between files of a directory with the name `root`. `records` has one record
/// for each file. If there is a previous generation, links only the files that the changes since
/// then affect (see [`relink`]).
pub(super) fn calls<'f>(
    previous: Option<&'f PreviousGeneration<'_>>,
    root: &str,
    records: &[FileRecord],
    files: &GraphTables,
    registry: &Registry,
) -> Calls<'f> {
    let linking = Linking { root, records, files, registry };
    let previous = previous.filter(|previous| !previous.generation.manifest.is_partial);
    previous.and_then(|previous| linking.relink(previous)).unwrap_or_else(|| linking.link())
}

/// Returns the declarations that may document definitions, see [`whichfn_graph::declared`].
pub(super) fn declarations(
    records: &[FileRecord],
    files: &GraphTables,
    registry: &Registry,
) -> Vec<(DefinitionId, DefinitionId)> {
    let linking = Linking { root: "", records, files, registry };
    let together = registry.linked_together();
    let group = |language: LangId| together.of(language);
    // Few languages have declarations, and the facts of the others need not be unpacked.
    let with_declarations = (0..records.len()).filter(|&file| files.has_declarations(file));
    let languages: BTreeSet<_> =
        with_declarations.filter_map(|file| linking.language(&records[file])).map(group).collect();
    declared(&linking.sources(|language| languages.contains(&group(language))), registry)
}

/// Inputs of linking.
struct Linking<'a> {
    /// Name of the repository's directory.
    root: &'a str,
    records: &'a [FileRecord],
    files: &'a GraphTables,
    registry: &'a Registry,
}

impl<'a> Linking<'a> {
    /// Returns the language that a file is linked as: its own, or the one whose import paths it
    /// declares; `None` for plain text, which has no calls.
    fn language(&self, record: &FileRecord) -> Option<LangId> {
        record.language.map(LangId).or_else(|| self.registry.manifest_language(file_name(&record.path)))
    }

    /// Returns all files; they have facts if `wanted` returns true for their language.
    fn sources(&self, wanted: impl Fn(LangId) -> bool) -> Vec<Source<'a>> {
        let source = |(number, (record, definitions)): (usize, (&'a FileRecord, usize))| {
            let language = self.language(record);
            let facts = language.is_some_and(&wanted).then(|| self.files.facts(number));
            Source { path: &record.path, language, facts, definitions: definitions as u32 }
        };
        self.records.iter().zip(self.files.links.definitions()).enumerate().map(source).collect()
    }

    /// Returns the files of the previous generation. Only files that were removed, or whose facts
    /// for linking changed, have facts.
    fn previous_sources<'p>(&self, previous: &'p PreviousGeneration<'_>) -> Vec<Source<'p>> {
        let source = |(number, record): (usize, &'p FileRecord)| {
            let language = self.language(record);
            let now = self.records.binary_search_by(|other| other.path.cmp(&record.path)).ok();
            let now = now.map(|now| &self.records[now]).filter(|now| self.language(now) == language);
            let is_changed = now.is_none_or(|now| now.link != record.link);
            let facts = (language.is_some() && is_changed).then(|| previous.facts(number));
            let definitions = previous.generation.graph.definitions_of(FileId::new(number)).len() as u32;
            Source { path: &record.path, language, facts, definitions }
        };
        previous.generation.manifest.files.iter().enumerate().map(source).collect()
    }

    /// Returns a function that checks whether the files of a language may need linking: the
    /// language is linked together with that of a changed file, or files were added or removed.
    fn changed_languages(&self, old_sources: &[Source<'_>]) -> impl Fn(LangId) -> bool {
        let together = self.registry.linked_together();
        let group = move |language: LangId| together.of(language);
        let is_same =
            |(new, old): (&FileRecord, &Source<'_>)| new.path == old.path && self.language(new) == old.language;
        let keeps_files = self.records.len() == old_sources.len() && self.records.iter().zip(old_sources).all(is_same);
        let changed = old_sources.iter().filter(|source| source.facts.is_some()).filter_map(|source| source.language);
        let changed: BTreeSet<_> = changed.map(&group).collect();
        move |language| !keeps_files || changed.contains(&group(language))
    }

    /// Links all files.
    fn link<'f>(&self) -> Calls<'f> {
        let Linked { edges, left_out, steps, mail, hierarchy } =
            link(self.root, &self.sources(|_| true), self.registry);
        let (new_mail, mut mail) = (FxHashMap::from_iter(mail), Mail::default());
        for file in (0..self.records.len()).map(FileId::new) {
            mail.add(new_mail.get(&file).map_or(&[], Vec::as_slice));
        }
        Calls { edges, unlinked: self.unlinked(left_out), steps: by_number(steps), mail, hierarchy }
    }

    /// Links the files that the changes since the previous generation affect, and copies the calls
    /// of all other files. Returns `None` if they contradict each other.
    fn relink<'f>(&self, previous: &'f PreviousGeneration<'_>) -> Option<Calls<'f>> {
        let (graph, manifest) = (&previous.generation.graph, &previous.generation.manifest);
        let old_sources = self.previous_sources(previous);
        let sources = self.sources(self.changed_languages(&old_sources));
        let steps = manifest.steps.iter().map(|(&group, &count)| (LangId(group), count)).collect();
        let previous_mail = |file| graph.mail(file);
        let left_out = manifest.unlinked.iter().map(|one| (LangId(one.language), one.calls)).collect();
        let previous_link = PreviousLink {
            root: self.root,
            sources: &old_sources,
            mail: &previous_mail,
            steps: &steps,
            left_out: &left_out,
        };
        let mut relinked = relink(&previous_link, &sources, self.registry);
        let mut edges = std::mem::take(&mut relinked.edges);
        let mut hierarchy = std::mem::take(&mut relinked.hierarchy);
        let renumbered = self.renumbered(graph, &relinked.renumbering);
        self.copy_edges(previous, &relinked, &renumbered, &mut edges)?;
        copy_hierarchy(graph, &relinked, &renumbered, &mut hierarchy)?;
        edges.sort();
        hierarchy.sort();
        let mut mail = Mail::with_capacity_of(graph);
        match relinked.keeps_mail() {
            true => mail = Mail::from_graph(graph),
            false => sources.iter().enumerate().try_for_each(|(number, _)| {
                mail.add(&relinked.mail(FileId::new(number))?);
                Some(())
            })?,
        }
        let unlinked = self.unlinked(relinked.left_out);
        Some(Calls { edges, unlinked, steps: by_number(relinked.steps), mail, hierarchy })
    }

    /// Describes the languages whose linking reached its step limit.
    fn unlinked(&self, left_out: BTreeMap<LangId, u32>) -> Vec<UnlinkedCalls> {
        let together = self.registry.linked_together();
        let described = |(language, calls): (LangId, u32)| UnlinkedCalls {
            language: language.0,
            title: self.registry.head(language).map_or_else(String::new, |head| head.title()),
            group: together.of(language).0,
            calls,
        };
        left_out.into_iter().map(described).collect()
    }

    /// Copies the calls of the files that were not linked again. Definitions get new numbers, and
    /// call sites in changed files get new positions. Returns `None` if a called definition was
    /// deleted.
    fn copy_edges(
        &self,
        previous: &PreviousGeneration<'_>,
        relinked: &Relinked<'_>,
        renumbered: &[Option<DefinitionId>],
        edges: &mut Vec<CallEdge>,
    ) -> Option<()> {
        let graph = &previous.generation.graph;
        let new_id = |id: DefinitionId| *renumbered.get(id.index()).unwrap_or_else(|| graph.reject());
        for old in graph.file_ids() {
            let new = relinked.renumbering.file(old).filter(|new| !relinked.files.contains(new));
            let Some(new) = new.map(FileId::index) else { continue };
            let new_sites = match self.files.is_parsed(new) && self.language(&self.records[new]).is_some() {
                true => call_sites_by_node(previous.facts(old.index()), self.files.facts(new)),
                false => FxHashMap::default(),
            };
            for caller in graph.definitions_of(old) {
                for call in graph.calls(caller) {
                    let site = new_sites.get(&call.site).copied().unwrap_or(call.place());
                    let (caller, callee) = (new_id(caller)?, new_id(call.callee)?);
                    edges.push(CallEdge { caller, callee, site, reason: call.reason() });
                }
            }
        }
        Some(())
    }

    /// Returns the new numbers of the definitions of the previous generation, indexed by their old
    /// numbers; `None` for removed definitions. Raises if the previous generation counts the
    /// definitions of an unchanged file differently.
    fn renumbered(&self, graph: &GraphFile, renumbering: &Renumbering) -> Vec<Option<DefinitionId>> {
        let (mut renumbered, mut starts) = (Vec::with_capacity(graph.definition_count()), vec![0]);
        for definitions in self.files.links.definitions() {
            starts.push(starts[starts.len() - 1] + definitions);
        }
        for old in graph.file_ids() {
            let (count, new) = (graph.definitions_of(old).len(), renumbering.file(old).map(FileId::index));
            let definitions = new.map_or(0..0, |new| starts[new]..starts[new + 1]);
            if new.is_some_and(|new| !self.files.is_parsed(new) && definitions.len() != count) {
                graph.reject();
            }
            renumbered.extend((0..count).map(|local| {
                let local = renumbering.definition(old, LocalId::new(local))?;
                Some(definitions.start + local.index()).filter(|id| definitions.contains(id)).map(DefinitionId::new)
            }));
        }
        renumbered
    }
}

/// Copies the bases and owners that the files declare which were not linked again. Returns `None`
/// if a definition was deleted.
fn copy_hierarchy(
    graph: &GraphFile,
    relinked: &Relinked<'_>,
    renumbered: &[Option<DefinitionId>],
    hierarchy: &mut Hierarchy,
) -> Option<()> {
    let is_kept = |file: FileId| relinked.renumbering.file(file).is_some_and(|new| !relinked.files.contains(&new));
    let new_id = |id: DefinitionId| *renumbered.get(id.index()).unwrap_or_else(|| graph.reject());
    let copied =
        |[id, other]: [DefinitionId; 2]| is_kept(graph.file_around(id)).then(|| Some((new_id(id)?, new_id(other)?)));
    let [bases, owners] = graph.hierarchy();
    let copied =
        |pairs: &[[DefinitionId; 2]]| pairs.iter().filter_map(|&pair| copied(pair)).collect::<Option<Vec<_>>>();
    hierarchy.add(Hierarchy { bases: copied(bases)?, owners: copied(owners)? });
    Some(())
}

fn by_number(steps: BTreeMap<LangId, u64>) -> BTreeMap<u16, u64> {
    steps.into_iter().map(|(group, count)| (group.0, count)).collect()
}

/// Returns the positions of call sites after a change, by their previous syntax nodes: the sites
/// still exist, in the same order.
fn call_sites_by_node(old: FileFacts<'_>, new: FileFacts<'_>) -> FxHashMap<u32, CallPlace> {
    // The first of several call sites at one node counts.
    old.places().iter().map(|place| place.node).zip(new.places().iter().copied()).rev().collect()
}
