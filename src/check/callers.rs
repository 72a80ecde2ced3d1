//! `callers`: the parameters of a function changed, and calls that the change left as they were no longer fit.
//!
//! Price: the files of callers are parsed once more, those of changed heads alone

use super::finding::{Finding, FoundPlace, Rule};
use super::fit::{Arguments, misfit};
use super::head::ParameterList;
use super::sides::{ChangedFile, ParsedSide, Sides};
use crate::error::Result;
use crate::ids::{DefinitionId, FileId};
use crate::parse::{Call, Parser};
use crate::store::CallRow;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The parameters of a function before and after.
struct ParametersChange {
    old: ParameterList,
    new: ParameterList,
}

/// Calls that no longer fit, by the function whose head changed.
///
/// # Errors
/// When a language's own data is wrong.
pub(super) fn callers(sides: &Sides<'_>) -> Result<Vec<Finding>> {
    let changes: BTreeMap<DefinitionId, ParametersChange> =
        sides.files.iter().flat_map(|file| head_changes(sides, file)).collect();
    let mut reader = CallReader { sides, parser: Parser::default(), read: FxHashMap::default() };
    let mut found = Vec::new();
    for (&id, change) in &changes {
        let related = reader.misfits(id, change, &changes)?;
        if related.is_empty() {
            continue;
        }
        let name = sides.graph.qualified_name(id);
        let calls = if related.len() == 1 {
            "1 call that was not changed no longer fits"
        } else {
            "calls that were not changed no longer fit"
        };
        let count = if related.len() == 1 { String::new() } else { format!("{} ", related.len()) };
        let message = format!("{name} took {} and takes {}; {count}{calls}", change.old.shown(), change.new.shown());
        found.push(Finding { rule: Rule::Callers, place: sides.place(id, ""), message, related });
    }
    Ok(found)
}

fn head_changes(sides: &Sides<'_>, changed: &ChangedFile<'_>) -> Vec<(DefinitionId, ParametersChange)> {
    let (Some(file), Some(old), Some(new)) = (changed.file, &changed.old, &changed.new) else { return Vec::new() };
    let before = old.functions();
    let change = |(name, (local, now)): (&str, (_, _))| {
        let (_, was) = before.get(name)?;
        let (old, new) = (old.head(was)?, new.head(now)?);
        (old != new).then(|| (sides.definition(file, local), ParametersChange { old, new }))
    };
    new.functions().into_iter().filter_map(change).collect()
}

/// Reads calls: those of changed files are parsed already.
struct CallReader<'s, 'a> {
    sides: &'s Sides<'a>,
    parser: Parser,
    /// Files parsed for this; none where that failed.
    read: FxHashMap<FileId, Option<ParsedSide<'a>>>,
}

impl CallReader<'_, '_> {
    fn misfits(
        &mut self,
        id: DefinitionId,
        change: &ParametersChange,
        changes: &BTreeMap<DefinitionId, ParametersChange>,
    ) -> Result<Vec<FoundPlace>> {
        let graph = self.sides.graph;
        let mut found = Vec::new();
        for &caller in graph.callers(id) {
            let calls = graph.calls(caller);
            for row in calls.iter().filter(|row| row.callee == id) {
                // A call that may reach another function of this name too, which did not change, may be meant for that.
                let mut others = calls.iter().filter(|other| other.site == row.site && other.callee != id);
                if others.any(|o| graph.name(o.callee) == graph.name(id) && !changes.contains_key(&o.callee)) {
                    continue;
                }
                if let Some(note) = self.misfit(caller, row, change)? {
                    found.push(FoundPlace { line: row.line, ..self.sides.place(caller, &note) });
                }
            }
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    fn misfit(&mut self, caller: DefinitionId, row: &CallRow, change: &ParametersChange) -> Result<Option<String>> {
        let file = self.sides.graph.definition(caller).file;
        let changed = self.sides.changed(file);
        let side = match changed.and_then(|changed| changed.new.as_ref()) {
            Some(side) => side,
            None => match self.parsed(file)? {
                Some(side) => side,
                None => return Ok(None),
            },
        };
        let Some(call) = side.facts.flow.calls.iter().find(|call: &&Call| call.node == row.site) else {
            return Ok(None);
        };
        let text = side.node(call.node);
        let last = call.line + text.matches('\n').count() as u32;
        if changed.is_some_and(|changed| changed.touches((call.line, last))) {
            return Ok(None);
        }
        let arguments = Arguments::of(call, text, side.language);
        Ok(arguments.and_then(|arguments| misfit(&arguments, &change.old, &change.new)))
    }

    fn parsed(&mut self, file: FileId) -> Result<Option<&ParsedSide<'_>>> {
        if !self.read.contains_key(&file) {
            let text = self.sides.sources().text(file).to_string();
            let path = self.sides.graph.path(file);
            let side = ParsedSide::parse(self.sides.registry, &mut self.parser, path, text)?;
            self.read.insert(file, side);
        }
        Ok(self.read.get(&file).and_then(Option::as_ref))
    }
}
