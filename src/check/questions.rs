//! `questions`: a question that somebody relies on (documentation, a runbook, the instructions of an agent) has another answer
//! now: the function that is expected is gone, moved to another file, or no longer among the first.
//!
//! Price: one search a question

use super::finding::{Finding, FoundPlace, Rule};
use crate::error::Result;
use crate::ids::DefinitionId;
use crate::search::{Query, Searcher};
use crate::store::GraphFile;

/// How many of the first results an expected function is looked for in, unless the question says.
pub const WITHIN: usize = 5;

/// A file of questions, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuestionFile {
    /// Its path from the root.
    pub path: String,
    /// Its questions, in order.
    pub questions: Vec<ExpectedAnswer>,
}

/// A question and the functions of which one should be among the first results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedAnswer {
    /// Its line in the file, from 1.
    pub line: u32,
    /// The question.
    pub query: String,
    /// Each with its path from the root and its name.
    pub expected: Vec<(String, String)>,
    /// How many results count as the first.
    pub within: usize,
}

/// Questions with another answer than the expected.
///
/// # Errors
/// When the index does not read.
pub(super) fn questions(graph: &GraphFile, searcher: &Searcher<'_>, file: &QuestionFile) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for question in &file.questions {
        let query = Query { k: question.within.max(1), ..Query::new(&question.query) };
        let hits: Vec<DefinitionId> = searcher.search(&query)?.iter().map(|hit| hit.definition).collect();
        let is_first = |id: &DefinitionId| question.expected.iter().any(|one| is(graph, *id, one));
        if hits.iter().take(question.within).any(is_first) {
            continue;
        }
        let note = String::new();
        let place = FoundPlace { path: file.path.clone(), line: question.line, name: String::new(), note };
        let message = format!("\"{}\" has another answer now: {}", question.query, why(graph, question));
        let related = hits.first().map(|&id| first(graph, id)).into_iter().collect();
        found.push(Finding { rule: Rule::Questions, place, message, related });
    }
    Ok(found)
}

fn is(graph: &GraphFile, id: DefinitionId, (path, name): &(String, String)) -> bool {
    graph.path(graph.definition(id).file) == path && (graph.name(id) == name || graph.qualified_name(id) == name)
}

/// What became of the first function that was expected.
fn why(graph: &GraphFile, question: &ExpectedAnswer) -> String {
    let Some((path, name)) = question.expected.first() else { return "none is expected".to_owned() };
    let own = name.rsplit(['.', ':']).next().unwrap_or(name);
    let named: Vec<DefinitionId> =
        graph.named(own).into_iter().filter(|&id| graph.name(id) == name || graph.qualified_name(id) == name).collect();
    if named.iter().any(|&id| graph.path(graph.definition(id).file) == path) {
        return format!("{name} is not among the first {}", question.within);
    }
    match named.first() {
        Some(&id) => format!("{name} is not in {path} any more, but in {}", graph.path(graph.definition(id).file)),
        None => format!("there is no {name} any more"),
    }
}

fn first(graph: &GraphFile, id: DefinitionId) -> FoundPlace {
    let row = graph.definition(id);
    let (path, name) = (graph.path(row.file).to_owned(), graph.qualified_name(id).to_owned());
    FoundPlace { path, line: row.line, name, note: "is the first answer".to_owned() }
}
