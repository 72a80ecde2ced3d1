//! Findings as SARIF 2.1.0 for code scanning: one run, all rules, places relative to the root.

use super::{Outcome, switch_off};
use crate::cli::settings::Severity;
use crate::render::line;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use whichfn_check::{FindingLocation, Rule};
use whichfn_text::path_lossy;

/// ASCII characters that a relative reference cannot contain.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const ROOT: &str = "%SRCROOT%";

/// Formats the output of `check --format sarif`.
pub(super) fn report(outcome: &Outcome) -> String {
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

fn level(severity: Severity) -> &'static str {
    if severity == Severity::Off { "none" } else { severity.name() }
}

/// Formats a path as a relative reference (RFC 3986): characters that are not allowed in it are
/// written as `%41`.
fn uri(path: &str) -> String {
    utf8_percent_encode(&path_lossy(path), ENCODED).to_string()
}
