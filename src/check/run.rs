//! A change through all rules that are on.

use super::callers::callers;
use super::change::Change;
use super::dead::dead;
use super::finding::{Finding, Rule};
use super::gone::calls_of_gone;
use super::ignored::without_ignored;
use super::questions::{QuestionFile, questions};
use super::reuse::reuse;
use super::sides::Sides;
use super::stale_doc::stale_docs;
use crate::error::Result;
use crate::lang::Registry;
use crate::search::Searcher;
use crate::store::Generation;
use std::path::Path;

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// The findings, in order of path, line and rule.
    pub findings: Vec<Finding>,
    /// How many files of the change were looked at.
    pub files: usize,
    /// How many findings a comment in the code left out.
    pub ignored: usize,
    /// Paths of files that were left out because a merge in them is not settled.
    pub conflicts: Vec<String>,
    /// Paths of files that were left out because they do not parse any more.
    pub broken: Vec<String>,
    /// How many new functions were not compared with others, because there are too many.
    pub not_looked_up: usize,
}

/// Checks a change in the repository at `root` by these rules; questions are asked if one of them says so.
///
/// # Errors
/// When a language's own data is wrong, or the index does not read.
pub fn check(
    root: &Path,
    generation: &Generation,
    registry: &Registry,
    change: &Change,
    rules: &[Rule],
    asked: &QuestionFile,
) -> Result<CheckReport> {
    let sides = Sides::new(root, generation, registry, change)?;
    let (mut findings, mut not_looked_up) = (Vec::new(), 0);
    for rule in rules {
        findings.extend(match rule {
            Rule::Callers => [callers(&sides)?, calls_of_gone(&sides)?].concat(),
            Rule::Dead => dead(&sides),
            Rule::StaleDoc => stale_docs(&sides),
            Rule::Reuse => {
                let (found, left_out) = reuse(&sides, &Searcher::new(generation, registry))?;
                not_looked_up = left_out;
                found
            }
            Rule::Questions => questions(sides.graph, &Searcher::new(generation, registry), asked)?,
        });
    }
    let sources = sides.sources();
    let text_of = |path: &str| sources.indexed(path).map(|file| sources.text(file).to_string()).unwrap_or_default();
    let (mut findings, ignored) = without_ignored(findings, text_of);
    findings.sort_by(|a, b| (&a.place, a.rule, &a.message).cmp(&(&b.place, b.rule, &b.message)));
    findings.dedup();
    let Sides { files, conflicts, broken, .. } = sides;
    Ok(CheckReport { findings, files: files.len(), ignored, conflicts, broken, not_looked_up })
}
