//! The calls of a new generation: resolved anew, or those of the former one where no change can have touched them.

use super::files::{FactsSource, Former, neither_old_nor_new};
use crate::error::Result;
use crate::graph::{CallEdge, Linked, Source, link};
use crate::ids::FileId;
use crate::lang::{LangId, Registry};
use crate::parse::Facts;
use crate::store::{CallRow, FileRecord};
use rayon::prelude::*;

/// All calls between files, in order of caller; `records` and `sources` are by file.
pub(super) fn calls(
    former: Option<&Former<'_>>,
    records: &[FileRecord],
    sources: &[FactsSource<'_>],
    registry: &Registry,
) -> Result<Linked> {
    match former {
        Some(former) if same_links(former, records) => carried(former, sources),
        _ => resolved(former, records, sources, registry),
    }
}

/// All calls, resolved anew.
fn resolved(
    former: Option<&Former<'_>>,
    records: &[FileRecord],
    sources: &[FactsSource<'_>],
    registry: &Registry,
) -> Result<Linked> {
    let decoded = |source: &FactsSource<'_>| match source {
        FactsSource::Parsed(_) => Ok(None),
        FactsSource::Former(number) => Ok(Some(former.ok_or_else(neither_old_nor_new)?.facts(*number))),
    };
    let decoded: Vec<Option<Facts>> = sources.par_iter().map(decoded).collect::<Result<_>>()?;
    let facts = sources.iter().zip(&decoded).filter_map(|(source, decoded)| match source {
        FactsSource::Parsed(parsed) => Some(&parsed.facts),
        FactsSource::Former(_) => decoded.as_ref(),
    });
    let files: Vec<Source<'_>> = records
        .iter()
        .zip(facts)
        .map(|(record, facts)| Source { path: &record.path, language: record.language.map(LangId), facts })
        .collect();
    tracing::debug!("facts ready");
    Ok(link(&files, registry))
}

/// Whether the files are the same, and in each changed one the same things are there for linking to see: then no call
/// leads elsewhere.
fn same_links(former: &Former<'_>, records: &[FileRecord]) -> bool {
    let old = &former.generation.manifest.files;
    let same = |(new, old): (&FileRecord, &FileRecord)| {
        new.path == old.path && new.link == old.link && new.language == old.language
    };
    records.len() == old.len() && records.iter().zip(old).all(same)
}

/// The calls of the former generation. Only the places of call sites in changed files move.
fn carried(former: &Former<'_>, sources: &[FactsSource<'_>]) -> Result<Linked> {
    let graph = &former.generation.graph;
    let mut edges = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let moved = match source {
            FactsSource::Parsed(parsed) => Some((former.facts(number), &parsed.facts)),
            FactsSource::Former(_) => None,
        };
        for caller in graph.definitions_of(FileId::new(number)) {
            for call in graph.calls(caller) {
                let moved = moved.as_ref().and_then(|(old, new)| moved_site(call, old, new));
                let (site, line) = moved.unwrap_or((call.site, call.line));
                edges.push(CallEdge { caller, callee: call.callee, site, line, reason: call.reason() });
            }
        }
    }
    edges.sort_unstable();
    Ok(Linked { edges, left_out: former.generation.manifest.calls_left_out, steps: 0 })
}

/// Syntax node and line of a call site after a change: call sites are still there, in the same order.
fn moved_site(call: &CallRow, old: &Facts, new: &Facts) -> Option<(u32, u32)> {
    let at = old.flow.calls.iter().position(|site| site.node == call.site)?;
    new.flow.calls.as_slice().get(at).map(|site| (site.node, site.line))
}
