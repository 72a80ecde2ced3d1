//! Findings for GitHub: as workflow annotations, one command per line, and as Markdown for a
//! comment on a pull request.

use super::{Outcome, text};
use crate::cli::choices::name;
use crate::cli::settings::Severity;
use whichfn_check::FindingLocation;
use whichfn_text::path_lossy;

/// Formats the output of `check --format github`: an annotation for each finding, and one for each
/// call or reference that it lists.
pub(super) fn annotations(outcome: &Outcome) -> String {
    let mut out = String::new();
    for (finding, severity) in &outcome.findings {
        let command = match severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note | Severity::Off => "notice",
        };
        let rule = finding.rule;
        let mut annotate = |place: &FindingLocation, message: &str| {
            let (file, title) = (property(&path_lossy(&place.path)), property(&format!("whichfn {}", rule.id())));
            out += &format!("::{command} file={file},line={},title={title}::{}\n", place.line, data(message));
        };
        let listed = |place: &FindingLocation| {
            format!("\n{}:{} {} {}", path_lossy(&place.path), place.line, place.name, place.note).trim_end().to_owned()
        };
        let others = finding.related.iter().filter(|_| !rule.lists_uses()).map(listed);
        annotate(&finding.location, &(finding.message.clone() + &others.collect::<String>()));
        let is_elsewhere = |place: &&FindingLocation| {
            rule.lists_uses() && (&place.path, place.line) != (&finding.location.path, finding.location.line)
        };
        for place in finding.related.iter().filter(is_elsewhere) {
            let around = if place.name.is_empty() { String::new() } else { format!("{} ", place.name) };
            annotate(place, &format!("{around}{}: {}", place.note, finding.message));
        }
    }
    for notice in outcome.report.notices() {
        out += &format!("::notice title=whichfn::{}\n", data(&notice));
    }
    out
}

/// Escapes the characters in a message that would end the line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the characters in a property that would end the line or the property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Formats the output of `check --format markdown`.
pub(super) fn comment(outcome: &Outcome) -> String {
    let mut out = format!("### whichfn check: {}\n", text::summary(outcome));
    for (finding, severity) in &outcome.findings {
        let (rule, place) = (finding.rule.id(), shown(&finding.location));
        out += &format!("\n- **{}** `{rule}` {place}: {}\n", name(severity), escaped(&finding.message));
        for place in &finding.related {
            let around = if place.name.is_empty() { String::new() } else { format!(" {}", code(&place.name)) };
            out += &format!("  - {}{around} {}\n", shown(place), escaped(&place.note));
        }
    }
    for notice in outcome.report.notices() {
        out += &format!("\n> {}\n", escaped(&notice));
    }
    if !outcome.findings.is_empty() {
        out += "\n<sub>To disable one: add a comment `whichfn: ignore[RULE]` at its line or above it, or set `[check] RULE = \"off\"` in `whichfn.toml`.</sub>\n";
    }
    out
}

fn shown(place: &FindingLocation) -> String {
    code(&format!("{}:{}", path_lossy(&place.path), place.line))
}

/// Formats a string as code between backticks, replacing backticks and line breaks in it.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'").replace(['\n', '\r'], " "))
}

/// Escapes the characters in running text that have a meaning in Markdown or HTML.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '@' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}
