//! The `whichfn eval` command: computes a table of figures from question sets, and compares two
//! runs.

mod json;
mod measure;
mod options;
mod table;

use super::common::CommonArgs;
use super::model::ModelArgs;
use super::ranking::RankingArgs;
use super::target::Target;
use super::{Exit, output};
use crate::eval::{Comparison, SavedRun, compare};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct EvalArgs {
    /// Question sets, one JSON object per line; `=DIR` names the folder that contains this set's
    /// repositories.
    #[arg(required = true, value_name = "QUESTIONS.jsonl[=DIR]")]
    pub sets: Vec<PathBuf>,
    /// Folder that contains the repositories named in the questions.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repo_root: PathBuf,
    #[command(flatten)]
    pub results: RankingArgs,
    /// Print rows by category, or by category and repository.
    #[arg(long, value_name = "GROUP", default_value = "category")]
    pub by: GroupChoice,
    /// Also print the rank of each question.
    #[arg(long)]
    pub ranks: bool,
    /// Save this run to a file, to compare later runs with it.
    #[arg(long, value_name = "RUN.json")]
    pub save: Option<PathBuf>,
    /// Compare this run with a saved one: significance of each difference, and questions that rose
    /// or fell.
    #[arg(long, value_name = "RUN.json")]
    pub compare: Option<PathBuf>,
    /// Compare with a second run under these ranking options, as in `--against '--relation none'`.
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, conflicts_with = "compare")]
    pub against: Option<String>,
    #[command(flatten)]
    pub model: ModelArgs,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum GroupChoice {
    /// All questions, and each category.
    Category,
    /// Each category of each repository.
    Repo,
}

pub(super) fn run(asked: &EvalArgs) -> Result<Exit> {
    let target = Target::read(asked.repo_root.clone(), &asked.shared)?;
    // Report unreadable files before running the questions, which may take minutes.
    let saved = asked.compare.as_deref().map(SavedRun::read).transpose()?;
    let other = asked.against.as_deref().map(|typed| options::added(&asked.results, typed)).transpose()?;
    let sets = measure::read(asked)?;
    let run = measure::run(asked, &asked.results, &target, &sets)?;
    if let Some(file) = &asked.save {
        output::write(Some(file), &run.text()?)?;
    }
    let compared = match (&asked.compare, saved, other) {
        (Some(file), Some(saved), _) => {
            Some(ComparedRuns::new((&file.display().to_string(), &saved), ("this run", &run))?)
        }
        (_, _, Some(results)) => {
            let other = measure::run(asked, &results, &target, &sets)?;
            Some(ComparedRuns::new(("this run", &run), ("against", &other))?)
        }
        _ => None,
    };
    match asked.json {
        true => output::data(&json::run(&run, compared.as_ref(), asked.ranks))?,
        false => output::text(&table::run(&run, compared.as_ref(), asked))?,
    }
    Ok(Exit::Found)
}

/// A comparison of two runs.
struct ComparedRuns {
    before: RunSettings,
    after: RunSettings,
    sets: Vec<Comparison>,
}

/// Name and settings of a run.
struct RunSettings {
    name: String,
    settings: String,
}

impl ComparedRuns {
    fn new(before: (&str, &SavedRun), after: (&str, &SavedRun)) -> Result<Self> {
        let side =
            |(name, run): (&str, &SavedRun)| RunSettings { name: name.to_owned(), settings: run.settings.clone() };
        Ok(Self { before: side(before), after: side(after), sets: compare(before.1, after.1)? })
    }
}
