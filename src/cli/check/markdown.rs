//! Findings as Markdown, for a comment on a pull request.

use super::{Outcome, text};
use whichfn_check::FindingLocation;
use whichfn_text::path_lossy;

/// Formats the output of `check --format markdown`.
pub(super) fn comment(outcome: &Outcome) -> String {
    let mut out = format!("### whichfn check: {}\n", text::summary(outcome));
    for (finding, severity) in &outcome.findings {
        let (rule, place) = (finding.rule.id(), shown(&finding.location));
        out += &format!("\n- **{}** `{rule}` {place}: {}\n", severity.name(), escaped(&finding.message));
        for place in &finding.related {
            let around = if place.name.is_empty() { String::new() } else { format!(" {}", code(&place.name)) };
            out += &format!("  - {}{around} {}\n", shown(place), escaped(&place.note));
        }
    }
    if !outcome.findings.is_empty() {
        out += "\n<sub>To disable one: add a comment `whichfn: ignore[RULE]` at its line or above it, or set `[check] RULE = \"off\"` in `whichfn.toml`.</sub>\n";
    }
    out
}

fn shown(place: &FindingLocation) -> String {
    code(&format!("{}:{}", path_lossy(&place.path), place.line))
}

/// Formats a text as code between backticks, replacing backticks and line breaks in it.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'").replace(['\n', '\r'], " "))
}

/// Escapes running text: characters that have a meaning in Markdown or HTML.
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
