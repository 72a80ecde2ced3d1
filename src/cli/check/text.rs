//! Findings for users: the location, the message, the related locations, and how to switch off the
//! rule.

use super::super::common::counted;
use super::{Outcome, switch_off};
use crate::cli::choices::name;
use crate::cli::layout::Part;
use crate::cli::page::{DIM, Page};
use crate::cli::place::DisplayRoot;
use crate::cli::settings::Severity;
use anstyle::{AnsiColor, Style};
use whichfn_text::path_from_text;

/// Maximum number of related locations listed for a finding; JSON contains all of them.
const MOST: usize = 10;

fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => AnsiColor::Red.on_default().bold(),
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Note | Severity::Off => AnsiColor::Cyan.on_default(),
    }
}

/// Formats all findings.
pub(super) fn page(outcome: &Outcome, root: &DisplayRoot) -> Page {
    let mut out = Page::default();
    for (finding, severity) in &outcome.findings {
        let place = &finding.location;
        out.place(&root.join(&path_from_text(&place.path)), place.line, None);
        out.put("  ").part(Part::Prose, |out| {
            out.styled(style(*severity), name(severity)).put(format_args!(
                "[{}] {}",
                finding.rule.id(),
                finding.message
            ))
        });
        out.end();
        for place in finding.related.iter().take(MOST) {
            out.put("    ").place(&root.join(&path_from_text(&place.path)), place.line, None);
            if !place.name.is_empty() {
                out.put("  ").part(Part::Name, |out| out.put(&place.name));
            }
            out.put("  ").part(Part::Kept, |out| out.styled(DIM, &place.note)).end();
        }
        if finding.related.len() > MOST {
            out.put(format_args!("    and {} more", finding.related.len() - MOST)).end();
        }
        out.put("    ").prose(DIM, format_args!("off: {}", switch_off(finding.rule)));
    }
    out
}

/// Formats one line with the number of findings and of files.
pub(super) fn summary(outcome: &Outcome) -> String {
    let left_out = [(outcome.known, "in the baseline"), (outcome.report.ignored, "ignored in the code")];
    let left_out = left_out.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
    let findings = match outcome.findings.len() {
        0 => "nothing found".to_owned(),
        count => counted(count, "finding"),
    };
    let file = if outcome.is_whole { "file" } else { "changed file" };
    format!("{findings} in {}{}", counted(outcome.report.files, file), left_out.collect::<String>())
}
