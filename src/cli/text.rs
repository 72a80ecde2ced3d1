//! Results for users: one screen, with locations to click and the reason for each result.

use super::advice;
use super::explanation::explanation;
use super::output;
use super::page::{DIM, LINE, NAME, Page};
use super::place::DisplayRoot;
use crate::engine::ReadingRecord;
use crate::render::{counted, docs_line, in_order};
use anstyle::Style;
use whichfn_memory::Value;
use whichfn_read::lookup::LookupTrace;
use whichfn_search::answer::{
    Answer, AnswerBasis, CodeLine, Evidence, GraphSubject, PassageResult, RelatedDefinition, SearchResult,
};
use whichfn_search::search::{Confidence, Trust};
use whichfn_text::{ellipsis, one_line, path_from_text, plain};

/// Indentation of the lines below a place.
const INDENT: &str = "    ";

/// Maximum length of a documentation line in a pipe.
const DOC: usize = 110;

/// Maximum number of reasons listed.
const REASONS: usize = 5;

/// Options for the display of an answer.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    /// Base of the paths.
    pub root: &'a DisplayRoot,
    /// True to explain the scores.
    pub explains: bool,
    /// True to show times and all measured numbers.
    pub is_verbose: bool,
    /// Maximum number of lines of code per result.
    pub code_lines: usize,
    /// True to show words outside the name that match the question.
    pub shows_reasons: bool,
    /// Columns of the terminal; the maximum value for a pipe.
    pub columns: usize,
    /// Maximum number of characters of documentation; 0 for none.
    pub doc: usize,
}

impl<'a> Shown<'a> {
    /// Returns the default display for this terminal or pipe: everything except explanations and
    /// times.
    pub fn new(root: &'a DisplayRoot) -> Self {
        let columns = output::screen().map(|(columns, _)| columns);
        Self {
            root,
            explains: false,
            is_verbose: false,
            code_lines: usize::MAX,
            shows_reasons: true,
            columns: columns.unwrap_or(usize::MAX),
            doc: columns.unwrap_or(DOC),
        }
    }
}

/// Formats the whole answer.
pub(super) fn answer(answer: &Answer, trace: Option<&ReadingRecord>, shown: Shown<'_>) -> Page {
    let Shown { explains: explain, is_verbose: timing, .. } = shown;
    let mut out = Page::default();
    let first = answer.results.first().map_or(1, |found| found.rank);
    if explain {
        out.styled(DIM, format_args!("asked as {}", answer.asked_as)).end();
        out.end();
    }
    let function = |found: &SearchResult| {
        let mut out = Page::default();
        let confidence = answer.confidence.filter(|confidence| found.rank == first && confidence.fits());
        result(&mut out, found, shown, confidence);
        if explain {
            explanation(&mut out, found, timing);
            if let Some(ReadingRecord::Reading(trace)) = trace {
                reading_notes(&mut out, trace, found);
            }
        }
        out.end();
        out
    };
    let passage = |found: &PassageResult| {
        let mut out = Page::default();
        self::passage(&mut out, found, shown);
        out.end();
        out
    };
    in_order(answer, function, passage).into_iter().for_each(|page| out.append(page));
    if answer.cut > 0 {
        out.styled(DIM, format_args!("{} more results do not fit into --max-tokens", answer.cut)).end();
    }
    if let Some(line) = answer.basis.as_ref().and_then(basis) {
        out.styled(DIM, line).end();
    }
    // A fleet has no strategies that read functions.
    let is_unsure =
        answer.shards.is_none() && answer.confidence.is_some_and(|confidence| confidence.trust() == Trust::Unsure);
    if let Some(next) = advice::after(Trust::Unsure, trace.is_some()).filter(|_| is_unsure) {
        out.styled(DIM, format_args!("unsure: {next}")).end();
    }
    if let Some(line) = docs_line(answer) {
        out.styled(DIM, line).end();
        out.end();
        for found in &answer.docs {
            self::passage(&mut out, found, shown);
            out.end();
        }
    }
    if timing {
        let index = &answer.index;
        let times = format!(
            "{} functions in {} files, {} left out · index {:.1} ms ({} files read) · search {:.1} ms",
            index.functions, index.files, index.skipped, index.ms, index.refreshed_files, answer.query_ms
        );
        out.styled(DIM, times).end();
    }
    out
}

/// Describes what an answer is based on instead of the ranking, if the results do not show it.
fn basis(basis: &AnswerBasis) -> Option<String> {
    let GraphSubject { relation, names, is_answered, uses } = match basis {
        AnswerBasis::Graph(subject) => subject,
        AnswerBasis::LiteralValue(name) => {
            return Some(format!("{name} contains this text; no function uses it by name"));
        }
        AnswerBasis::Untagged(name) => {
            return Some(format!("no entry has this name; these are the results for {name}"));
        }
    };
    let (what, of) = (relation.name(), names.join(", "));
    let command = relation.command()?;
    Some(match is_answered {
        true => format!("{what} of {of}; for more: whichfn {command} {}", argument(names.first()?)),
        false if *uses > 0 => {
            let (uses, name) = (counted(*uses, "other use"), argument(names.first()?));
            format!(
                "no {what} of {of} are known, but {uses} (whichfn references {name}); these are the results of a search"
            )
        }
        false => format!("no {what} of {of} are known; these are the results of a search"),
    })
}

/// Returns a name as an argument of a command. The name of a route contains a space and braces.
fn argument(name: &str) -> String {
    if name.contains([' ', '{']) { format!("'{name}'") } else { name.to_owned() }
}

fn result(out: &mut Page, found: &SearchResult, shown: Shown<'_>, confidence: Option<Confidence>) {
    let mut details = found.kind.clone().into_owned();
    if let Some(place) = found.cell {
        details += &format!(" · cell {}, line {}", place.cell, place.line);
    }
    if shown.explains {
        details += &format!(" · {:.2}", found.score);
    }
    if let Some(confidence) = confidence {
        details += &format!(" · {}", confidence.trust().name());
        if confidence.fits() {
            details += &format!(", {:.0} %", 100.0 * confidence.right);
        }
    }
    let (root, met) = (shown.root, &found.met[..]);
    out.place(&root.join(&path_from_text(&found.path)), found.line, None);
    let name = out.fitting_name(&found.qualified_name, shown.columns);
    out.put("  ").marked(NAME, &name, met).put("  ");
    // Start a new line if the confidence would be cut off.
    if confidence.is_some() && out.columns() + details.chars().count() > shown.columns {
        out.end();
        out.put(INDENT);
    }
    out.styled(DIM, details).end();
    if !found.signature.is_empty() {
        out.put(INDENT).marked(Style::new(), &found.signature, met).end();
    }
    if !found.inside.is_empty() {
        out.put(INDENT).styled(DIM, "in").put(" ").put(&found.inside).end();
    }
    let doc = plain(&found.doc);
    if !doc.is_empty() && shown.doc > 0 {
        out.put(INDENT).marked(DIM, &ellipsis(&one_line(&doc), shown.doc, "…"), met).end();
    }
    let mut reasons = found.reasons.clone();
    if shown.code_lines > 0 && !found.snippet.is_empty() {
        let seen = seen(found, shown);
        reasons.retain(|reason| !seen.contains(&reason.found.to_lowercase()));
    }
    if !reasons.is_empty() && shown.shows_reasons {
        reasons_line(out, &by_field(&reasons[..reasons.len().min(REASONS)]));
    }
    if !found.duplicates.is_empty() {
        out.put(INDENT).styled(DIM, format_args!("+{} alike:", found.duplicates.len()));
        for (number, copy) in found.duplicates.iter().enumerate() {
            out.put(if number == 0 { " " } else { ", " }).place(
                &root.join(&path_from_text(&copy.path)),
                copy.line,
                None,
            );
        }
        out.end();
    }
    lines(out, &found.snippet, shown.code_lines, met);
}

/// Prints a passage: its lines, its headings, and its best lines.
fn passage(out: &mut Page, found: &PassageResult, shown: Shown<'_>) {
    out.place(&shown.root.join(&path_from_text(&found.path)), found.start_line, None);
    if found.end_line > found.start_line {
        out.put("-").styled(LINE, found.end_line);
    }
    if !found.headings.is_empty() {
        out.put("  ").styled(NAME, found.headings.join(" › "));
    }
    if shown.explains {
        out.put("  ").styled(DIM, format_args!("{} · {:.2}", found.format, found.score));
    }
    out.end();
    if (found.snippet.is_empty() || shown.code_lines == 0) && !found.best.is_empty() {
        // The line is all that a passage shows, so it remains on the smallest screen.
        let most = if shown.doc == 0 { DOC } else { shown.doc };
        out.put(INDENT).styled(DIM, ellipsis(&one_line(&found.best), most, "…")).end();
    }
    lines(out, &found.snippet, shown.code_lines, &[]);
}

/// Returns the visible text of a result with code, in lower case: words in it need no further
/// reason.
fn seen(found: &SearchResult, shown: Shown<'_>) -> String {
    let doc = ellipsis(&one_line(&plain(&found.doc)), shown.doc, "");
    let code = found.snippet.iter().take(shown.code_lines).map(|line| line.text.as_str());
    [&found.signature, doc.as_str()].into_iter().chain(code).collect::<Vec<_>>().join("\n").to_lowercase()
}

/// Prints the most relevant lines of code, up to `most`, in file order.
fn lines(out: &mut Page, snippet: &[CodeLine], most: usize, met: &[String]) {
    let mut lines: Vec<&CodeLine> = snippet.iter().take(most).collect();
    lines.sort_by_key(|line| line.number);
    let width = lines.last().map_or(0, |line| line.number.to_string().len());
    for line in lines {
        out.put(INDENT).styled(DIM, format_args!("{:>width$} │", line.number)).put(" ").code(line, met).end();
    }
}

/// Prints related definitions, with the reasons.
pub(super) fn related(out: &mut Page, related: &[RelatedDefinition], root: &DisplayRoot) {
    for related in related {
        let location = &related.location;
        let weight = format!("{:.3}", related.weight);
        out.place(&root.join(&path_from_text(&location.path)), location.line, None);
        out.put("  ").styled(NAME, &location.name).put("  ");
        out.styled(DIM, format_args!("{} · relation {weight}", location.kind)).end();
        reasons_line(out, &related.reasons);
    }
}

fn reasons_line(out: &mut Page, reasons: &[String]) {
    out.put(INDENT).styled(DIM, "why:").put(" ");
    for (number, reason) in reasons.iter().enumerate() {
        if number > 0 {
            out.styled(DIM, " · ");
        }
        out.put(reason);
    }
    out.end();
}

/// Formats reasons, grouped by field: `bytes, text in body`.
fn by_field(reasons: &[Evidence]) -> Vec<String> {
    let mut fields: Vec<(&str, Vec<String>)> = Vec::new();
    for reason in reasons {
        let word = match reason.found.to_lowercase() == reason.query {
            true => reason.query.clone(),
            false => format!("{} → {}", reason.query, reason.found),
        };
        match fields.iter_mut().find(|(field, _)| *field == reason.field) {
            Some((_, all)) => all.push(word),
            None => fields.push((&reason.field, vec![word])),
        }
    }
    fields.into_iter().map(|(field, all)| format!("{} in {field}", all.join(", "))).collect()
}

/// Prints what the memory contains about a function that was read.
fn reading_notes(out: &mut Page, trace: &LookupTrace, found: &SearchResult) {
    let candidates = trace.memory.get("candidate_functions").and_then(Value::as_map);
    let SearchResult { path, line, qualified_name: name, .. } = found;
    let keys = [name.clone(), format!("{path}:{name}"), format!("{path}:{line}:{name}")];
    let Some(note) = keys.iter().find_map(|key| candidates?.get(key)) else { return };
    out.put("    noted on reading").end();
    for (part, value) in note.as_map().into_iter().flatten() {
        out.put(format_args!("    ├─ {part}: {}", value.as_str().unwrap_or_default())).end();
    }
}
