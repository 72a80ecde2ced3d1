//! `questions`: a question that documentation, a runbook or the instructions of an agent rely on
//! has another answer now: the expected function was removed, moved to another file, or is no
//! longer among the first results.
//!
//! **Cost:** one search per question.

use super::finding::{Finding, FindingLocation, Rule};
use whichfn_index::store::GraphFile;
use whichfn_search::search::{Query, Searcher};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;

/// Number of first results searched for an expected function, unless the question specifies
/// another.
pub const WITHIN: usize = 5;

/// A parsed file of questions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuestionFile {
    /// Path from the root.
    pub path: String,
    /// Questions, in file order.
    pub questions: Vec<ExpectedAnswer>,
}

/// A question with its expected functions, one of which must be among the first results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedAnswer {
    /// Line number in the file, from 1.
    pub line: u32,
    /// Text of the question.
    pub query: String,
    /// Expected functions, each as a path from the root and a name.
    pub expected: Vec<(String, String)>,
    /// Number of results that count as the first.
    pub within: usize,
}

/// Returns the questions whose answer is not the expected one.
///
/// # Errors
/// When the index cannot be read.
pub(super) fn questions(graph: &GraphFile, searcher: &Searcher<'_>, file: &QuestionFile) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for question in &file.questions {
        let query = Query { k: question.within.max(1), ..Query::new(&question.query) };
        let hits: Vec<DefinitionId> = searcher.search(&query)?.iter().map(|hit| hit.definition).collect();
        let is_first = |id: &DefinitionId| question.expected.iter().any(|one| is_expected(graph, *id, one));
        if hits.iter().take(question.within).any(is_first) {
            continue;
        }
        let note = String::new();
        let location = FindingLocation { path: file.path.clone(), line: question.line, name: String::new(), note };
        let message =
            format!("\"{}\" no longer has the expected answer: {}", question.query, explain_failure(graph, question));
        let related = hits.first().map(|&id| definition_location(graph, id)).into_iter().collect();
        found.push(Finding { rule: Rule::Questions, location, message, related });
    }
    Ok(found)
}

fn is_expected(graph: &GraphFile, id: DefinitionId, (path, name): &(String, String)) -> bool {
    graph.path(graph.definition(id).file) == path && (graph.name(id) == name || graph.qualified_name(id) == name)
}

/// Describes why the first expected function is missing from the results.
fn explain_failure(graph: &GraphFile, question: &ExpectedAnswer) -> String {
    let Some((path, name)) = question.expected.first() else { return "none is expected".to_owned() };
    let own = name.rsplit(['.', ':']).next().unwrap_or(name);
    let named: Vec<DefinitionId> =
        graph.named(own).into_iter().filter(|&id| graph.name(id) == name || graph.qualified_name(id) == name).collect();
    if named.iter().any(|&id| graph.path(graph.definition(id).file) == path) {
        return format!("{name} is not among the first {}", question.within);
    }
    match named.first() {
        Some(&id) => format!("{name} is no longer in {path}, but in {}", graph.path(graph.definition(id).file)),
        None => format!("{name} no longer exists"),
    }
}

fn definition_location(graph: &GraphFile, id: DefinitionId) -> FindingLocation {
    let row = graph.definition(id);
    let (path, name) = (graph.path(row.file).to_owned(), graph.qualified_name(id).to_owned());
    FindingLocation { path, line: row.line, name, note: "is the first answer".to_owned() }
}
