//! A run that is kept, so that a later one can be held against it: what was asked how, and how each question went.

use super::metrics::{EVALUATED_RESULTS, QuestionOutcome};
use crate::error::{Error, Kind, Remedy, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The shape of the file; another number means that it is not read.
const VERSION: u32 = 1;

/// One run over question sets.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedRun {
    version: u32,
    /// The program's version.
    pub program: String,
    /// The ranking options, as they would be typed.
    pub settings: String,
    /// How far down results were looked at.
    pub depth: usize,
    /// Each set.
    pub sets: Vec<SavedSet>,
}

/// A question set in a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedSet {
    /// Its name.
    pub name: String,
    /// How each question went.
    pub questions: Vec<QuestionOutcome>,
}

impl SavedRun {
    /// What this program measured.
    pub fn new(settings: String, sets: Vec<SavedSet>) -> Self {
        Self {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            settings,
            depth: EVALUATED_RESULTS,
            sets,
        }
    }

    /// The set of that name.
    pub fn set(&self, name: &str) -> Option<&SavedSet> {
        self.sets.iter().find(|set| set.name == name)
    }

    /// Reads a saved run.
    ///
    /// # Errors
    /// When the file cannot be read, is no saved run, or one of another shape or depth.
    pub fn read(path: &Path) -> Result<Self> {
        let wrong = |what: String| Error::new(Kind::Questions, format!("{}: {what}", path.display()), Remedy::SaveRun);
        let text = std::fs::read_to_string(path).map_err(|cause| Error::io(Kind::Questions, "read", path, &cause))?;
        let run: Self = serde_json::from_str(&text).map_err(|cause| wrong(format!("not a saved run: {cause}")))?;
        if (run.version, run.depth) != (VERSION, EVALUATED_RESULTS) {
            let known = format!("version {VERSION} and depth {EVALUATED_RESULTS}");
            return Err(wrong(format!("a run of version {} and depth {}, not {known}", run.version, run.depth)));
        }
        Ok(run)
    }

    /// The text of a saved run, the same whenever and wherever the same ranks are measured.
    ///
    /// # Errors
    /// When a figure is no number.
    pub fn text(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n").map_err(|cause| {
            let next = "this is a defect of whichfn; please report it";
            Error::new(Kind::Questions, format!("cannot write the run: {cause}"), next)
        })
    }
}
