//! Results for users: one screen, with locations to click and the reason for each result.

use super::advice;
use super::explanation::explanation;
use super::fit::Detail;
use super::layout::Part;
use super::output;
use super::page::{DIM, LINE, NAME, Page, quoted};
use super::place::DisplayRoot;
use crate::engine::ReadingRecord;
use crate::render::{docs_line, in_order};
use anstyle::{AnsiColor, Style};
use whichfn_memory::Value;
use whichfn_read::lookup::LookupTrace;
use whichfn_search::answer::{
    Answer, AnswerBasis, CodeLine, DefinitionLocation, Duplicate, Evidence, GraphSubject, PassageResult, SearchResult,
};
use whichfn_search::search::{Confidence, Trust};
use whichfn_text::{ellipsis, one_line, path_from_text, plain};

/// Indentation of the lines below a place.
const INDENT: &str = "    ";

/// Maximum length of a documentation line in a pipe.
const DOC: usize = 110;

/// Maximum number of reasons listed.
const REASONS: usize = 5;
/// Maximum number of near-duplicates listed with a result.
const DUPLICATES: usize = 2;

/// Options for the display of an answer.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    /// Base of the paths.
    pub root: &'a DisplayRoot,
    /// True to explain the scores.
    pub explains: bool,
    /// True to show times and all measured numbers.
    pub is_verbose: bool,
    /// Number of lines of each result.
    pub detail: Detail,
    /// Maximum number of characters of documentation.
    pub doc: usize,
}

impl<'a> Shown<'a> {
    /// Returns the default display for this terminal or pipe: everything except explanations and
    /// times.
    pub fn new(root: &'a DisplayRoot) -> Self {
        Self {
            root,
            explains: false,
            is_verbose: false,
            detail: Detail::ALL,
            doc: output::screen().map_or(DOC, |(columns, _)| columns),
        }
    }
}

/// Formats the whole answer.
pub(super) fn answer(answer: &Answer, trace: Option<&ReadingRecord>, shown: Shown<'_>) -> Page {
    let Shown { explains: explain, is_verbose: timing, .. } = shown;
    let mut out = Page::default();
    let ranks = answer.results.iter().map(|found| found.rank).chain(answer.passages.iter().map(|found| found.rank));
    let first = ranks.min().unwrap_or(1);
    if explain {
        out.styled(DIM, format_args!("asked as {}", answer.asked_as)).end();
        out.end();
    }
    if let Some(line) = missing(answer, shown.root).filter(|_| answer.shown() > 0) {
        out.prose(NAME, line);
        out.end();
    }
    let function = |found: &SearchResult| {
        let mut out = Page::default();
        let confidence = answer.confidence.filter(|confidence| found.rank == first && confidence.fits());
        result(&mut out, found, shown, (found.rank - first, confidence));
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
        self::passage(&mut out, found, shown, found.rank - first);
        out.end();
        out
    };
    in_order(answer, function, passage).into_iter().for_each(|page| out.append(page));
    if answer.cut > 0 {
        out.prose(DIM, format_args!("{} more results do not fit into --max-tokens", answer.cut));
    }
    if let Some(line) = basis(answer, shown.root) {
        out.prose(DIM, line);
    }
    // A fleet has no strategies that read functions.
    let is_unsure =
        answer.shards.is_none() && answer.confidence.is_some_and(|confidence| confidence.trust() == Trust::Unsure);
    if let Some(next) = advice::after(answer).filter(|_| is_unsure) {
        out.prose(DIM, format_args!("unsure: {next}"));
    }
    if let Some(line) = docs_line(answer) {
        out.prose(DIM, line);
        out.end();
        for (number, found) in answer.docs.iter().enumerate() {
            self::passage(&mut out, found, shown, answer.results.len() + number);
            out.end();
        }
    }
    if timing {
        let index = &answer.index;
        let times = format!(
            "{} functions in {} files, {} left out · index {:.1} ms ({} files read) · search {:.1} ms",
            index.functions, index.files, index.skipped, index.ms, index.refreshed_files, answer.query_ms
        );
        out.prose(DIM, times);
    }
    out
}

/// Describes what an answer is based on instead of the ranking, if the results do not show it.
fn basis(answer: &Answer, root: &DisplayRoot) -> Option<String> {
    match answer.basis.as_ref()? {
        AnswerBasis::Graph(subject) => counted(subject, answer, root),
        AnswerBasis::LiteralValue(name) => Some(format!("{name} contains this text; no function uses it by name")),
        AnswerBasis::Untagged(name) => Some(format!("no entry has this name; these are the results for {name}")),
    }
}

/// Counts the members of a list, and returns the command that lists all of them.
fn counted(subject: &GraphSubject, answer: &Answer, root: &DisplayRoot) -> Option<String> {
    let shown = answer.results.iter().map(|found| 1 + found.duplicates.len()).sum();
    let count = subject.counted(shown, |of| displayed(root, of))?;
    let command = subject.relation.command()?;
    let name = match &subject.of[..] {
        [one] => argument(&one.location.name),
        // `implementations` takes one definition.
        [first, ..] if command.starts_with("implementations") => displayed(root, &first.location),
        _ => format!("{} --all", argument(&subject.typed)),
    };
    Some(format!("{count}; for more: whichfn {command} {name}"))
}

/// Returns why the graph does not answer a question about it; `None` if it does.
pub(super) fn missing(answer: &Answer, root: &DisplayRoot) -> Option<String> {
    let Some(AnswerBasis::Graph(subject)) = &answer.basis else { return None };
    let missing = subject.missing(|of| displayed(root, of))?;
    let is_ambiguous = subject.matches > 0 && subject.of.is_empty();
    let command = subject.relation.command().filter(|_| is_ambiguous);
    let next = command.map(|command| format!("; to choose one: whichfn {command} {}", argument(&subject.typed)));
    let instead = if answer.shown() > 0 { "; these are the results of a search" } else { "" };
    Some(format!("{missing}{instead}{}", next.unwrap_or_default()))
}

fn displayed(root: &DisplayRoot, of: &DefinitionLocation) -> String {
    format!("{}:{}", quoted(&root.join(&path_from_text(&of.path))), of.line)
}

/// Returns a name as an argument of a command. The name of a route contains a space and braces.
fn argument(name: &str) -> String {
    if name.contains([' ', '{']) { format!("'{name}'") } else { name.to_owned() }
}

/// Prints a result, of which the first has number 0 and may have a confidence.
fn result(out: &mut Page, found: &SearchResult, shown: Shown<'_>, (number, trust): (usize, Option<Confidence>)) {
    let mut details = found.kind.clone().into_owned();
    if let Some(place) = found.cell {
        details += &format!(" · cell {}, line {}", place.cell, place.line);
    }
    if shown.explains {
        details += &format!(" · {:.2}", found.score);
    }
    let (root, met) = (shown.root, &found.met[..]);
    out.place(&root.join(&path_from_text(&found.path)), found.line, None);
    out.put("  ").part(Part::Name, |out| out.marked(NAME, &found.qualified_name, met)).put("  ");
    // The confidence moves to the next row if it does not fit; the kind alone is cut.
    match trust {
        Some(one) => out.part(Part::Kept, |out| confidence(out.styled(DIM, details), one)).end(),
        None => out.styled(DIM, details).end(),
    }
    if !found.signature.is_empty() {
        out.put(INDENT).marked(Style::new(), &found.signature, met).end();
    }
    if !found.inside.is_empty() {
        out.put(INDENT).styled(DIM, "in").put(" ").put(&found.inside).end();
    }
    let doc = plain(&found.doc);
    if !doc.is_empty() && shown.detail.shows_doc() {
        out.put(INDENT).marked(DIM, &ellipsis(&one_line(&doc), shown.doc, "…"), met).end();
    }
    let mut reasons = found.reasons.clone();
    let code_lines = shown.detail.code_lines(number);
    if code_lines > 0 && !found.snippet.is_empty() {
        let seen = seen(found, shown, code_lines);
        reasons.retain(|reason| !seen.contains(&reason.found.to_lowercase()));
    }
    if !reasons.is_empty() && shown.detail.shows_reasons(number) {
        reasons_line(out, &by_field(&reasons[..reasons.len().min(REASONS)]));
    }
    duplicates(out, &found.duplicates, root);
    lines(out, &found.snippet, code_lines, met);
}

/// Prints how much to trust an answer.
fn confidence(out: &mut Page, confidence: Confidence) -> &mut Page {
    let color = match confidence.trust() {
        Trust::Sure => AnsiColor::Green,
        Trust::Likely => AnsiColor::Cyan,
        Trust::Unsure | Trust::NothingFits => AnsiColor::Yellow,
    };
    let label = format!("{}, {:.0} %", confidence.trust().name(), 100.0 * confidence.right);
    out.styled(DIM, " · ").styled(color.on_default().bold(), label)
}

/// Prints the locations of the first near-duplicates, and how to list the others.
fn duplicates(out: &mut Page, all: &[Duplicate], root: &DisplayRoot) {
    if all.is_empty() {
        return;
    }
    out.put(INDENT).styled(DIM, format_args!("+{} alike:", all.len()));
    for (number, copy) in all.iter().take(DUPLICATES).enumerate() {
        out.put(if number == 0 { " " } else { ", " });
        out.place(&root.join(&path_from_text(&copy.path)), copy.line, None);
    }
    if all.len() > DUPLICATES {
        let more = format!("and {} more (--no-fold lists them)", all.len() - DUPLICATES);
        out.put("  ").part(Part::Kept, |out| out.styled(DIM, more));
    }
    out.end();
}

/// Prints a passage: its lines, its headings, and its best lines.
fn passage(out: &mut Page, found: &PassageResult, shown: Shown<'_>, number: usize) {
    let code_lines = shown.detail.code_lines(number);
    out.place(&shown.root.join(&path_from_text(&found.path)), found.start_line, None);
    if found.end_line > found.start_line {
        out.part(Part::Position, |out| out.put("-").styled(LINE, found.end_line));
    }
    if !found.headings.is_empty() {
        out.put("  ").name(found.headings.join(" › "));
    }
    if shown.explains {
        out.put("  ").styled(DIM, format_args!("{} · {:.2}", found.format, found.score));
    }
    out.end();
    if (found.snippet.is_empty() || code_lines == 0) && !found.best.is_empty() {
        // The line is all that a passage shows, so it remains on the smallest screen.
        let most = if shown.doc == 0 { DOC } else { shown.doc };
        out.put(INDENT).styled(DIM, ellipsis(&one_line(&found.best), most, "…")).end();
    }
    lines(out, &found.snippet, code_lines, &[]);
}

/// Returns the visible text of a result with code, in lower case: words in it need no further
/// reason.
fn seen(found: &SearchResult, shown: Shown<'_>, code_lines: usize) -> String {
    let doc = ellipsis(&one_line(&plain(&found.doc)), shown.doc, "");
    let code = found.snippet.iter().take(code_lines).map(|line| line.text.as_str());
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

/// Prints the reasons why something is listed.
pub(super) fn reasons_line(out: &mut Page, reasons: &[String]) {
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
