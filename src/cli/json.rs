//! Results for programs: the shapes of SPEC section 3, version 1.

use super::advice;
use crate::answer::{Answer, CodeLine, DefinitionLocation, Duplicate, SearchResult};
use crate::engine::HowRead;
use crate::search::Confidence;
use crate::text::{path_bytes, path_lossy};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};

/// `ask --json`.
pub(super) fn answer(answer: &Answer, trace: Option<&HowRead>) -> String {
    let index = &answer.index;
    let mut value = json!({
        "version": 1,
        "query": answer.query,
        "root": answer.root,
        "asked_as": answer.asked_as,
        "strategy": answer.strategy,
        "index": {
            "files": index.files,
            "functions": index.functions,
            "skipped": index.skipped,
            "refreshed_files": index.refreshed_files,
            "ms": rounded(index.ms),
        },
        "query_ms": rounded(answer.query_ms),
        "results": answer.results.iter().map(result).collect::<Vec<_>>(),
        "answer": first(answer),
        "trust": answer.confidence.map(|confidence| trust(confidence, trace.is_some())),
    });
    if let Some(trace) = trace {
        value["trace"] = json!(trace);
    }
    if answer.cut > 0 {
        value["cut"] = answer.cut.into();
    }
    line(&value)
}

/// The first result, if anything fits, and the chance that it is right.
fn first(answer: &Answer) -> Option<Value> {
    let (found, confidence) = (answer.results.first()?, answer.confidence.filter(Confidence::fits)?);
    let first = json!({
        "name": found.name,
        "start_line": found.start_line,
        "end_line": found.end_line,
        "confidence": score(confidence.right),
        "sure": confidence.is_sure(),
    });
    Some(with_path(first, &found.path))
}

/// How far to trust the first result, and what to do next if that is not far.
fn trust(confidence: Confidence, was_read: bool) -> Value {
    let trust = confidence.trust();
    json!({"level": trust.name(), "chance": score(confidence.right), "next": advice::after(trust, was_read)})
}

/// `ask --jsonl`.
pub(super) fn lines(answer: &Answer) -> String {
    answer.results.iter().map(|found| line(&result(found))).collect()
}

fn result(found: &SearchResult) -> Value {
    let evidence = found.evidence.iter().map(
        |e| json!({"part": e.part, "query": e.query, "found": e.found, "field": e.field, "weight": score(e.weight)}),
    );
    let mut value = json!({
        "rank": found.rank,
        "score": score(found.score),
        "scores": {"independent": score(found.independent), "environment": score(found.environment), "semantic": found.semantic.map(score)},
        "kind": found.kind,
        "language": found.language,
        "name": found.name,
        "qualified_name": found.qualified_name,
        "start_line": found.start_line,
        "end_line": found.end_line,
        "line": found.line,
        "signature": found.signature,
        "doc": found.doc,
        "evidence": evidence.collect::<Vec<_>>(),
    });
    value = with_path(value, &found.path);
    if !found.inside.is_empty() {
        value["inside"] = found.inside.as_str().into();
    }
    if !found.duplicates.is_empty() {
        value["alike"] = found.duplicates.iter().map(duplicate).collect();
    }
    if !found.snippet.is_empty() {
        let mut lines: Vec<&CodeLine> = found.snippet.iter().collect();
        lines.sort_by_key(|line| line.number);
        let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        value["snippet"] = text.join("\n").into();
        value["snippet_lines"] = lines.iter().map(|line| line.number).collect();
    }
    value
}

fn duplicate(of: &Duplicate) -> Value {
    let place = json!({"start_line": of.start_line, "end_line": of.end_line, "qualified_name": of.qualified_name});
    with_path(place, &of.path)
}

/// A place with its path. A name that is no UTF-8 stands with U+FFFD in `path`, and byte for byte, in base64, in
/// `path_bytes`.
pub(super) fn with_path(mut place: Value, path: &str) -> Value {
    place["path"] = path_lossy(path).into();
    if let Some(bytes) = path_bytes(path) {
        place["path_bytes"] = BASE64_STANDARD.encode(bytes).into();
    }
    place
}

/// A definition and its place.
pub(super) fn location(location: &DefinitionLocation) -> Value {
    let place = json!({
        "start_line": location.start_line,
        "end_line": location.end_line,
        "line": location.line,
        "name": location.name,
        "kind": location.kind,
    });
    with_path(place, &location.path)
}

/// A value on a line of its own.
pub(super) fn line(value: &Value) -> String {
    format!("{value}\n")
}

/// Five digits say all that a score can; a shorter number is the same on every machine.
fn score(score: f32) -> f64 {
    (f64::from(score) * 1e5).round() / 1e5
}

/// Milliseconds to the microsecond.
pub(super) fn rounded(ms: f64) -> f64 {
    (ms * 1e3).round() / 1e3
}
