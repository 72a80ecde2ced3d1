//! Reads question sets, which contain one question with its correct answers per line (SPEC section
//! 3).

use serde::Deserialize;
use std::path::Path;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Error, Kind, Result};

/// A question with its correct answers.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    /// Id of the question within its set.
    pub id: String,
    /// Folder of the repository, relative to the root of the set.
    pub repo: String,
    /// Text of the question.
    pub query: String,
    /// Category of the question. Results are also reported per category.
    #[serde(default)]
    pub category: String,
    /// Correct answers.
    pub gold: Vec<Gold>,
}

/// A correct answer: any definition with this path and, if given, with this name and in these
/// lines.
#[derive(Debug, Clone, Deserialize)]
pub struct Gold {
    /// Path of the file, relative to the repository's folder.
    pub path: String,
    /// Name of the definition, if it must match.
    pub name: Option<String>,
    /// First line of the answer, starting at 1, if lines must match.
    pub start_line: Option<u32>,
    /// Last line of the answer. If absent, the first line is also the last.
    pub end_line: Option<u32>,
    /// Relevance relative to the question's other answers, which is the gain in nDCG.
    #[serde(default = "relevance")]
    pub relevance: u32,
}

fn relevance() -> u32 {
    1
}

impl Gold {
    /// Checks whether a definition with the given path, name and lines matches this answer. Lines
    /// match if the ranges overlap.
    pub fn is_met_by(&self, path: &str, name: &str, lines: (u32, u32)) -> bool {
        let overlaps = |start: u32| lines.0 <= self.end_line.unwrap_or(start) && start <= lines.1;
        self.path == path
            && self.name.as_deref().is_none_or(|wanted| wanted == name)
            && self.start_line.is_none_or(overlaps)
    }
}

impl Case {
    /// Checks whether a definition is one of the correct answers.
    pub fn is_answered_by(&self, graph: &GraphFile, id: DefinitionId) -> bool {
        let row = graph.definition(id);
        let (path, lines) = (graph.path(row.file), (row.start_line, row.end_line));
        self.gold.iter().any(|gold| gold.is_met_by(path, graph.name(id), lines))
    }
}

/// Reads a question set, which contains one JSON object per line.
///
/// # Errors
/// Returns an error if the file cannot be read, or if a line does not have that format.
pub fn read_cases(path: &Path) -> Result<Vec<Case>> {
    let text = std::fs::read_to_string(path).map_err(|cause| Error::io(Kind::Questions, "read", path, &cause))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|cause| {
                let next =
                    r#"write one JSON object per line: {"id":..,"repo":..,"query":..,"gold":[{"path":..,"name":..}]}"#;
                Error::new(Kind::Questions, format!("{}:{}: {cause}", path.display(), number + 1), next)
            })
        })
        .collect()
}
