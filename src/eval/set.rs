//! Question sets: one question with its right answers per line (SPEC section 3).

use serde::Deserialize;
use std::path::Path;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Error, Kind, Result};

/// A question of a set.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    /// Name in the set.
    pub id: String,
    /// Folder of the repository below the root of the set.
    pub repo: String,
    /// Text of the question.
    pub query: String,
    /// Group that is reported separately.
    #[serde(default)]
    pub category: String,
    /// Right answers.
    pub gold: Vec<Gold>,
}

/// A right answer: any definition with this path and, if given, with this name and in these lines.
#[derive(Debug, Clone, Deserialize)]
pub struct Gold {
    /// Path from the repository's folder.
    pub path: String,
    /// Name of the function.
    #[serde(default)]
    pub name: Option<String>,
    /// First line, from 1.
    #[serde(default)]
    pub start_line: Option<u32>,
    /// Last line; the first if absent.
    #[serde(default)]
    pub end_line: Option<u32>,
    /// Relevance compared with the other answers of the question: its gain in nDCG.
    #[serde(default = "relevance")]
    pub relevance: u32,
}

fn relevance() -> u32 {
    1
}

impl Gold {
    /// Checks whether a definition of that path, name and lines is this answer. It is enough that
    /// the lines overlap.
    pub fn is_met_by(&self, path: &str, name: &str, lines: (u32, u32)) -> bool {
        let overlaps = |start: u32| lines.0 <= self.end_line.unwrap_or(start) && start <= lines.1;
        self.path == path
            && self.name.as_deref().is_none_or(|wanted| wanted == name)
            && self.start_line.is_none_or(overlaps)
    }
}

impl Case {
    /// Checks whether a definition is one of the right answers.
    pub fn is_answered_by(&self, graph: &GraphFile, id: DefinitionId) -> bool {
        let row = graph.definition(id);
        let (path, lines) = (graph.path(row.file), (row.start_line, row.end_line));
        self.gold.iter().any(|gold| gold.is_met_by(path, graph.name(id), lines))
    }
}

/// Reads a question set: one JSON object per line.
///
/// # Errors
/// Returns an error if the file cannot be read or a line does not have that form.
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
