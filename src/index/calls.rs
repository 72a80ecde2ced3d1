//! The calls of a new generation: resolved anew, or those of the former one where no change can have touched them.

use super::files::Former;
use super::tables::GraphTables;
use crate::graph::{CallEdge, CallPlace, FileFacts, Linked, Source, link};
use crate::ids::{DefinitionId, FileId};
use crate::lang::{LangId, Registry};
use crate::store::{FileRecord, GraphFile};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// All calls between files, in order of caller; `records` are by file. While the files are the same, only
/// languages in whose files linking sees a change are linked, with those that are linked together with them: no call leads
/// elsewhere.
pub(super) fn calls(
    former: Option<&Former<'_>>,
    records: &[FileRecord],
    files: &GraphTables,
    registry: &Registry,
) -> Linked {
    let linking = Linking { records, files, registry, together: registry.linked_together() };
    let Some(former) = former.filter(|former| may_carry(former, records)) else {
        return linking.resolved(|_| true);
    };
    let old = &former.generation.manifest.files;
    let changed = records.iter().zip(old).filter(|(new, old)| new.link != old.link);
    let changed: BTreeSet<LangId> = changed.filter_map(|(record, _)| linking.group(record)).collect();
    let mut linked = match changed.is_empty() {
        true => Linked::default(),
        false => linking.resolved(|group| changed.contains(&group)),
    };
    linked.edges.extend(linking.carried(former, |group| !changed.contains(&group)));
    linked.edges.sort();
    linked
}

/// Whether the files are the same, and all their calls were linked: then those of languages in whose files the
/// same things are there for linking to see lead where they led.
fn may_carry(former: &Former<'_>, records: &[FileRecord]) -> bool {
    let manifest = &former.generation.manifest;
    let same = |(new, old): (&FileRecord, &FileRecord)| new.path == old.path && new.language == old.language;
    manifest.calls_left_out == 0
        && records.len() == manifest.files.len()
        && records.iter().zip(&manifest.files).all(same)
}

/// What linking works on.
struct Linking<'a> {
    records: &'a [FileRecord],
    files: &'a GraphTables,
    registry: &'a Registry,
    /// See [`Registry::linked_together`].
    together: Vec<LangId>,
}

impl<'a> Linking<'a> {
    /// The first language that a file's language is linked with; none for plain text, which has no calls.
    fn group(&self, record: &FileRecord) -> Option<LangId> {
        record.language.and_then(|language| self.together.get(usize::from(language)).copied())
    }

    /// The calls of some groups of languages, resolved anew.
    fn resolved(&self, wanted: impl Fn(LangId) -> bool) -> Linked {
        let of = |(number, (record, definitions)): (usize, (&'a FileRecord, usize))| Source {
            path: &record.path,
            language: record.language.map(LangId),
            facts: self.group(record).is_some_and(&wanted).then(|| self.files.facts(number)),
            definitions: definitions as u32,
        };
        let files: Vec<Source<'_>> =
            self.records.iter().zip(self.files.links.definitions()).enumerate().map(of).collect();
        link(&files, self.registry)
    }

    /// The calls of some groups of languages, as they were in the former generation of the same files. Definitions are numbered anew,
    /// and the places of call sites in changed files move.
    fn carried(&self, former: &Former<'_>, wanted: impl Fn(LangId) -> bool) -> Vec<CallEdge> {
        let graph = &former.generation.graph;
        let renumbered = self.renumbered(graph);
        let mut edges = Vec::new();
        let files = self.records.iter().enumerate();
        for (number, _) in files.filter(|(_, record)| self.group(record).is_some_and(&wanted)) {
            let moved = match self.files.is_parsed(number) {
                true => moved_sites(former.facts(number), self.files.facts(number)),
                false => FxHashMap::default(),
            };
            for caller in graph.definitions_of(FileId::new(number)) {
                for call in graph.calls(caller) {
                    let site = moved.get(&call.site).copied().unwrap_or(call.place());
                    let (caller, callee) = (renumbered[caller.index()], renumbered[call.callee.index()]);
                    edges.push(CallEdge { caller, callee, site, reason: call.reason() });
                }
            }
        }
        edges
    }

    /// The new numbers of the definitions of a former generation of the same files, by their old ones.
    fn renumbered(&self, graph: &GraphFile) -> Vec<DefinitionId> {
        let (mut renumbered, mut first) = (Vec::with_capacity(graph.definition_count()), 0);
        for (number, definitions) in self.files.links.definitions().enumerate() {
            let old = graph.definitions_of(FileId::new(number)).len();
            renumbered.extend((0..old).map(|local| DefinitionId::new(first + local)));
            first += definitions;
        }
        renumbered
    }
}

/// Where call sites stand after a change, by their former syntax nodes: they are still there, in the same order.
fn moved_sites(old: FileFacts<'_>, new: FileFacts<'_>) -> FxHashMap<u32, CallPlace> {
    // Of call sites at one node the first counts.
    old.places().iter().map(|place| place.node).zip(new.places().iter().copied()).rev().collect()
}
