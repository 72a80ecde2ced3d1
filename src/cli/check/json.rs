//! Findings for programs, in the format of SPEC section 3.

use super::{Outcome, switch_off};
use crate::render::{line, with_path};
use serde_json::{Value, json};
use whichfn_check::FindingLocation;

/// Formats the output of `check --format json`.
pub(super) fn report(outcome: &Outcome) -> String {
    let findings = outcome.findings.iter().map(|(finding, severity)| {
        let mut value = place(&finding.location);
        value["rule"] = finding.rule.id().into();
        value["severity"] = severity.name().into();
        value["message"] = finding.message.clone().into();
        value["related"] = finding.related.iter().map(place).collect();
        value["fingerprint"] = finding.fingerprint().into();
        value["off"] = switch_off(finding.rule).into();
        value
    });
    line(&json!({
        "version": 1,
        "files": outcome.report.files,
        "findings": findings.collect::<Vec<_>>(),
        "ignored": outcome.report.ignored,
        "known": outcome.known,
        "conflicts": outcome.report.conflicts,
        "broken": outcome.report.broken,
        "not_looked_up": outcome.report.not_looked_up,
    }))
}

fn place(place: &FindingLocation) -> Value {
    let mut value = json!({"line": place.line, "name": place.name});
    if !place.note.is_empty() {
        value["note"] = place.note.clone().into();
    }
    with_path(value, &place.path)
}
