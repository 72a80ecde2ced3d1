//! The rule `questions`: a question on which documentation, a runbook or agent instructions rely no
//! longer has the expected answer. The expected function was removed, moved to another file, or is
//! no longer among the top results.
//!
//! **Cost:** one search per question.

use super::finding::{Finding, FindingLocation, Rule};
use whichfn_index::store::GraphFile;
use whichfn_search::search::{Query, Searcher};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;

/// Default number of top results that must include an expected function.
pub const WITHIN: usize = 5;

/// A parsed file of saved questions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuestionFile {
    /// Path of the file from the root.
    pub path: String,
    /// The questions, in the order of the file.
    pub questions: Vec<ExpectedAnswer>,
}

/// A question with its expected functions. At least one of them must be among the top results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedAnswer {
    /// Line number in the file, starting at 1.
    pub line: u32,
    /// Text of the question.
    pub query: String,
    /// Expected functions, each identified by its path from the root and its name.
    pub expected: Vec<(String, String)>,
    /// Number of top results that must include an expected function.
    pub within: usize,
}

/// Returns a finding for each question without an expected function among its top results.
///
/// # Errors
/// Returns an error if the index cannot be read.
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
        found.push(Finding { rule: Rule::Questions, location, message, related, is_guess: false });
    }
    Ok(found)
}

fn is_expected(graph: &GraphFile, id: DefinitionId, (path, name): &(String, String)) -> bool {
    graph.path(graph.definition(id).file) == path && (graph.name(id) == name || graph.qualified_name(id) == name)
}

/// Explains why the first expected function is not among the top results.
fn explain_failure(graph: &GraphFile, question: &ExpectedAnswer) -> String {
    let Some((path, name)) = question.expected.first() else { return "none is expected".to_owned() };
    let own = name.rsplit(['.', ':']).next().unwrap_or(name);
    let named: Vec<DefinitionId> =
        graph.named(own).into_iter().filter(|&id| graph.name(id) == name || graph.qualified_name(id) == name).collect();
    if named.iter().any(|&id| graph.path(graph.definition(id).file) == path) {
        return format!("{name} is not in the top {}", question.within);
    }
    match named.first() {
        Some(&id) => format!("{name} moved from {path} to {}", graph.path(graph.definition(id).file)),
        None => format!("{name} no longer exists"),
    }
}

fn definition_location(graph: &GraphFile, id: DefinitionId) -> FindingLocation {
    let row = graph.definition(id);
    let (path, name) = (graph.path(row.file).to_owned(), graph.qualified_name(id).to_owned());
    FindingLocation { path, line: row.line, name, note: "is now the first result".to_owned() }
}
