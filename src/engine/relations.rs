//! Answers questions about the graph, such as "who calls NAME", with the operations of the graph
//! commands.

use super::Engine;
use rustc_hash::FxHashSet;
use whichfn_search::answer::{
    AskedRelation, CallDirection, CallLimits, Named, RelationQuestion, Resolved, ResolvedName, TypeBranch,
    TypeDirection,
};
use whichfn_search::relation::Fragments;
use whichfn_search::search::{Adjustment, AdjustmentKind, Confidence, Hit};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;

/// Maximum number of definitions that a name of a question may refer to. A name of more definitions
/// is a common word.
const MAX_NAMED: usize = 8;
/// Probability that the graph's first answer is right.
const RIGHT: f32 = 0.95;

impl Engine {
    /// Returns the relation that a question about the graph asks for, and its answer, which is
    /// empty if the graph contains none. Returns `None` if the question has another form, or if its
    /// name is unknown or too common.
    ///
    /// # Errors
    /// Returns an error if a language's data is invalid.
    pub(super) fn related_hits(&self, text: &str, max: usize) -> Result<Option<(AskedRelation, Vec<Hit>)>> {
        let Some(asked) = RelationQuestion::read(text) else { return Ok(None) };
        let mut definitions = match self.resolve(&asked.name) {
            Resolved::One(id) => vec![id],
            Resolved::Many(all) => all,
            Resolved::Corrected(_) | Resolved::None { .. } => Vec::new(),
        };
        if matches!(asked.relation, AskedRelation::Implementations | AskedRelation::Bases)
            && definitions.iter().any(|&id| self.is_type(id))
        {
            definitions.retain(|&id| self.is_type(id));
        }
        let is_known = !definitions.is_empty() || asked.relation == AskedRelation::Uses;
        if !is_known || definitions.len() > MAX_NAMED || definitions.len() > 1 && !asked.is_code_name() {
            return Ok(None);
        }
        let mut found = match asked.relation {
            AskedRelation::Uses => self.around_uses(&asked.name, &definitions, max)?,
            relation => definitions.iter().flat_map(|&id| self.related(relation, id, max)).collect(),
        };
        let mut seen = FxHashSet::default();
        found.retain(|&id| seen.insert(id));
        found.truncate(max);
        let is_found = !found.is_empty() || !definitions.is_empty();
        Ok(is_found.then(|| (asked.relation, self.hits_of(&found))))
    }

    fn related(&self, relation: AskedRelation, id: DefinitionId, max: usize) -> Vec<DefinitionId> {
        let limits = CallLimits { depth: 1, max };
        let calls = |direction| {
            let tree = self.calls(id, direction, limits);
            tree.branches.iter().map(|branch| branch.location.definition).collect()
        };
        let types = |direction| flattened(&self.implementations(id, direction, max).branches);
        match relation {
            AskedRelation::Callers | AskedRelation::Uses => calls(CallDirection::Callers),
            AskedRelation::Callees => calls(CallDirection::Callees),
            AskedRelation::Implementations => types(TypeDirection::Down),
            AskedRelation::Bases => types(TypeDirection::Up),
            AskedRelation::Tests => {
                self.tests(&self.parts(&[id]), max).tests.iter().map(|test| test.location.definition).collect()
            }
        }
    }

    /// Returns the definitions around the uses of a definition or value.
    fn around_uses(&self, name: &str, definitions: &[DefinitionId], max: usize) -> Result<Vec<DefinitionId>> {
        let mut named: Vec<Named> = definitions.iter().map(|&id| Named::Definition(id)).collect();
        if named.is_empty() {
            named = match self.resolve_named(name) {
                ResolvedName::One(one) => vec![one],
                ResolvedName::Many(all) if all.len() <= MAX_NAMED => all,
                _ => Vec::new(),
            };
        }
        let (graph, sources, mut users) = (&self.generation.graph, self.sources(), Vec::new());
        for one in named {
            for place in self.references(one, max)?.uses {
                let around = sources.indexed(&place.path).map(|file| Fragments::definition_at(graph, file, place.line));
                users.extend(around);
            }
        }
        Ok(users)
    }

    /// Returns hits in the given order. The first has a high confidence.
    fn hits_of(&self, definitions: &[DefinitionId]) -> Vec<Hit> {
        let hit = |(number, &id): (usize, &DefinitionId)| {
            let score = (definitions.len() - number) as f32;
            let adjustments = vec![Adjustment { kind: AdjustmentKind::Graph, change: score }];
            Hit { adjustments, ..Hit::new(id, self.generation.graph.file_around(id), score, 0.0) }
        };
        let mut hits: Vec<Hit> = definitions.iter().enumerate().map(hit).collect();
        hits.iter_mut().take(1).for_each(|hit| hit.confidence = Some(Confidence { right: RIGHT, fits: 1.0 }));
        hits
    }
}

/// Returns the definitions of a tree, level by level.
fn flattened(branches: &[TypeBranch]) -> Vec<DefinitionId> {
    let (mut level, mut out): (Vec<&TypeBranch>, _) = (branches.iter().collect(), Vec::new());
    while !level.is_empty() {
        out.extend(level.iter().map(|branch| branch.location.definition));
        level = level.iter().flat_map(|branch| &branch.branches).collect();
    }
    out
}
