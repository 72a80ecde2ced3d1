//! Findings as annotations of a GitHub workflow: one command per line.

use super::Outcome;
use crate::cli::settings::Severity;
use whichfn_text::path_lossy;

/// Formats the output of `check --format github`.
pub(super) fn annotations(outcome: &Outcome) -> String {
    let mut out = String::new();
    for (finding, severity) in &outcome.findings {
        let command = match severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note | Severity::Off => "notice",
        };
        let related = finding.related.iter().map(|place| {
            format!("\n{}:{} {} {}", path_lossy(&place.path), place.line, place.name, place.note).trim_end().to_owned()
        });
        let message = finding.message.clone() + &related.collect::<String>();
        let place = &finding.location;
        let (file, title) = (property(&path_lossy(&place.path)), property(&format!("whichfn {}", finding.rule.id())));
        out += &format!("::{command} file={file},line={},title={title}::{}\n", place.line, data(&message));
    }
    out
}

/// Escapes a message: characters that would end the line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property: also the characters that would end it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
