//! The calls of a new generation: resolved anew, or those of the former one where no change can have touched them.

use super::files::{FactsSource, Former, neither_old_nor_new};
use crate::error::Result;
use crate::graph::{CallEdge, Linked, Source, link};
use crate::ids::{DefinitionId, FileId};
use crate::lang::{LangId, Registry};
use crate::parse::Facts;
use crate::store::{CallRow, FileRecord};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// All calls between files, in order of caller; `records` and `sources` are by file. While the files are the same, only
/// languages in whose files linking sees a change are linked, with those that are linked together with them: no call leads
/// elsewhere.
pub(super) fn calls(
    former: Option<&Former<'_>>,
    records: &[FileRecord],
    sources: &[FactsSource<'_>],
    registry: &Registry,
) -> Result<Linked> {
    let linking = Linking { former, records, sources, registry, together: registry.linked_together() };
    let Some(former) = former.filter(|former| may_carry(former, records)) else {
        return linking.resolved(|_| true);
    };
    let old = &former.generation.manifest.files;
    let changed = records.iter().zip(old).filter(|(new, old)| new.link != old.link);
    let changed: BTreeSet<LangId> = changed.filter_map(|(record, _)| linking.group(record)).collect();
    let mut linked = match changed.is_empty() {
        true => Linked::default(),
        false => linking.resolved(|group| changed.contains(&group))?,
    };
    linked.edges.extend(linking.carried(former, |group| !changed.contains(&group))?);
    linked.edges.sort_unstable();
    Ok(linked)
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
    former: Option<&'a Former<'a>>,
    records: &'a [FileRecord],
    sources: &'a [FactsSource<'a>],
    registry: &'a Registry,
    /// See [`Registry::linked_together`].
    together: Vec<LangId>,
}

impl Linking<'_> {
    /// The first language that a file's language is linked with; none for plain text, which has no calls.
    fn group(&self, record: &FileRecord) -> Option<LangId> {
        record.language.and_then(|language| self.together.get(usize::from(language)).copied())
    }

    /// The calls of some groups of languages, resolved anew.
    fn resolved(&self, wanted: impl Fn(LangId) -> bool + Sync) -> Result<Linked> {
        let decoded = |(record, source): (&FileRecord, &FactsSource<'_>)| match source {
            FactsSource::Former(number) if self.group(record).is_some_and(&wanted) => {
                Ok(Some(self.former.ok_or_else(neither_old_nor_new)?.facts(*number)))
            }
            _ => Ok(None),
        };
        let decoded: Vec<Option<Facts>> =
            self.records.par_iter().zip(self.sources).map(decoded).collect::<Result<_>>()?;
        let mut files = Vec::with_capacity(self.records.len());
        for ((record, source), decoded) in self.records.iter().zip(self.sources).zip(&decoded) {
            let facts = match source {
                FactsSource::Parsed(parsed) if self.group(record).is_some_and(&wanted) => Some(&parsed.facts),
                _ => decoded.as_ref(),
            };
            let (path, language) = (record.path.as_str(), record.language.map(LangId));
            files.push(Source { path, language, facts, definitions: self.definitions(source) });
        }
        tracing::debug!("facts ready");
        Ok(link(&files, self.registry))
    }

    /// How many definitions a file has.
    fn definitions(&self, source: &FactsSource<'_>) -> u32 {
        match (source, self.former) {
            (FactsSource::Former(number), Some(former)) => {
                former.generation.graph.definitions_of(FileId::new(*number)).len() as u32
            }
            (FactsSource::Parsed(parsed), _) => parsed.facts.definitions.len() as u32,
            (FactsSource::Former(_), None) => 0,
        }
    }

    /// The calls of some groups of languages, as they were in the former generation of the same files. Definitions are numbered anew,
    /// and the places of call sites in changed files move.
    fn carried(&self, former: &Former<'_>, wanted: impl Fn(LangId) -> bool) -> Result<Vec<CallEdge>> {
        let graph = &former.generation.graph;
        // The first definition of each file, in the former generation and in the new one.
        let (mut starts, mut first) = (Vec::with_capacity(self.sources.len()), 0);
        for (number, source) in self.sources.iter().enumerate() {
            let old = graph.definitions_of(FileId::new(number)).next().map_or(first, |id| id.0);
            starts.push((old, first));
            first += self.definitions(source);
        }
        let renumbered = |id: DefinitionId| {
            let after = starts.partition_point(|&(old, _)| old <= id.0);
            let (old, new) = starts[after.saturating_sub(1)];
            DefinitionId(new + id.0 - old)
        };
        let mut edges = Vec::new();
        let files = self.records.iter().zip(self.sources).enumerate();
        for (number, (_, source)) in files.filter(|(_, (record, _))| self.group(record).is_some_and(&wanted)) {
            let moved = match source {
                FactsSource::Parsed(parsed) => Some((former.facts(number), &parsed.facts)),
                FactsSource::Former(_) => None,
            };
            for caller in graph.definitions_of(FileId::new(number)) {
                for call in graph.calls(caller) {
                    let moved = moved.as_ref().and_then(|(old, new)| moved_site(call, old, new));
                    let (site, line) = moved.unwrap_or((call.site, call.line));
                    let (caller, callee) = (renumbered(caller), renumbered(call.callee));
                    edges.push(CallEdge { caller, callee, site, line, reason: call.reason() });
                }
            }
        }
        Ok(edges)
    }
}

/// Syntax node and line of a call site after a change: call sites are still there, in the same order.
fn moved_site(call: &CallRow, old: &Facts, new: &Facts) -> Option<(u32, u32)> {
    let at = old.flow.calls.iter().position(|site| site.node == call.site)?;
    new.flow.calls.as_slice().get(at).map(|site| (site.node, site.line))
}
