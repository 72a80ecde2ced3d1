//! Completion tasks, drawn as in RepoEval (RepoCoder, Zhang et al. 2023, section 3): random lines,
//! and random lines that call a function of the same repository.

use crate::lines::code_lines;
use crate::packages::Package;
use crate::score::{Place, squeeze};
use crate::tree::Tree;
use std::collections::{BTreeMap, BTreeSet};
use whichfn::engine::Engine;
use whichfn::eval::SplitMix64;
use whichfn_graph::CallReason;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::Registry;

/// Maximum number of tasks of a kind in one file, so that they are spread over the files.
const PER_FILE: usize = 3;

/// Kind of the hidden line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Any line of code.
    Line,
    /// A line that calls a function of the repository.
    Call,
}

impl Kind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Line, Self::Call];

    /// Returns the word shown in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Call => "call",
        }
    }
}

/// A line to complete.
pub struct Task {
    /// Kind of the line.
    pub kind: Kind,
    /// Position of the line, which is hidden together with everything after it in its file.
    pub at: Place,
    /// Text of the line.
    pub hidden: String,
    /// Places, hidden or not, where the functions that the line calls are defined and called,
    /// except the line itself.
    pub callees: Vec<Place>,
}

/// Draws up to `wanted` tasks of a kind. A longer draw begins with the tasks of a shorter draw.
pub fn draw(kind: Kind, wanted: usize, package: &Package, candidates: &Candidates) -> Vec<Task> {
    let mut lines: Vec<&Place> = match kind {
        Kind::Line => candidates.lines.keys().collect(),
        Kind::Call => candidates.lines.keys().filter(|place| candidates.calls.contains_key(place)).collect(),
    };
    SplitMix64::seeded(&format!("{} {}", package.name, kind.name())).shuffle(&mut lines);
    let (mut in_file, mut seen) = (BTreeMap::<&str, usize>::new(), BTreeSet::new());
    let mut tasks = Vec::new();
    for at in lines {
        let count = in_file.entry(&at.file).or_default();
        let hidden = &candidates.lines[at];
        if *count < PER_FILE && tasks.len() < wanted && seen.insert(squeeze(hidden)) {
            *count += 1;
            let callees = if kind == Kind::Call { candidates.shown(at) } else { Vec::new() };
            tasks.push(Task { kind, at: at.clone(), hidden: hidden.clone(), callees });
        }
    }
    tasks.sort_by(|a, b| a.at.cmp(&b.at));
    tasks
}

/// Lines from which the tasks of a package are drawn.
pub struct Candidates {
    /// Lines of real code outside of tests.
    lines: BTreeMap<Place, String>,
    /// Definitions that each line calls by name.
    calls: BTreeMap<Place, BTreeSet<DefinitionId>>,
    /// Places where each definition is defined and called.
    places: BTreeMap<DefinitionId, BTreeSet<Place>>,
}

impl Candidates {
    /// Collects the candidates from the index of the whole package.
    pub fn new(package: &Package, tree: &Tree, engine: &Engine) -> Self {
        let (graph, registry) = (&engine.generation().graph, Registry::builtin().expect("languages"));
        let language = registry.named(&package.language).map(|id| id.0);
        let mut lines = BTreeMap::new();
        for file in graph.file_ids() {
            let path = graph.path(file);
            if graph.language(file) != language || path.to_lowercase().contains("test") {
                continue;
            }
            let (text, tests) = (&tree.texts[path], test_lines(graph, file));
            let split: Vec<&str> = text.lines().collect();
            for line in code_lines(&registry, &package.language, text) {
                if !tests.iter().any(|test| test.contains(&line)) {
                    let at = Place { file: path.to_owned(), line };
                    lines.insert(at, split[line as usize - 1].to_owned());
                }
            }
        }
        let mut found = Self { lines, calls: BTreeMap::new(), places: BTreeMap::new() };
        graph.definition_ids().for_each(|id| found.add_calls(graph, id));
        found
    }

    /// Adds the calls of a definition. Calls that are linked only by a name are left out, because
    /// the expected result must not be a guess.
    fn add_calls(&mut self, graph: &GraphFile, caller: DefinitionId) {
        let file = graph.path(graph.definition(caller).file);
        for call in graph.calls(caller).iter().filter(|call| call.reason() != CallReason::Name) {
            let callee = graph.definition(call.callee);
            if !(callee.kind().is_function() || callee.kind().is_type()) {
                continue;
            }
            let places = self.places.entry(call.callee).or_default();
            let site = Place { file: file.to_owned(), line: call.line };
            places.insert(Place { file: graph.path(callee.file).to_owned(), line: callee.line });
            places.insert(site.clone());
            // A chain of calls over several lines may be located at its first line, so the line
            // must contain the name.
            let says = |id: DefinitionId| {
                !graph.name(id).is_empty() && self.lines.get(&site).is_some_and(|l| l.contains(graph.name(id)))
            };
            if says(call.callee) || (callee.parent != call.callee && says(callee.parent)) {
                self.calls.entry(site).or_default().insert(call.callee);
            }
        }
    }

    fn shown(&self, at: &Place) -> Vec<Place> {
        let all: BTreeSet<&Place> = self.calls[at].iter().flat_map(|callee| &self.places[callee]).collect();
        all.into_iter().filter(|place| *place != at).cloned().collect()
    }
}

/// Returns the lines of tests inside a file.
fn test_lines(graph: &GraphFile, file: FileId) -> Vec<std::ops::RangeInclusive<u32>> {
    graph.rows_of(file).filter(|row| row.is_test()).map(|row| row.start_line..=row.end_line).collect()
}
