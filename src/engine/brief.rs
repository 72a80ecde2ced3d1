//! An answer for a reader who chooses: more candidates than a person looks at, each with the lines that decide.

use super::Engine;
use super::plan::{Answered, Plan};
use crate::answer::{
    Answer, CallBranch, CallTree, DefinitionLocation, Resolved, SearchResult, WantedStems, location, short_id,
    with_short_id,
};
use crate::error::Result;
use crate::ids::DefinitionId;
use crate::lookup::{FunctionReader, deciding_lines};
use crate::search::{KindFilter, Query};
use crate::store::GraphFile;
use crate::text::plain;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Lines of code for each candidate, at most.
const LINES: usize = 3;
/// Results behind the candidates that are named, at most: of everyday questions 24 in 100 have their answer first, 58 among
/// the first 12 and 84 among the first 100 (`benches/records/2026-11-22-choosing.md`).
const NAMED: usize = 120;
/// Results looked at for candidates, and then told with what they do: helpers and overloads are folded under others.
const DESCRIBED: usize = 30;

/// An answer, and its candidates.
#[derive(Debug, Clone)]
pub struct Brief {
    /// The answer; its results are the candidates'.
    pub answer: Answer,
    /// The candidates, the best first.
    pub candidates: Vec<BriefCandidate>,
    /// What was ranked behind them, the best first.
    pub behind: Vec<BriefNamed>,
}

/// A function behind the candidates.
#[derive(Debug, Clone)]
pub struct BriefNamed {
    /// Where it is.
    pub location: DefinitionLocation,
    /// What it does: its documentation, else the line that decides; empty but for the first behind the candidates.
    pub does: String,
}

/// One candidate.
#[derive(Debug, Clone)]
pub struct BriefCandidate {
    /// Its short id.
    pub id: String,
    /// What was found.
    pub found: SearchResult,
    /// The lines that decide, those that decide most first, each with its number from 1, trimmed.
    pub code: Vec<(u32, String)>,
    /// Functions inside it that were found too.
    pub inner: Vec<Neighbour>,
    /// Functions of its name in the same type or file that were found too.
    pub overloads: Vec<Neighbour>,
}

/// A definition named beside another.
#[derive(Debug, Clone)]
pub struct Neighbour {
    /// Its short id.
    pub id: String,
    /// Where it is.
    pub location: DefinitionLocation,
    /// Where the call stands, from 1; for a relation that is no call the line of its name.
    pub line: u32,
    /// Why it is named: the line of the call, or the relation in words; empty for neither.
    pub why: String,
}

/// Definitions beside another.
#[derive(Debug, Clone)]
pub struct NamedNeighbours {
    /// How many there are.
    pub all: usize,
    /// The first of them.
    pub named: Vec<Neighbour>,
}

/// A function and what is around it in the graph.
#[derive(Debug, Clone)]
pub struct FunctionContext {
    /// Its short id.
    pub id: String,
    /// Where it is.
    pub location: DefinitionLocation,
    /// Its head on one line.
    pub signature: String,
    /// The first paragraph of its documentation.
    pub doc: String,
    /// Its lines as they stand, the first being `location.start_line`; empty where the file has another content by now.
    pub source: Vec<String>,
    /// What calls it: program before tests, then in order of path and line.
    pub callers: NamedNeighbours,
    /// What it calls, in order of the calls.
    pub callees: NamedNeighbours,
    /// What it is related to most, without the former.
    pub related: NamedNeighbours,
}

impl Engine {
    /// Answers a question with `query.k` candidates at most, and names of functions behind them.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub fn brief(&self, query: &Query) -> Result<Brief> {
        let wide = Query { k: query.k.saturating_add(DESCRIBED), ..query.clone() };
        let plan = Plan { collapses: true, behind: NAMED, ..Plan::default() };
        let Answered { mut answer, behind, .. } = self.answer(&wide, &plan)?;
        let graph = &self.generation.graph;
        let sources = self.sources();
        let reader = FunctionReader::new(&sources, &self.registry);
        let wanted = WantedStems::new(&query.question);
        let code = |found: &SearchResult, lines| deciding_lines(&reader, &query.question, &wanted, found, lines);
        let neighbour = |id: DefinitionId| self.neighbour(self.location(id), None, String::new());
        let mut found: FxHashMap<DefinitionId, SearchResult> = FxHashMap::default();
        let shown: Vec<DefinitionId> = answer.results.iter().map(|result| result.definition).collect();
        found.extend(std::mem::take(&mut answer.results).into_iter().map(|result| (result.definition, result)));
        let mut groups = folded(graph, &shown, &behind);
        let candidates = groups.iter().take(query.k).take_while(|group| found.contains_key(&group.head)).count();
        let behind = groups.split_off(candidates);
        let candidate = |FoldedGroup { head, inner, overloads }: FoldedGroup| {
            let found = found.remove(&head)?;
            Some(BriefCandidate {
                id: short_id(graph, head),
                code: code(&found, LINES),
                inner: inner.into_iter().map(neighbour).collect(),
                overloads: overloads.into_iter().map(neighbour).collect(),
                found,
            })
        };
        let candidates = groups.into_iter().filter_map(candidate).collect();
        let does = |found: &SearchResult| match found.doc.trim() {
            "" => code(found, 1).pop().map(|(_, text)| text).unwrap_or_default(),
            doc => plain(doc).into_owned(),
        };
        let named = |FoldedGroup { head, .. }: FoldedGroup| BriefNamed {
            location: self.location(head),
            does: found.get(&head).map(does).unwrap_or_default(),
        };
        let behind = behind.into_iter().map(named).collect();
        Ok(Brief { answer, candidates, behind })
    }

    /// What a program names: as a person does ([`Self::resolve`]), or by a short id (`#` and six characters, or these alone).
    pub fn meant(&self, typed: &str) -> Resolved {
        let by_id = || match with_short_id(&self.generation.graph, typed)[..] {
            [] => None,
            [id] => Some(Resolved::One(id)),
            ref ids => Some(Resolved::Many(ids.to_vec())),
        };
        let is_id = typed.trim().starts_with('#');
        if let Some(found) = is_id.then(by_id).flatten() {
            return found;
        }
        match self.resolve(typed) {
            Resolved::None { near } => by_id().unwrap_or(Resolved::None { near }),
            found => found,
        }
    }

    /// A definition to be named beside others; `line` of a call, else its own.
    pub fn neighbour(&self, location: DefinitionLocation, line: Option<u32>, why: String) -> Neighbour {
        let id = short_id(&self.generation.graph, location.definition);
        Neighbour { id, line: line.unwrap_or(location.line), location, why }
    }

    /// Where a definition is.
    pub fn location(&self, id: DefinitionId) -> DefinitionLocation {
        location(&self.generation.graph, id)
    }

    /// A definition with its source, and at most `most` each of its callers, its callees, and what else it is related to.
    pub fn function_context(&self, id: DefinitionId, most: usize) -> FunctionContext {
        let (graph, sources) = (&self.generation.graph, self.sources());
        let row = graph.definition(id);
        let relations = self.relate(id, KindFilter::Function, most);
        let ends = |tree: CallTree| {
            let end = |branch: CallBranch| {
                let call = branch.calls.first();
                let text = call.map(|call| call.text.clone()).unwrap_or_default();
                self.neighbour(branch.location, call.map(|call| call.line), text)
            };
            NamedNeighbours { all: tree.direct, named: tree.branches.into_iter().map(end).collect() }
        };
        let others = relations.others.into_iter();
        let related: Vec<Neighbour> =
            others.map(|other| self.neighbour(other.location, None, other.why.join(", "))).collect();
        let source = sources.lines(row.file, (row.start_line, row.end_line)).unwrap_or_default();
        FunctionContext {
            id: short_id(graph, id),
            location: relations.of,
            signature: graph.signature(id).to_owned(),
            doc: graph.doc(id).to_owned(),
            source: source.lines().map(str::to_owned).collect(),
            callers: ends(relations.callers),
            callees: ends(relations.callees),
            related: NamedNeighbours { all: related.len(), named: related },
        }
    }
}

/// A function that was found, and those that stand under it.
struct FoldedGroup {
    head: DefinitionId,
    inner: Vec<DefinitionId>,
    overloads: Vec<DefinitionId>,
}

/// What was shown and what is behind it, in order. Those inside a function that is shown too stand under it, at the place of the
/// best of them, and functions of one name in one type or file under the best of them.
fn folded(graph: &GraphFile, shown: &[DefinitionId], behind: &[DefinitionId]) -> Vec<FoldedGroup> {
    let heads: BTreeSet<DefinitionId> = shown.iter().copied().collect();
    let mut places: FxHashMap<(DefinitionId, &str), usize> = FxHashMap::default();
    let mut groups: Vec<FoldedGroup> = Vec::new();
    for &id in shown.iter().chain(behind) {
        let outer = outermost(graph, id, &heads);
        let at = *places.entry((graph.definition(outer).parent, graph.name(outer))).or_insert(groups.len());
        match groups.get_mut(at) {
            None => {
                let inner = if outer == id { Vec::new() } else { vec![id] };
                groups.push(FoldedGroup { head: outer, inner, overloads: Vec::new() });
            }
            Some(group) if outer != id => group.inner.push(id),
            Some(group) if group.head != id => group.overloads.push(id),
            Some(_) => {}
        }
    }
    groups
}

/// The outermost function around a definition, or it itself, that is among those found.
fn outermost(graph: &GraphFile, id: DefinitionId, found: &BTreeSet<DefinitionId>) -> DefinitionId {
    let (mut at, mut best) = (id, id);
    loop {
        let parent = graph.definition(at).parent;
        if parent == at {
            return best;
        }
        at = parent;
        if found.contains(&at) && graph.traits(at).kind().is_function() {
            best = at;
        }
    }
}
