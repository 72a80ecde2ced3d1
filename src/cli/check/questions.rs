//! The file of questions named in `whichfn.toml`: one JSON object per line, in the format of the
//! question sets of `eval`.

use serde::Deserialize;
use std::path::Path;
use whichfn_check::{ExpectedAnswer, QuestionFile, WITHIN};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::{open_below, read_at_most};
use whichfn_text::path_from_text;

/// Maximum size in bytes of a question file.
const LONGEST: u64 = 16 << 20;

/// A line of the file; other fields of a question set are ignored.
#[derive(Debug, Deserialize)]
struct QuestionLine {
    query: String,
    gold: Vec<ExpectedLine>,
    within: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct ExpectedLine {
    path: String,
    name: String,
}

/// Reads the question file at a path below the root.
pub(super) fn read(root: &Path, path: &str) -> Result<QuestionFile> {
    let place = root.join(path_from_text(path));
    let bytes = open_below(root, &path_from_text(path)).and_then(|file| read_at_most(file, LONGEST));
    let bytes = bytes.map_err(|cause| Error::io(Kind::Questions, "read", &place, &cause))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = |(number, line): (u32, &str)| -> Result<ExpectedAnswer> {
        let QuestionLine { query, gold, within } = serde_json::from_str(line).map_err(|cause| {
            let next = r#"write one JSON object per line: {"query":..,"gold":[{"path":..,"name":..}],"within":5}"#;
            Error::new(Kind::Questions, format!("{}:{number}: {cause}", place.display()), next)
        })?;
        let expected = gold.into_iter().map(|one| (one.path, one.name)).collect();
        Ok(ExpectedAnswer { line: number, query, expected, within: within.unwrap_or(WITHIN) })
    };
    Ok(QuestionFile { path: path.to_owned(), questions: lines.map(read).collect::<Result<_>>()? })
}
