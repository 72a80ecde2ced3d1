//! Checks a change with all enabled rules.

use super::callers::callers;
use super::change::Change;
use super::dead::{all_dead, dead};
use super::finding::{Finding, Rule};
use super::ignored::without_ignored;
use super::questions::{QuestionFile, questions};
use super::removed::references_to_removed;
use super::returns::returns;
use super::reuse::reuse;
use super::sides::Sides;
use super::stale_doc::stale_docs;
use std::path::Path;
use whichfn_index::store::Generation;
use whichfn_search::search::Searcher;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::Result;

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Findings, sorted by path, line and rule.
    pub findings: Vec<Finding>,
    /// Number of changed files that were checked.
    pub files: usize,
    /// Number of findings that comments in the code suppressed.
    pub ignored: usize,
    /// Paths of files that were skipped because of an unresolved merge conflict.
    pub conflicts: Vec<String>,
    /// Paths of files that were skipped because they no longer parse.
    pub broken: Vec<String>,
    /// Number of new functions that were not compared with existing ones because of the limit.
    pub not_looked_up: usize,
    /// What is not known about the calls of the checked files, one line each. The findings that
    /// rest on these calls may be incomplete, and there are none of the rule `dead`.
    pub unlinked: Vec<String>,
}

impl CheckReport {
    /// Returns what was left out, one line each.
    pub fn notices(&self) -> Vec<String> {
        self.left_out().into_iter().map(|(_, notice)| notice).collect()
    }

    /// Returns what was left out, one line each, with the path of a skipped file.
    pub fn left_out(&self) -> Vec<(Option<&str>, String)> {
        let conflicts = self.conflicts.iter().map(|path| (path, "it has unresolved merge conflicts"));
        let broken = self.broken.iter().map(|path| (path, "it no longer parses"));
        let files = conflicts.chain(broken).map(|(path, why)| (Some(&path[..]), format!("skipped {path}: {why}")));
        let many = match self.not_looked_up {
            0 => None,
            1 => Some("1 new function not compared with existing ones: too many".to_owned()),
            count => Some(format!("{count} new functions not compared with existing ones: too many")),
        };
        let others = many.into_iter().chain(self.unlinked.iter().cloned());
        files.chain(others.map(|notice| (None, notice))).collect()
    }
}

/// Checks a change to the repository at `root` with the given rules. `questions_file` is used only
/// if the rules include [`Rule::Questions`].
///
/// # Errors
/// Returns an error if a language's data files are invalid, or if the index cannot be read.
pub fn check(
    root: &Path,
    generation: &Generation,
    registry: &Registry,
    change: &Change,
    rules: &[Rule],
    questions_file: &QuestionFile,
) -> Result<CheckReport> {
    let sides = Sides::new(root, generation, registry, change)?;
    let (mut findings, mut not_looked_up) = (Vec::new(), 0);
    if rules.contains(&Rule::Callers) || rules.contains(&Rule::References) {
        findings.extend(references_to_removed(&sides)?.into_iter().filter(|finding| rules.contains(&finding.rule)));
    }
    for rule in rules {
        findings.extend(match rule {
            Rule::Callers => callers(&sides)?,
            Rule::References => Vec::new(),
            Rule::Returns => returns(&sides)?,
            Rule::Dead => dead(&sides),
            Rule::StaleDoc => stale_docs(&sides),
            Rule::Reuse => {
                let (found, left_out) = reuse(&sides, &Searcher::new(generation, registry))?;
                not_looked_up = left_out;
                found
            }
            Rule::Questions => questions(sides.graph, &Searcher::new(generation, registry), questions_file)?,
        });
    }
    Ok(CheckReport { not_looked_up, ..reported(sides, findings) })
}

/// Finds the dead code of the whole repository at `root`: functions that nothing refers to, and
/// that code outside the repository cannot call.
///
/// # Errors
/// Returns an error if a language's data files are invalid.
pub fn check_dead(root: &Path, generation: &Generation, registry: &Registry) -> Result<CheckReport> {
    let sides = Sides::new(root, generation, registry, &Change::default())?;
    let (findings, files) = (all_dead(&sides), sides.graph.file_count());
    Ok(CheckReport { files, ..reported(sides, findings) })
}

/// Sorts findings, and removes those that comments in the code suppress.
fn reported(sides: Sides<'_>, findings: Vec<Finding>) -> CheckReport {
    let sources = sides.sources();
    let text_of = |path: &str| sources.indexed(path).map(|file| sources.text(file).to_string()).unwrap_or_default();
    let (mut findings, ignored) = without_ignored(findings, text_of);
    findings.sort_by(|a, b| (&a.location, a.rule, &a.message).cmp(&(&b.location, b.rule, &b.message)));
    findings.dedup();
    let unlinked = sides.notices();
    let Sides { files, conflicts, broken, .. } = sides;
    CheckReport { findings, files: files.len(), ignored, conflicts, broken, not_looked_up: 0, unlinked }
}
