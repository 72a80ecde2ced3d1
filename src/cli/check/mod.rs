//! The `whichfn check` command.

mod baseline;
mod github;
mod json;
mod questions;
mod text;

use super::common::{CommonArgs, counted};
use super::fail_on::FailOn;
use super::settings::{CheckSettings, Severity};
use super::target::Target;
use super::ui::Ui;
use super::{Exit, output, place};
use baseline::Baseline;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use whichfn_check::{ChangeOf, CheckReport, Finding, Rule, read_change};
use whichfn_scan::find_root;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::path_text;

#[derive(Debug, Clone, Args)]
pub(super) struct CheckArgs {
    /// Check uncommitted changes in these files and directories [default: all].
    #[arg(value_name = "PATHS", conflicts_with_all = ["staged", "base", "from_ref"])]
    pub paths: Vec<PathBuf>,
    /// Check the staged changes; under pre-commit with two revisions, check the changes between
    /// them.
    #[arg(long, conflicts_with_all = ["base", "from_ref"])]
    pub staged: bool,
    /// Check all changes since the last common commit with REV, such as origin/main.
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// Check the changes from this revision, or its last common commit with --to-ref, to --to-ref.
    #[arg(long, value_name = "REV", requires = "to_ref", conflicts_with = "base")]
    pub from_ref: Option<String>,
    /// End of the range that starts at --from-ref; it need not be checked out.
    #[arg(long, value_name = "REV", requires = "from_ref")]
    pub to_ref: Option<String>,
    /// List the dead code of the whole repository: functions that nothing refers to.
    #[arg(long, conflicts_with_all = ["paths", "staged", "base", "from_ref", "only"])]
    pub dead: bool,
    /// The repository [default: the one around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// Output format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<CheckFormat>,
    /// Print JSON: the same as --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Check only these rules: callers, references, returns, dead, stale-doc, reuse, questions.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Findings that make the exit status 1: rules, or severities (note, warning, error) and above;
    /// or never [default: warning].
    #[arg(long, value_name = "RULE|SEVERITY", value_delimiter = ',')]
    pub fail_on: Vec<String>,
    /// Ignore the findings listed in this file.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all findings to this file, for --baseline.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<PathBuf>,
    #[command(flatten)]
    pub shared: CommonArgs,
}

/// Format of the findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    /// Text for a terminal.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations for a GitHub workflow.
    Github,
    /// Markdown, for a comment on a pull request.
    Markdown,
}

/// Findings to print, each with its severity.
struct Outcome {
    findings: Vec<(Finding, Severity)>,
    report: CheckReport,
    /// Number of findings that the baseline left out.
    known: usize,
    /// True if the whole repository was checked, and not a change.
    is_whole: bool,
}

pub(super) fn run(asked: &CheckArgs) -> Result<Exit> {
    let target = Target::read(find_root(asked.directory.as_deref())?, &asked.shared)?;
    let (root, settings) = (&target.root, &target.settings.check);
    let rules = rules(asked, settings)?;
    let set = settings.fail_on.as_deref().unwrap_or_default();
    let words = if asked.fail_on.is_empty() { set } else { &asked.fail_on };
    let fail_on = FailOn::read(words, &Rule::ALL.map(Rule::id), Some(Severity::Warning))?;
    let known = asked.baseline.as_deref().map(Baseline::read).transpose()?.unwrap_or_default();
    let mut notices = Vec::new();
    let report = if asked.dead {
        target.engine(false)?.check_dead()?
    } else {
        let change = change_of(asked, root)?;
        let file = settings.question_file.as_deref().filter(|_| rules.contains(&Rule::Questions));
        let after = target.after(&change)?;
        let questions = file.map(|path| questions::read(&after.root, path)).transpose()?.unwrap_or_default();
        let report = after.engine.check(root, &change, &rules, &questions)?;
        let elsewhere = match change {
            ChangeOf::Staged => "the working tree differs from what is staged: the staged files were checked",
            _ => "the end of the range is not checked out: its files were read from git and indexed separately",
        };
        notices.extend(after.is_elsewhere.then(|| elsewhere.to_owned()));
        if change == ChangeOf::Staged && report.files == 0 {
            unstaged_notice(target.ui, root);
        }
        report
    };
    notices.extend(report.notices());
    target.ui.notices(&notices);
    if let Some(file) = &asked.write_baseline {
        Baseline::write(file, &report.findings)?;
        output::notice(&format!("{} written to {}", counted(report.findings.len(), "finding"), file.display()));
        return Ok(Exit::Found);
    }
    let all = report.findings.len();
    let findings = report.findings.iter().filter(|finding| !known.has(finding)).cloned();
    let findings: Vec<_> = findings.map(|finding| (finding.clone(), severity(settings, &finding))).collect();
    let outcome = Outcome { known: all - findings.len(), findings, report, is_whole: asked.dead };
    print(asked, &outcome, &target)?;
    let fails = outcome.findings.iter().any(|(finding, severity)| fail_on.fails(finding.rule.id(), *severity));
    Ok(if fails { Exit::Nothing } else { Exit::Found })
}

fn print(asked: &CheckArgs, outcome: &Outcome, target: &Target<'_>) -> Result<()> {
    let format = if asked.json { CheckFormat::Json } else { asked.format.unwrap_or_default() };
    match format {
        CheckFormat::Text => {
            output::page(&text::page(outcome, &place::shown_root(asked.directory.as_deref(), &target.root)))?;
            target.ui.notice(&text::summary(outcome));
            Ok(())
        }
        CheckFormat::Json => output::data(&json::json(outcome)),
        CheckFormat::Sarif => output::data(&json::sarif(outcome)),
        CheckFormat::Github => output::text(&github::annotations(outcome)),
        CheckFormat::Markdown => output::text(&github::comment(outcome)),
    }
}

/// Prints which files have changes that are not staged, for a user who forgot `git add`.
pub(super) fn unstaged_notice(ui: Ui, root: &Path) {
    let Ok(change) = read_change(root, &ChangeOf::Uncommitted(Vec::new())) else { return };
    let paths: Vec<_> = change.files.iter().filter_map(|file| file.path.as_ref().or(file.old_path.as_ref())).collect();
    if let Some(first) = paths.first() {
        let more = if paths.len() > 1 { format!(" and {} more", paths.len() - 1) } else { String::new() };
        ui.notice(&format!(
            "nothing is staged; {first}{more} changed without being staged (omit --staged, or git add)"
        ));
    }
}

/// Returns the rules to check: the rules on the command line, or else all rules that are not off.
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
        Error::new(Kind::Usage, format!("unknown rule {id}"), format!("use one of: {all}"))
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
            Error::new(Kind::Path, what, "pass files of one repository, or the repository with --in DIR")
        })
    };
    Ok(ChangeOf::Uncommitted(asked.paths.iter().map(below).collect::<Result<_>>()?))
}

/// Returns the two revisions of `--from-ref` and `--to-ref`, or the revisions that pre-commit
/// passes to a hook: a range, or the commits that a push would send.
fn revisions(asked: &CheckArgs) -> Option<(String, String)> {
    let given = |name| std::env::var(name).ok().filter(|revision| !revision.is_empty());
    match asked.staged {
        true => given("PRE_COMMIT_FROM_REF").zip(given("PRE_COMMIT_TO_REF")),
        false => asked.from_ref.clone().zip(asked.to_ref.clone()),
    }
}

/// Returns the severity of a finding. A finding that is a guess is a note, and so is a finding of a
/// rule that is off but was selected by name.
fn severity(settings: &CheckSettings, finding: &Finding) -> Severity {
    if finding.is_guess { Severity::Note } else { settings.severity(finding.rule).max(Severity::Note) }
}

/// Describes how to switch off a rule.
fn switch_off(rule: Rule) -> String {
    if rule == Rule::Questions {
        // The place of such a finding is a line of JSON, which has no comments.
        return "remove the question from the file, or set [check] questions = \"off\" in whichfn.toml".to_owned();
    }
    format!(
        "add a comment `whichfn: ignore[{0}]` at the line or above it, or set [check] {0} = \"off\" in whichfn.toml",
        rule.id()
    )
}
