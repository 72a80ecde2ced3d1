//! Question sets: one question with its right answers a line (SPEC section 3).

use crate::error::{Error, Kind, Result};
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

/// A right answer.
#[derive(Debug, Clone, Deserialize)]
pub struct Gold {
    /// Path from the repository's folder.
    pub path: String,
    /// Name of the function; any result in the file if absent.
    #[serde(default)]
    pub name: Option<String>,
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
