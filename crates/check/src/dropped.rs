//! Types that no longer have a base, and calls of members that they inherited from it.

use super::before::State;
use super::finding::{Finding, FindingLocation, Rule};
use super::lost_calls::LostCalls;
use super::references::States;
use super::sides::Sides;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use whichfn_graph::{CallEdge, CallReason, NameTarget};
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::parse::Definition;
use whichfn_system::error::Result;

/// A type whose bases the change may have reduced.
pub(super) struct RebasedType {
    /// Index of the changed file in [`Sides::files`].
    pub changed: usize,
    old: LocalId,
    new: LocalId,
}

/// Returns the types whose header or number of bases changed.
pub(super) fn rebased_types(sides: &Sides<'_>) -> Vec<RebasedType> {
    let mut found = Vec::new();
    for (changed, file) in sides.files.iter().enumerate() {
        let (Some(old), Some(new)) = (&file.old, &file.new) else { continue };
        let is_type = |(_, one): &(LocalId, &Definition)| one.kind.has_members() && !one.bases.is_empty();
        for (old_id, was) in old.facts.definitions.enumerate().filter(is_type) {
            let same =
                |(_, one): &(LocalId, &Definition)| (one.kind, &one.qualified_name) == (was.kind, &was.qualified_name);
            let mut same = new.facts.definitions.enumerate().filter(same);
            if let (Some((new_id, is)), None) = (same.next(), same.next())
                && (was.signature != is.signature || was.bases.len() > is.bases.len())
            {
                found.push(RebasedType { changed, old: old_id, new: new_id });
            }
        }
    }
    found
}

/// A type, and a base that it no longer has.
struct Dropped {
    id: DefinitionId,
    base: String,
    /// Bases that the type has after the change.
    kept: Vec<DefinitionId>,
    /// True if a base outside the repository may have the members.
    is_open: bool,
}

/// The bases that types no longer have.
#[derive(Default)]
pub(super) struct DroppedBases {
    all: Vec<Dropped>,
    /// Index in `all` of the type that lost a base, by the base.
    by_base: FxHashMap<DefinitionId, usize>,
}

impl DroppedBases {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Compares the bases of types in the two states of a group of languages.
    pub fn add(&mut self, sides: &Sides<'_>, states: &States<'_, '_>, types: &[RebasedType]) {
        let before = states.before;
        for one in types {
            let changed = Some(one.changed);
            let old_file = before.changed.enumerate().find(|&(_, at)| *at == changed).map(|(file, _)| file);
            let (Some(old_file), Some(file)) = (old_file, sides.files[one.changed].file) else { continue };
            let kept: Vec<(FileId, String)> = states
                .new
                .bases(file, one.new)
                .into_iter()
                .map(|(file, id)| (file, now_named(sides, file, id)))
                .collect();
            let is_open = states.new.has_outside_base(NameTarget::Definition(file, one.new));
            for (base_file, base) in states.old.bases(old_file, one.old) {
                // A base that is gone is a removed name.
                let Some((now, local)) = now_of(sides, before, (base_file, base)) else { continue };
                let name = now_named(sides, now, local);
                if !kept.iter().any(|(file, other)| *file == now && *other == name) {
                    self.by_base.insert(sides.definition(now, local), self.all.len());
                    let kept = states.new.bases(file, one.new).into_iter().map(|(file, id)| sides.definition(file, id));
                    let (id, kept) = (sides.definition(file, one.new), kept.collect());
                    self.all.push(Dropped { id, base: name, kept, is_open });
                }
            }
        }
    }

    /// Returns a finding for each dropped base with members that unmodified code still calls.
    ///
    /// # Errors
    /// Returns an error if a language's data files are invalid.
    pub fn findings(&self, calls: &mut LostCalls<'_, '_, '_>, edges: &[CallEdge]) -> Result<Vec<Finding>> {
        let (sides, local) = (calls.sides, calls.before.locals());
        let mut found: BTreeMap<usize, Vec<FindingLocation>> = BTreeMap::new();
        for edge in edges.iter().filter(|edge| !self.is_empty() && edge.reason != CallReason::Name) {
            let (file, callee) = local(edge.callee);
            let Some((now, callee)) = now_of(sides, calls.before, (file, callee)) else { continue };
            let callee = sides.definition(now, callee);
            let Some(&at) = self.by_base.get(&sides.graph.definition(callee).parent) else { continue };
            let name = sides.graph.name(callee);
            let parent = |id: DefinitionId| sides.graph.definition(id).parent;
            if sides.graph.named(name).into_iter().any(|id| self.all[at].kept.contains(&parent(id))) {
                continue;
            }
            if let Some((file, call)) = calls.remaining(edge, name)? {
                let path = sides.graph.path(file).to_owned();
                let note = format!("calls {name}, which it inherited");
                found.entry(at).or_default().push(FindingLocation { path, line: call.line, name: call.around, note });
            }
        }
        Ok(found.into_iter().map(|(at, related)| self.finding(sides, &self.all[at], related)).collect())
    }

    fn finding(&self, sides: &Sides<'_>, dropped: &Dropped, mut related: Vec<FindingLocation>) -> Finding {
        related.sort();
        related.dedup();
        let calls = match related.len() {
            1 => "1 unmodified call remains".to_owned(),
            count => format!("{count} unmodified calls remain"),
        };
        let name = sides.graph.qualified_name(dropped.id);
        let message = format!("{name} no longer has the base {}; {calls}", dropped.base);
        let location = sides.location(dropped.id, "");
        Finding { rule: Rule::Callers, location, message, related, is_guess: dropped.is_open }
    }
}

/// Returns a definition before the change as it is after the change, if it still exists.
fn now_of(sides: &Sides<'_>, before: &State<'_>, (file, local): (FileId, LocalId)) -> Option<(FileId, LocalId)> {
    let now = before.now[file]?;
    let Some(changed) = before.changed[file].map(|at| &sides.files[at]) else { return Some((now, local)) };
    let (old, new) = (changed.old.as_ref()?, changed.new.as_ref()?);
    let was = &old.facts.definitions[local];
    let is_same =
        |(_, one): &(LocalId, &Definition)| (one.kind, &one.qualified_name) == (was.kind, &was.qualified_name);
    let (id, _) = new.facts.definitions.enumerate().find(is_same)?;
    Some((now, id))
}

fn now_named(sides: &Sides<'_>, file: FileId, local: LocalId) -> String {
    sides.graph.qualified_name(sides.definition(file, local)).to_owned()
}
