//! Saves a run for comparison with a later run: the settings, and the outcome of each question.

use super::metrics::{EVALUATED_RESULTS, QuestionOutcome};
use serde::{Deserialize, Serialize};
use std::path::Path;
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Version of the file format. A file with a different version is rejected.
const VERSION: u32 = 1;

/// The outcomes of a run over question sets.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedRun {
    version: u32,
    /// Version of the program that made the run.
    pub program: String,
    /// Ranking options, as typed on the command line.
    pub settings: String,
    /// Number of results evaluated per question.
    pub depth: usize,
    /// Question sets in the run.
    pub sets: Vec<SavedSet>,
}

/// A question set in a run, with the outcomes of its questions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedSet {
    /// Name of the question set.
    pub name: String,
    /// Outcomes of the questions in the set.
    pub questions: Vec<QuestionOutcome>,
}

impl SavedRun {
    /// Creates a run made by this version of the program.
    pub fn new(settings: String, sets: Vec<SavedSet>) -> Self {
        Self {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            settings,
            depth: EVALUATED_RESULTS,
            sets,
        }
    }

    /// Returns the set with the given name.
    pub fn set(&self, name: &str) -> Option<&SavedSet> {
        self.sets.iter().find(|set| set.name == name)
    }

    /// Reads a saved run.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a saved run, or has a different version
    /// or depth.
    pub fn read(path: &Path) -> Result<Self> {
        let wrong = |what: String| Error::new(Kind::Questions, format!("{}: {what}", path.display()), Remedy::SaveRun);
        let text = std::fs::read_to_string(path).map_err(|cause| Error::io(Kind::Questions, "read", path, &cause))?;
        let run: Self = serde_json::from_str(&text).map_err(|cause| wrong(format!("not a saved run: {cause}")))?;
        if (run.version, run.depth) != (VERSION, EVALUATED_RESULTS) {
            let known = format!("version {VERSION} and depth {EVALUATED_RESULTS}");
            return Err(wrong(format!("the run has version {} and depth {}, not {known}", run.version, run.depth)));
        }
        Ok(run)
    }

    /// Serializes the run as JSON text. The same ranks always give the same text, on every machine.
    ///
    /// # Errors
    /// Returns an error if a figure is not a number.
    pub fn text(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n").map_err(|cause| {
            let next = "this is a bug in whichfn; please report it";
            Error::new(Kind::Questions, format!("cannot write the run: {cause}"), next)
        })
    }
}
