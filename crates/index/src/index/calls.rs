//! The calls of a new generation: resolved from scratch, or copied from the previous one where no
//! change can have affected them.

use super::files::PreviousGeneration;
use super::tables::GraphTables;
use crate::store::{FileRecord, GraphFile, Mail};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use whichfn_graph::{
    Alignment, CallEdge, CallPlace, EditedFile, FileFacts, Linked, RelinkResult, Source, declared, link, relink,
};
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::{LangId, Registry};
use whichfn_text::file_name;

/// The calls of a generation, and the data that is kept to link them again.
pub(super) struct Calls<'f> {
    /// Sorted by caller.
    pub edges: Vec<CallEdge>,
    /// Number of call sites that linking omitted.
    pub left_out: u32,
    /// See [`crate::store::Manifest::steps`].
    pub steps: BTreeMap<u16, u64>,
    pub mail: Mail<'f>,
}

/// Returns all calls between files; `records` are by file.
///
/// While the set of files is the same, only languages with a file in which linking sees a change
/// are linked, along with the languages that are linked together with them: no call leads
/// elsewhere. Within these, only files that the change reaches are linked, if that can be
/// determined.
pub(super) fn calls<'f>(
    previous: Option<&'f PreviousGeneration<'_>>,
    records: &[FileRecord],
    files: &GraphTables,
    registry: &Registry,
) -> Calls<'f> {
    let linking = Linking { records, files, registry, together: registry.linked_together() };
    let Some(previous) = previous.filter(|previous| can_reuse_calls(previous, records)) else {
        let Linked { edges, left_out, steps, mail } = linking.link_from_scratch(|_| true);
        return Calls { edges, left_out, steps: steps_by_number(steps).collect(), mail: linking.mail(mail, |_| &[]) };
    };
    let edited = linking.edited(previous);
    let changed: BTreeSet<LangId> =
        edited.iter().filter_map(|edit| linking.group(&records[edit.file.index()])).collect();
    linking.reached(previous, &edited, &changed).unwrap_or_else(|| linking.relink_groups(previous, &changed))
}

/// Returns the declarations that may document definitions, see [`whichfn_graph::declared`].
pub(super) fn declarations(
    records: &[FileRecord],
    files: &GraphTables,
    registry: &Registry,
) -> Vec<(DefinitionId, DefinitionId)> {
    let linking = Linking { records, files, registry, together: registry.linked_together() };
    declared(&linking.sources(|_| true), registry)
}

/// Checks whether the files are the same and all their calls were linked. Calls of languages in
/// whose files linking sees the same facts then lead to the same definitions.
fn can_reuse_calls(previous: &PreviousGeneration<'_>, records: &[FileRecord]) -> bool {
    let manifest = &previous.generation.manifest;
    let same = |(new, old): (&FileRecord, &FileRecord)| new.path == old.path && new.language == old.language;
    manifest.calls_left_out == 0
        && records.len() == manifest.files.len()
        && records.iter().zip(&manifest.files).all(same)
}

/// Inputs of linking.
struct Linking<'a> {
    records: &'a [FileRecord],
    files: &'a GraphTables,
    registry: &'a Registry,
    /// See [`Registry::linked_together`].
    together: Vec<LangId>,
}

impl<'a> Linking<'a> {
    /// Returns the language that a file is linked as: its own, or the one whose import paths it
    /// declares.
    fn language(&self, record: &FileRecord) -> Option<LangId> {
        record.language.map(LangId).or_else(|| self.registry.manifest_language(file_name(&record.path)))
    }

    /// Returns the first language that a file's language is linked with; `None` for plain text,
    /// which has no calls.
    fn group(&self, record: &FileRecord) -> Option<LangId> {
        self.language(record).and_then(|language| self.together.get(usize::from(language.0)).copied())
    }

    /// Returns the files in which linking sees a change, compared with a previous generation of the
    /// same files.
    fn edited(&self, previous: &'a PreviousGeneration<'_>) -> Vec<EditedFile<'a>> {
        let pairs = self.records.iter().zip(&previous.generation.manifest.files).enumerate();
        let changed = pairs.filter(|(_, (new, old))| new.link != old.link);
        changed.map(|(number, _)| EditedFile { file: FileId::new(number), before: previous.facts(number) }).collect()
    }

    fn sources(&self, wanted: impl Fn(LangId) -> bool) -> Vec<Source<'a>> {
        let source = |(number, (record, definitions)): (usize, (&'a FileRecord, usize))| Source {
            path: &record.path,
            language: self.language(record),
            facts: self.group(record).is_some_and(&wanted).then(|| self.files.facts(number)),
            definitions: definitions as u32,
        };
        self.records.iter().zip(self.files.links.definitions()).enumerate().map(source).collect()
    }

    /// Resolves the calls of some groups of languages from scratch.
    fn link_from_scratch(&self, wanted: impl Fn(LangId) -> bool) -> Linked {
        link(&self.sources(wanted), self.registry)
    }

    /// Returns all calls after linking only what an edit reaches; `None` if that cannot be
    /// determined.
    fn reached<'f>(
        &self,
        previous: &'f PreviousGeneration<'_>,
        edited: &[EditedFile<'_>],
        changed: &BTreeSet<LangId>,
    ) -> Option<Calls<'f>> {
        let (graph, manifest) = (&previous.generation.graph, &previous.generation.manifest);
        let sources = self.sources(|group| changed.contains(&group));
        let before = |file| graph.mail(file);
        let steps = manifest.steps.iter().map(|(&group, &count)| (LangId(group), count)).collect();
        let RelinkResult { files, mut edges, mail, alignments, steps } = match changed.is_empty() {
            true => RelinkResult::default(),
            false => relink(&sources, self.registry, edited, &before, &steps)?,
        };
        let renumbered = self.renumbered(graph, &alignments);
        self.copy_edges(previous, |file| !files.contains(&file), &renumbered, &mut edges)?;
        edges.sort();
        let steps = manifest.steps.clone().into_iter().chain(steps_by_number(steps)).collect();
        let mail = if mail.is_empty() { Mail::from_graph(graph) } else { self.mail(mail, before) };
        Some(Calls { edges, left_out: 0, steps, mail })
    }

    /// Returns all calls after linking some groups of languages from scratch.
    fn relink_groups<'f>(&self, previous: &'f PreviousGeneration<'_>, changed: &BTreeSet<LangId>) -> Calls<'f> {
        let (graph, manifest) = (&previous.generation.graph, &previous.generation.manifest);
        let Linked { mut edges, left_out, steps, mail } = self.link_from_scratch(|group| changed.contains(&group));
        let is_unchanged =
            |file: FileId| self.group(&self.records[file.index()]).is_some_and(|group| !changed.contains(&group));
        let renumbered = self.renumbered(graph, &FxHashMap::default());
        // Calls lead to files of their own group, whose definitions have not changed.
        self.copy_edges(previous, is_unchanged, &renumbered, &mut edges).unwrap_or_else(|| graph.reject());
        edges.sort();
        let steps = manifest.steps.clone().into_iter().chain(steps_by_number(steps)).collect();
        let mail = self.mail(mail, |file| if is_unchanged(file) { graph.mail(file) } else { &[] });
        Calls { edges, left_out, steps, mail }
    }

    /// Returns the messages that each file received: the new ones, or the previous ones.
    fn mail<'m>(&self, new_mail: Vec<(FileId, Vec<u8>)>, before: impl Fn(FileId) -> &'m [u8]) -> Mail<'static> {
        let (new_mail, mut mail) = (FxHashMap::from_iter(new_mail), Mail::default());
        for file in (0..self.records.len()).map(FileId::new) {
            mail.add(new_mail.get(&file).map_or_else(|| before(file), Vec::as_slice));
        }
        mail
    }

    /// Copies the calls of some files from the previous generation of the same files. Definitions
    /// get new numbers, and call sites in changed files get new positions. Returns `None` if a
    /// called definition was deleted.
    fn copy_edges(
        &self,
        previous: &PreviousGeneration<'_>,
        wanted: impl Fn(FileId) -> bool,
        renumbered: &[Option<DefinitionId>],
        edges: &mut Vec<CallEdge>,
    ) -> Option<()> {
        let graph = &previous.generation.graph;
        let new_id = |id: DefinitionId| *renumbered.get(id.index()).unwrap_or_else(|| graph.reject());
        for file in (0..self.records.len()).map(FileId::new).filter(|&file| wanted(file)) {
            let number = file.index();
            let new_sites = match self.files.is_parsed(number) && self.group(&self.records[number]).is_some() {
                true => call_sites_by_node(previous.facts(number), self.files.facts(number)),
                false => FxHashMap::default(),
            };
            for caller in graph.definitions_of(file) {
                for call in graph.calls(caller) {
                    let site = new_sites.get(&call.site).copied().unwrap_or(call.place());
                    let (caller, callee) = (new_id(caller)?, new_id(call.callee)?);
                    edges.push(CallEdge { caller, callee, site, reason: call.reason() });
                }
            }
        }
        Some(())
    }

    /// Returns the new numbers of the definitions of the previous generation of the same files,
    /// indexed by their old numbers; `None` for removed definitions. Raises if the previous
    /// generation counts the definitions of an unchanged file differently.
    fn renumbered(&self, graph: &GraphFile, alignments: &FxHashMap<FileId, Alignment>) -> Vec<Option<DefinitionId>> {
        let (mut renumbered, mut first) = (Vec::with_capacity(graph.definition_count()), 0);
        for (number, definitions) in self.files.links.definitions().enumerate() {
            let file = FileId::new(number);
            let alignment = alignments.get(&file);
            if !self.files.is_parsed(number) && graph.definitions_of(file).len() != definitions {
                graph.reject();
            }
            renumbered.extend((0..graph.definitions_of(file).len()).map(LocalId::new).map(|old| {
                let new = alignment.map_or(Some(old), |alignment| alignment.definition(old));
                let new = new.filter(|new| new.index() < definitions);
                new.map(|new| DefinitionId::new(first + new.index()))
            }));
            first += definitions;
        }
        renumbered
    }
}

fn steps_by_number(steps: BTreeMap<LangId, u64>) -> impl Iterator<Item = (u16, u64)> {
    steps.into_iter().map(|(group, count)| (group.0, count))
}

/// Returns the positions of call sites after a change, by their previous syntax nodes: the sites
/// still exist, in the same order.
fn call_sites_by_node(old: FileFacts<'_>, new: FileFacts<'_>) -> FxHashMap<u32, CallPlace> {
    // The first of several call sites at one node counts.
    old.places().iter().map(|place| place.node).zip(new.places().iter().copied()).rev().collect()
}
