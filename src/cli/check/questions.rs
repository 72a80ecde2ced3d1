//! The file of questions that `whichfn.toml` names: one JSON object a line, as question sets of `eval` have it.

use crate::check::{ExpectedAnswer, QuestionFile, WITHIN};
use crate::error::{Error, Kind, Result};
use crate::text::path_of;
use crate::untrusted::{open_below, read_at_most};
use serde::Deserialize;
use std::path::Path;

/// Bytes of a file of questions at most.
const LONGEST: u64 = 16 << 20;

/// One line; what else a question set has is passed over.
#[derive(Debug, Deserialize)]
struct AskedLine {
    query: String,
    gold: Vec<ExpectedLine>,
    #[serde(default)]
    within: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct ExpectedLine {
    path: String,
    name: String,
}

/// Reads the file of questions at a path below the root.
pub(super) fn read(root: &Path, path: &str) -> Result<QuestionFile> {
    let place = root.join(path_of(path));
    let bytes = open_below(root, &path_of(path)).and_then(|file| read_at_most(file, LONGEST));
    let bytes = bytes.map_err(|cause| Error::io(Kind::Questions, "read", &place, &cause))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = |(number, line): (u32, &str)| -> Result<ExpectedAnswer> {
        let AskedLine { query, gold, within } = serde_json::from_str(line).map_err(|cause| {
            let next = r#"write one JSON object a line: {"query":..,"gold":[{"path":..,"name":..}],"within":5}"#;
            Error::new(Kind::Questions, format!("{}:{number}: {cause}", place.display()), next)
        })?;
        let expected = gold.into_iter().map(|one| (one.path, one.name)).collect();
        Ok(ExpectedAnswer { line: number, query, expected, within: within.unwrap_or(WITHIN) })
    };
    Ok(QuestionFile { path: path.to_owned(), questions: lines.map(read).collect::<Result<_>>()? })
}
