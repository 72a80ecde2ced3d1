//! Renders answers to questions.

use super::place::{line, location, rounded, with_path};
use crate::engine::ReadingRecord;
use serde_json::{Value, json};
use whichfn_search::answer::{
    Answer, AnswerBasis, CodeLine, Duplicate, PassageResult, RepositoryOf, SearchResult, asks_for_docs,
};
use whichfn_search::search::Confidence;
use whichfn_text::{ForeignQuestion, path_lossy};

/// Function that returns the next step after an answer in the words of a front end; `None` if
/// nothing needs to be done.
pub type NextStep = fn(&Answer) -> Option<String>;

/// Renders an answer, with the trace of the reading if there was one.
pub fn answer(answer: &Answer, trace: Option<&ReadingRecord>, next: NextStep) -> Value {
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
            "oversized": index.unsearched.iter().filter(|(_, reason)| *reason == "oversized").count(),
            "refreshed_files": index.refreshed_files,
            "ms": rounded(index.ms),
        },
        "query_ms": rounded(answer.query_ms),
        "results": in_order(answer, result, passage),
        "answer": first(answer),
        "trust": answer.confidence.map(|confidence| trust(answer, confidence, next)),
    });
    if let Some(ForeignQuestion::Translated { english, .. }) = &answer.foreign {
        value["read_as"] = english.as_str().into();
    }
    if !answer.docs.is_empty() {
        value["other"] = json!({"kind": "docs", "results": answer.docs.iter().map(passage).collect::<Vec<_>>()});
    }
    if let Some(AnswerBasis::Graph(subject)) = &answer.basis {
        value["about"] = json!(subject.names());
        value["of"] = subject.of.iter().map(|one| location(&one.location)).collect();
        value["total"] = subject.total.into();
        if subject.uses > 0 {
            value["uses"] = subject.uses.into();
        }
    }
    if let Some(trace) = trace {
        value["trace"] = json!(trace);
    }
    if let Some(shards) = &answer.shards {
        value["shards"] = json!({"asked": shards.asked, "answered": shards.answered, "missing": shards.missing});
    }
    if answer.cut > 0 {
        value["cut"] = answer.cut.into();
    }
    value
}

/// Renders the first result and the chance that it is right; `None` if nothing fits.
fn first(answer: &Answer) -> Option<Value> {
    let (found, confidence) = (answer.results.first()?, answer.confidence.filter(Confidence::fits)?);
    let first = json!({
        "name": found.name,
        "start_line": found.start_line,
        "end_line": found.end_line,
        "confidence": score(confidence.right),
        "sure": confidence.is_sure(),
    });
    Some(with_origin(with_path(first, &found.path), found.origin.as_ref()))
}

/// Renders the trust in the first result, and the next step if there is one.
fn trust(answer: &Answer, confidence: Confidence, next: NextStep) -> Value {
    let next = docs_line(answer).map_or_else(|| next(answer), |line| Some(line.to_owned()));
    json!({"level": confidence.trust().name(), "chance": score(confidence.right), "next": next})
}

/// Returns a notice about a question that is not in English; `None` for an English question.
pub fn foreign_notice(answer: &Answer) -> Option<String> {
    Some(match answer.foreign.as_ref()? {
        ForeignQuestion::Translated { language, english } => {
            format!("the question seems to be in {language}; it was read as: {english}")
        }
        ForeignQuestion::Unknown => {
            "the question does not seem to be in English, and none of its words is known: ask in \
                                     English, or with names from the code"
                .to_owned()
        }
    })
}

/// Returns the line above the passages that follow an answer; `None` if there are none. It fits on a
/// terminal with 80 columns.
pub fn docs_line(answer: &Answer) -> Option<&'static str> {
    match answer.docs.is_empty() {
        true => None,
        false if asks_for_docs(&answer.query) => {
            Some("the question asks for documentation or a setting (more: --kind docs):")
        }
        false => Some("passages of text files with this name (more: --kind docs):"),
    }
}

/// Renders one line of JSON for each result.
pub fn result_lines(answer: &Answer) -> String {
    in_order(answer, |found| line(&result(found)), |found| line(&passage(found))).concat()
}

/// Returns the output for each result and passage, sorted by rank.
pub fn in_order<T>(
    answer: &Answer,
    mut result: impl FnMut(&SearchResult) -> T,
    mut passage: impl FnMut(&PassageResult) -> T,
) -> Vec<T> {
    let mut all: Vec<(usize, T)> = answer.results.iter().map(|found| (found.rank, result(found))).collect();
    all.extend(answer.passages.iter().map(|found| (found.rank, passage(found))));
    all.sort_by_key(|(rank, _)| *rank);
    all.into_iter().map(|(_, shown)| shown).collect()
}

/// Renders a passage of a text file.
pub fn passage(found: &PassageResult) -> Value {
    let mut value = json!({
        "rank": found.rank,
        "score": score(found.score),
        "kind": "passage",
        "format": found.format,
        "start_line": found.start_line,
        "end_line": found.end_line,
        "headings": found.headings,
        "best": found.best,
    });
    value = with_path(value, &found.path);
    add_snippet(&mut value, &found.snippet);
    value
}

/// Adds the shown lines, if there are any.
fn add_snippet(value: &mut Value, snippet: &[CodeLine]) {
    if !snippet.is_empty() {
        let lines = sorted(snippet);
        value["snippet"] = text_of(&lines).into();
        value["snippet_lines"] = lines.iter().map(|line| line.number).collect();
    }
}

/// Renders an item for each result, with its code, for Continue's HTTP context provider.
pub fn continue_items(answer: &Answer) -> Value {
    let item = |found: &SearchResult| {
        let place = format!("{}:{}", path_lossy(&found.path), found.line);
        let code = text_of(&sorted(&found.snippet));
        json!({
            "name": found.qualified_name,
            "description": place,
            "content": format!("{} in {place}\n\n{}", found.qualified_name, fenced(&found.language, &code)),
        })
    };
    answer.results.iter().map(item).collect()
}

/// Wraps code in a Markdown fence that is longer than any fence inside it.
fn fenced(language: &str, code: &str) -> String {
    let longest = code.lines().map(|line| line.trim_start().bytes().take_while(|&byte| byte == b'`').count()).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    format!("{fence}{language}\n{code}\n{fence}\n")
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
    value = with_origin(with_path(value, &found.path), found.origin.as_ref());
    if let Some(place) = found.cell {
        value["cell"] = place.cell.into();
        value["cell_line"] = place.line.into();
    }
    if !found.inside.is_empty() {
        value["inside"] = found.inside.as_str().into();
    }
    if !found.duplicates.is_empty() {
        value["alike"] = found.duplicates.iter().map(duplicate).collect();
    }
    add_snippet(&mut value, &found.snippet);
    value
}

/// Returns the shown lines of a result in the order of the file.
fn sorted(snippet: &[CodeLine]) -> Vec<&CodeLine> {
    let mut lines: Vec<&CodeLine> = snippet.iter().collect();
    lines.sort_by_key(|line| line.number);
    lines
}

fn text_of(lines: &[&CodeLine]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

fn duplicate(copy: &Duplicate) -> Value {
    let place =
        json!({"start_line": copy.start_line, "end_line": copy.end_line, "qualified_name": copy.qualified_name});
    with_origin(with_path(place, &copy.path), copy.origin.as_ref())
}

/// Adds the repository to a location, if the answer is from a fleet.
fn with_origin(mut place: Value, origin: Option<&RepositoryOf>) -> Value {
    if let Some(RepositoryOf { repository, revision }) = origin {
        place["repository"] = repository.as_str().into();
        place["revision"] = revision.as_str().into();
    }
    place
}

/// Rounds a score to five decimals: more digits carry no information, and the shorter number is the
/// same on every machine.
fn score(score: f32) -> f64 {
    (f64::from(score) * 1e5).round() / 1e5
}
