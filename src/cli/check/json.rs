//! Findings for programs: in the format of SPEC section 3, and as SARIF 2.1.0 for code scanning,
//! with one run, all rules, and locations relative to the root.

use super::{Outcome, switch_off};
use crate::cli::settings::Severity;
use crate::render::{line, with_notices, with_path};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use whichfn_check::{FindingLocation, Rule};
use whichfn_text::path_lossy;

/// ASCII characters that a relative reference cannot contain.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const ROOT: &str = "%SRCROOT%";

/// Formats the output of `check --format json`.
pub(super) fn json(outcome: &Outcome) -> String {
    let findings = outcome.findings.iter().map(|(finding, severity)| {
        let mut value = place(&finding.location);
        value["rule"] = finding.rule.id().into();
        value["severity"] = json!(severity);
        value["message"] = finding.message.clone().into();
        value["related"] = finding.related.iter().map(place).collect();
        value["fingerprint"] = finding.fingerprint().into();
        value["off"] = switch_off(finding.rule).into();
        value
    });
    let value = json!({
        "version": 1,
        "files": outcome.report.files,
        "findings": findings.collect::<Vec<_>>(),
        "ignored": outcome.report.ignored,
        "known": outcome.known,
        "conflicts": outcome.report.conflicts,
        "broken": outcome.report.broken,
        "not_looked_up": outcome.report.not_looked_up,
    });
    line(&with_notices(value, &outcome.report.notices()))
}

fn place(place: &FindingLocation) -> Value {
    let mut value = json!({"line": place.line, "name": place.name});
    if !place.note.is_empty() {
        value["note"] = place.note.clone().into();
    }
    with_path(value, &place.path)
}

/// Formats the output of `check --format sarif`.
pub(super) fn sarif(outcome: &Outcome) -> String {
    let results = outcome.findings.iter().map(|(finding, severity)| {
        let related = finding.related.iter().enumerate().map(|(number, place)| {
            let mut value = location(place);
            value["id"] = (number + 1).into();
            value["message"] = json!({"text": format!("{} {}", place.name, place.note).trim()});
            value
        });
        json!({
            "ruleId": finding.rule.id(),
            "ruleIndex": Rule::ALL.iter().position(|rule| *rule == finding.rule),
            "level": level(*severity),
            "message": {"text": format!("{}.", finding.message)},
            "locations": [location(&finding.location)],
            "relatedLocations": related.collect::<Vec<_>>(),
            "partialFingerprints": {"whichfn/v1": finding.fingerprint()},
        })
    });
    let notices = outcome.report.left_out().into_iter().map(|(path, text)| {
        let places =
            path.map(|path| json!({"physicalLocation": {"artifactLocation": {"uri": uri(path), "uriBaseId": ROOT}}}));
        let locations: Vec<Value> = places.into_iter().collect();
        json!({"level": "warning", "message": {"text": format!("{text}.")}, "locations": locations})
    });
    line(&json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "whichfn",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": Rule::ALL.map(described),
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notices.collect::<Vec<_>>(),
            }],
            "results": results.collect::<Vec<_>>(),
        }],
    }))
}

fn described(rule: Rule) -> Value {
    json!({
        "id": rule.id(),
        "shortDescription": {"text": format!("{}.", rule.about())},
        "help": {"text": format!("To disable it: {}.", switch_off(rule))},
    })
}

fn location(place: &FindingLocation) -> Value {
    let mut value = json!({"physicalLocation": {
        "artifactLocation": {"uri": uri(&place.path), "uriBaseId": ROOT},
        "region": {"startLine": place.line.max(1)},
    }});
    if !place.name.is_empty() {
        value["logicalLocations"] = json!([{"fullyQualifiedName": place.name, "kind": "function"}]);
    }
    value
}

fn level(severity: Severity) -> Value {
    if severity == Severity::Off { "none".into() } else { json!(severity) }
}

/// Formats a path as a relative reference (RFC 3986): characters that are not allowed in it are
/// written as `%41`.
fn uri(path: &str) -> String {
    utf8_percent_encode(&path_lossy(path), ENCODED).to_string()
}
