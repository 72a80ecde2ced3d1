//! An answer for a reader who chooses: more candidates than a person looks at, each with the lines that decide.

use super::Engine;
use super::plan::Plan;
use crate::answer::{
    Answer, CallBranch, CallTree, DefinitionLocation, SearchResult, WantedStems, location, short_id, with_short_id,
};
use crate::error::Result;
use crate::ids::DefinitionId;
use crate::lookup::{FunctionReader, deciding_lines};
use crate::search::{KindFilter, Query};
use crate::store::GraphFile;

/// Lines of code for each candidate, at most.
const LINES: usize = 3;
/// Results looked at for each candidate: helpers are folded under the function around them.
const LOOK_FURTHER: usize = 2;

/// An answer, and its candidates.
#[derive(Debug, Clone)]
pub struct Brief {
    /// The answer; its results are the candidates'.
    pub answer: Answer,
    /// The candidates, the best first.
    pub candidates: Vec<BriefCandidate>,
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
    /// Answers a question with `query.k` candidates at most.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub fn brief(&self, query: &Query) -> Result<Brief> {
        let wide = Query { k: query.k.saturating_mul(LOOK_FURTHER), ..query.clone() };
        let mut answer = self.answer(&wide, &Plan { collapses: true, ..Plan::default() })?.answer;
        let graph = &self.generation.graph;
        let sources = self.sources();
        let reader = FunctionReader::new(&sources, &self.registry);
        let wanted = WantedStems::new(&query.question);
        let groups = folded(graph, std::mem::take(&mut answer.results));
        let candidate = |(found, inner): (SearchResult, Vec<DefinitionId>)| BriefCandidate {
            id: short_id(graph, found.definition),
            code: deciding_lines(&reader, &query.question, &wanted, &found, LINES),
            inner: inner.into_iter().map(|id| self.neighbour(self.location(id), None, String::new())).collect(),
            found,
        };
        let candidates = groups.into_iter().take(query.k).map(candidate).collect();
        Ok(Brief { answer, candidates })
    }

    /// The definitions with a short id (`#` and six characters): seldom more than one.
    pub fn with_short_id(&self, typed: &str) -> Vec<DefinitionId> {
        with_short_id(&self.generation.graph, typed)
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

/// Results in order, those inside a function that was found too under it, at the place of the best of them.
fn folded(graph: &GraphFile, results: Vec<SearchResult>) -> Vec<(SearchResult, Vec<DefinitionId>)> {
    let found: Vec<DefinitionId> = results.iter().map(|result| result.definition).collect();
    let heads: Vec<DefinitionId> = found.iter().map(|&id| outermost(graph, id, &found)).collect();
    let mut order: Vec<DefinitionId> = Vec::new();
    heads.iter().for_each(|head| {
        if !order.contains(head) {
            order.push(*head);
        }
    });
    let mut results: Vec<Option<SearchResult>> = results.into_iter().map(Some).collect();
    let group = |head: DefinitionId| {
        let at = found.iter().position(|&id| id == head)?;
        let inner =
            found.iter().zip(&heads).filter(|&(&id, &of)| of == head && id != head).map(|(&id, _)| id).collect();
        Some((results[at].take()?, inner))
    };
    order.into_iter().filter_map(group).collect()
}

/// The outermost function around a definition, or it itself, that is among those found.
fn outermost(graph: &GraphFile, id: DefinitionId, found: &[DefinitionId]) -> DefinitionId {
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
