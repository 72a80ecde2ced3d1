//! Lets a language model write the hidden lines, as in RepoCoder (Zhang et al. 2023) and FragRel.
//!
//! The prompt has RepoCoder's layout: fragments as comments, best one last, then the code before
//! the cursor. Fragments get at most half of the prompt's tokens. The prompt ends with the
//! indentation of the hidden line, as an editor inserts it. A second iteration retrieves again,
//! with the line from the first iteration as a draft.
//!
//! Each completion is appended to a file, so that a run can be interrupted and continued.

use crate::completions::{Completion, CompletionServer};
use crate::rows::Row;
use crate::score::{View, similarity, squeeze};
use crate::tasks::Task;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use whichfn::engine::Engine;
use whichfn_memory::count_tokens;
use whichfn_read::context::{Context, ContextFragment, ContextRanking};

/// A row of the table: how the fragments of the prompt are chosen.
#[derive(Debug, Clone, Copy)]
pub struct GeneratedRow {
    /// Name in the table.
    pub name: &'static str,
    /// Source of the fragments; `None` for a prompt without fragments.
    row: Option<Row>,
    /// For a second iteration, the name of the row whose line is the draft.
    draft_of: Option<&'static str>,
}

const fn context(ranking: ContextRanking, draft: bool) -> Option<Row> {
    Some(Row::Context { ranking, draft })
}

/// All rows. A row comes after the row whose line it needs.
pub const ROWS: [GeneratedRow; 9] = [
    GeneratedRow { name: "none", row: None, draft_of: None },
    GeneratedRow { name: "random", row: Some(Row::Random), draft_of: None },
    GeneratedRow { name: "bm25", row: context(ContextRanking::Bm25, false), draft_of: None },
    GeneratedRow { name: "published", row: context(ContextRanking::Published, false), draft_of: None },
    GeneratedRow { name: "best", row: context(ContextRanking::Best, false), draft_of: None },
    GeneratedRow { name: "bm25 x2", row: context(ContextRanking::Bm25, false), draft_of: Some("bm25") },
    GeneratedRow { name: "published x2", row: context(ContextRanking::Published, false), draft_of: Some("published") },
    GeneratedRow { name: "best x2", row: context(ContextRanking::Best, false), draft_of: Some("best") },
    GeneratedRow { name: "oracle", row: context(ContextRanking::Best, true), draft_of: None },
];

/// One line that the model wrote, with its scores.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GeneratedLine {
    /// Task, prompt size and row.
    #[serde(flatten)]
    pub key: GenerationKey,
    /// Language of the package.
    pub language: String,
    /// Kind of the task.
    pub kind: String,
    /// Line that was hidden.
    pub hidden: String,
    /// Line that the model wrote.
    pub written: String,
    /// 1 if the line is right apart from white space, otherwise 0.
    pub exact: f64,
    /// Edit similarity to the hidden line.
    pub similarity: f64,
    /// F1 of the identifiers of the written line against those of the hidden line.
    pub identifiers: f64,
    /// Number of fragments in the prompt.
    pub fragments: usize,
    /// Token counts and times that the server reported.
    #[serde(flatten)]
    pub cost: Completion,
}

/// Identifies a completion.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GenerationKey {
    /// Maximum number of tokens in the prompt.
    pub prompt_tokens: usize,
    /// Maximum number of fragments in the prompt.
    pub most_fragments: usize,
    /// Name of the package.
    pub package: String,
    /// Path of the file.
    pub file: String,
    /// 1-based number of the hidden line.
    pub line: u32,
    /// Name of the row.
    pub row: String,
}

/// All lines written so far, in a file with one JSON object per line.
pub struct Generations {
    file: File,
    /// The lines, sorted by task and row.
    pub lines: BTreeMap<GenerationKey, GeneratedLine>,
}

impl Generations {
    /// Opens a file, and reads the lines that an earlier run wrote.
    pub fn open(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<GeneratedLine>(line).ok());
        let lines = lines.map(|line| (line.key.clone(), line)).collect();
        let file = OpenOptions::new().create(true).append(true).open(path).expect("file of generated lines");
        Self { file, lines }
    }

    fn add(&mut self, line: GeneratedLine) {
        let text = serde_json::to_string(&line).expect("json") + "\n";
        self.file.write_all(text.as_bytes()).expect("file of generated lines");
        self.lines.insert(line.key.clone(), line);
    }
}

/// Settings of a run.
pub struct Generation {
    /// Server with the model.
    pub server: CompletionServer,
    /// Sizes of prompts, in tokens of `count_tokens`.
    pub prompt_tokens: Vec<usize>,
    /// Maximum number of fragments in a prompt.
    pub most_fragments: usize,
    /// Names of the rows to run.
    pub rows: Vec<GeneratedRow>,
}

impl Generation {
    /// Lets the model write the hidden line of a task once for each row and prompt size that has no
    /// line yet.
    pub fn run(&self, task: &Task, package: (&str, &str), engine: &Engine, view: &View<'_>, into: &mut Generations) {
        for (&prompt_tokens, row) in self.prompt_tokens.iter().flat_map(|size| self.rows.iter().map(move |r| (size, r)))
        {
            let key = GenerationKey {
                prompt_tokens,
                most_fragments: self.most_fragments,
                package: package.0.to_owned(),
                file: task.at.file.clone(),
                line: task.at.line,
                row: row.name.to_owned(),
            };
            if into.lines.contains_key(&key) {
                continue;
            }
            let first = row.draft_of.map(|name| GenerationKey { row: name.to_owned(), ..key.clone() });
            let draft = first.and_then(|first| into.lines.get(&first)).map(|line| line.written.clone());
            let fragments = row.row.map_or_else(Vec::new, |row| row.context(engine, task, view, draft));
            let comment = engine.line_comment(&task.at.file);
            let (prompt, fragments) = self.prompt(task, view, fragments, prompt_tokens, comment);
            let (written, cost) = self.server.complete(&prompt);
            into.add(GeneratedLine {
                key,
                language: package.1.to_owned(),
                kind: task.kind.name().to_owned(),
                exact: f64::from(u8::from(squeeze(&written) == squeeze(&task.hidden))),
                similarity: similarity(&task.hidden, &written),
                identifiers: f1(&identifiers(&task.hidden), &identifiers(&written)),
                hidden: task.hidden.clone(),
                written,
                fragments,
                cost,
            });
        }
    }

    /// Returns a prompt of at most `most` tokens, and the number of fragments in it.
    fn prompt(
        &self,
        task: &Task,
        view: &View<'_>,
        fragments: Vec<ContextFragment>,
        most: usize,
        comment: &str,
    ) -> (String, usize) {
        let mut shown = Context {
            file: task.at.file.clone(),
            root: "".into(),
            line: task.at.line,
            query_lines: (0, 0),
            fragments: Vec::new(),
            notices: Vec::new(),
        };
        for fragment in fragments.into_iter().take(self.most_fragments) {
            shown.fragments.push(fragment);
            // A smaller fragment further down may still fit.
            if count_tokens(&shown.commented(comment)) > most / 2 {
                shown.fragments.pop();
            }
        }
        let head = shown.commented(comment);
        let indentation: String = task.hidden.chars().take_while(|c| c.is_whitespace()).collect();
        let mut left = most.saturating_sub(count_tokens(&head));
        let mut lines: Vec<&str> = Vec::new();
        for line in view.before().iter().rev() {
            let Some(rest) = left.checked_sub(count_tokens(line) + 1) else { break };
            left = rest;
            lines.push(line);
        }
        let before: String = lines.into_iter().rev().flat_map(|line| [line, "\n"]).collect();
        (head + &before + &indentation, shown.fragments.len())
    }
}

/// Returns the words of a line that begin with a letter or an underscore.
fn identifiers(line: &str) -> Vec<&str> {
    let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_')).collect()
}

/// Returns the F1 of two lists of words, where a word counts as often as it occurs.
fn f1(wanted: &[&str], written: &[&str]) -> f64 {
    let mut left = wanted.to_vec();
    let found = written.iter().filter(|word| match left.iter().position(|other| other == *word) {
        Some(at) => {
            left.swap_remove(at);
            true
        }
        None => false,
    });
    let found = found.count() as f64;
    if wanted.is_empty() && written.is_empty() { 1.0 } else { 2.0 * found / (wanted.len() + written.len()) as f64 }
}
