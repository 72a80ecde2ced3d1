//! The `whichfn check` command.

mod baseline;
mod github;
mod json;
mod markdown;
mod questions;
mod sarif;
mod severity;
mod text;

pub(super) use severity::CheckSettings;

use super::common::CommonArgs;
use super::settings::Settings;
use super::{Exit, open, output, place};
use crate::check::{ChangeOf, CheckReport, Finding, Rule};
use crate::error::{Error, Kind, Result};
use crate::scan::find_root;
use crate::text::path_text;
use baseline::Baseline;
use clap::{Args, ValueEnum};
use severity::{FailOn, Severity};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Args)]
pub(super) struct CheckArgs {
    /// Files and directories whose uncommitted changes are checked [default: all].
    #[arg(value_name = "PATHS", conflicts_with_all = ["staged", "base", "from_ref"])]
    pub paths: Vec<PathBuf>,
    /// Check what would be committed; where pre-commit names two revisions instead, all that leads from one to the other.
    #[arg(long, conflicts_with_all = ["base", "from_ref"])]
    pub staged: bool,
    /// Check everything since the last commit that is also in the history of REV, such as origin/main.
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// Check everything that leads from this revision, or the last commit that both have, to that of --to-ref.
    #[arg(long, value_name = "REV", requires = "to_ref", conflicts_with = "base")]
    pub from_ref: Option<String>,
    /// Where the change of --from-ref ends: it need not be checked out.
    #[arg(long, value_name = "REV", requires = "from_ref")]
    pub to_ref: Option<String>,
    /// The repository [default: the one around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// How findings are printed [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<CheckFormat>,
    /// Print JSON: the same as --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Check by these rules alone: callers, dead, stale-doc, reuse, questions.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub only: Vec<String>,
    /// What makes the exit status 1: rules, and severities (note, warning, error), each with all above it; or never
    /// [default: warning].
    #[arg(long, value_name = "RULE|SEVERITY", value_delimiter = ',')]
    pub fail_on: Vec<String>,
    /// Leave out the findings that this file lists.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all findings into this file, to be left out from now on.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<PathBuf>,
    #[command(flatten)]
    pub shared: CommonArgs,
}

/// Format of the findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0, as code scanning takes it.
    Sarif,
    /// Annotations of a GitHub workflow.
    Github,
    /// A comment on a pull request.
    Markdown,
}

/// Findings to print, each with its severity.
struct Outcome {
    findings: Vec<(Finding, Severity)>,
    report: CheckReport,
    /// Number of findings that the baseline left out.
    known: usize,
}

pub(super) fn run(asked: &CheckArgs) -> Result<Exit> {
    let root = find_root(asked.directory.as_deref())?;
    let settings = Settings::read(&root)?;
    open::prepare(&asked.shared, &settings);
    let (rules, fail_on) = (rules(asked, &settings.check)?, FailOn::read(&asked.fail_on, &settings.check)?);
    let known = asked.baseline.as_deref().map(Baseline::read).transpose()?.unwrap_or_default();
    let of = change_of(asked, &root)?;
    let file = settings.check.question_file.as_deref().filter(|_| rules.contains(&Rule::Questions));
    let after = open::after(&root, &settings, &asked.shared, &of)?;
    let asked_questions = file.map(|path| questions::read(&after.root, path)).transpose()?.unwrap_or_default();
    let report = after.engine.check(&root, &of, &rules, &asked_questions)?;
    notices(asked, &report, after.is_elsewhere);
    if let Some(file) = &asked.write_baseline {
        Baseline::write(file, &report.findings)?;
        output::notice(&format!("{} written to {}", counted(report.findings.len(), "finding"), file.display()));
        return Ok(Exit::Found);
    }
    let all = report.findings.len();
    let findings = report.findings.iter().filter(|finding| !known.has(finding)).cloned();
    let findings: Vec<_> =
        findings.map(|f| (settings.check.severity(f.rule), f)).map(|(s, f)| (f, asked_for(s))).collect();
    let outcome = Outcome { known: all - findings.len(), findings, report };
    print(asked, &outcome, &root)?;
    let fails = outcome.findings.iter().any(|(finding, severity)| fail_on.fails(finding.rule, *severity));
    Ok(if fails { Exit::Nothing } else { Exit::Found })
}

fn print(asked: &CheckArgs, outcome: &Outcome, root: &Path) -> Result<()> {
    let format = if asked.json { CheckFormat::Json } else { asked.format.unwrap_or_default() };
    match format {
        CheckFormat::Text => {
            output::page(&text::page(outcome, &place::shown_root(asked.directory.as_deref(), root)))?;
            if !asked.shared.quiet {
                output::notice(&text::summary(outcome));
            }
            Ok(())
        }
        CheckFormat::Json => output::data(&json::report(outcome)),
        CheckFormat::Sarif => output::data(&sarif::report(outcome)),
        CheckFormat::Github => output::text(&github::annotations(outcome)),
        CheckFormat::Markdown => output::text(&markdown::comment(outcome)),
    }
}

/// Prints notices about what was left out.
fn notices(asked: &CheckArgs, report: &CheckReport, is_elsewhere: bool) {
    if asked.shared.quiet {
        return;
    }
    if is_elsewhere {
        output::notice(
            "the end of the change is not what is checked out: its files were read from git and indexed apart",
        );
    }
    for path in &report.conflicts {
        output::notice(&format!("{path} is left out: a merge in it is not settled"));
    }
    for path in &report.broken {
        output::notice(&format!("{path} is left out: it does not parse any more"));
    }
    if report.not_looked_up > 0 {
        output::notice(&format!(
            "{} are not compared with others: too many",
            counted(report.not_looked_up, "new function")
        ));
    }
}

/// Returns the rules to check: those on the command line, else those that are not off.
fn rules(asked: &CheckArgs, settings: &CheckSettings) -> Result<Vec<Rule>> {
    if asked.only.is_empty() {
        return Ok(Rule::ALL.into_iter().filter(|rule| settings.severity(*rule) != Severity::Off).collect());
    }
    asked.only.iter().map(|id| rule_of(id)).collect()
}

/// Returns the rule with an id.
fn rule_of(id: &str) -> Result<Rule> {
    Rule::ALL.into_iter().find(|rule| rule.id() == id).ok_or_else(|| {
        let all = Rule::ALL.map(Rule::id).join(", ");
        Error::new(Kind::Usage, format!("there is no rule {id}"), format!("rules: {all}"))
    })
}

fn change_of(asked: &CheckArgs, root: &Path) -> Result<ChangeOf> {
    if let Some((from, to)) = revisions(asked) {
        return Ok(ChangeOf::Between { from, to });
    }
    if asked.staged {
        return Ok(ChangeOf::Staged);
    }
    if let Some(revision) = &asked.base {
        return Ok(ChangeOf::Since(revision.clone()));
    }
    let below = |path: &PathBuf| {
        let place = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        // A deleted file cannot be resolved, but its directory may exist.
        let place = match (place.canonicalize(), place.parent().map(Path::canonicalize), place.file_name()) {
            (Ok(place), ..) => place,
            (_, Some(Ok(parent)), Some(name)) => parent.join(name),
            _ => place,
        };
        let inside =
            place.strip_prefix(root).map(|path| if path == Path::new("") { ".".to_owned() } else { path_text(path) });
        inside.map_err(|_| {
            let what = format!("{} is not in {}", path.display(), root.display());
            Error::new(Kind::Path, what, "name files of one repository, or the repository with --in DIR")
        })
    };
    Ok(ChangeOf::Uncommitted(asked.paths.iter().map(below).collect::<Result<_>>()?))
}

/// Returns the two revisions of `--from-ref` and `--to-ref`, or those that pre-commit passes to a
/// hook: a range, or the commits that a push would send.
fn revisions(asked: &CheckArgs) -> Option<(String, String)> {
    let given = |name| std::env::var(name).ok().filter(|revision| !revision.is_empty());
    match asked.staged {
        true => given("PRE_COMMIT_FROM_REF").zip(given("PRE_COMMIT_TO_REF")),
        false => asked.from_ref.clone().zip(asked.to_ref.clone()),
    }
}

/// Formats a count: `1 finding`, `2 findings`.
fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Returns the severity of a rule that was selected by name: a rule that is off counts as a note.
fn asked_for(severity: Severity) -> Severity {
    severity.max(Severity::Note)
}

/// Describes how to switch off a rule.
fn switch_off(rule: Rule) -> String {
    if rule == Rule::Questions {
        // The place of such a finding is a line of JSON, which has no comments.
        return "take the question out of the file, or [check] questions = \"off\" in whichfn.toml".to_owned();
    }
    format!(
        "whichfn: ignore[{0}] in a comment at the line or above it, or [check] {0} = \"off\" in whichfn.toml",
        rule.id()
    )
}
