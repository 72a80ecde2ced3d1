//! Question sets: one question with its right answers a line (SPEC section 3).

use crate::error::{Error, Kind, Result};
use crate::ids::DefinitionId;
use crate::store::GraphFile;
use serde::Deserialize;
use std::path::Path;

/// One question of a set.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    /// Its name in the set.
    pub id: String,
    /// The repository's folder below the root of the set.
    pub repo: String,
    /// The question.
    pub query: String,
    /// A group that is reported by itself.
    #[serde(default)]
    pub category: String,
    /// What is right.
    pub gold: Vec<Gold>,
}

/// A right answer: whatever lies in a file, bears a name there, or lies where the lines are; what is absent is not asked.
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
    /// How right it is, against the others of its question: its gain in nDCG.
    #[serde(default = "relevance")]
    pub relevance: u32,
}

fn relevance() -> u32 {
    1
}

impl Gold {
    /// Whether a definition of that path, name and lines is this answer. Lines meet where they overlap.
    pub fn is_met_by(&self, path: &str, name: &str, lines: (u32, u32)) -> bool {
        let overlaps = |start: u32| lines.0 <= self.end_line.unwrap_or(start) && start <= lines.1;
        self.path == path
            && self.name.as_deref().is_none_or(|wanted| wanted == name)
            && self.start_line.is_none_or(overlaps)
    }
}

impl Case {
    /// Whether a definition is one of the right answers.
    pub fn is_answered_by(&self, graph: &GraphFile, id: DefinitionId) -> bool {
        let row = graph.definition(id);
        let (path, lines) = (graph.path(row.file), (row.start_line, row.end_line));
        self.gold.iter().any(|gold| gold.is_met_by(path, graph.name(id), lines))
    }
}

/// Reads a question set: one JSON object a line.
///
/// # Errors
/// When the file cannot be read or a line is not of that form.
pub fn read_cases(path: &Path) -> Result<Vec<Case>> {
    let text = std::fs::read_to_string(path).map_err(|cause| Error::io(Kind::Questions, "read", path, &cause))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|cause| {
                let next =
                    r#"write one JSON object a line: {"id":..,"repo":..,"query":..,"gold":[{"path":..,"name":..}]}"#;
                Error::new(Kind::Questions, format!("{}:{}: {cause}", path.display(), number + 1), next)
            })
        })
        .collect()
}
