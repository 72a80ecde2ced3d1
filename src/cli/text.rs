//! Results for a person: one screen, places to click, the reason beside each.

use super::advice;
use super::explanation::explanation;
use super::page::{DIM, NAME, Page};
use super::place::ShownRoot;
use crate::answer::{Answer, CodeLine, Evidence, RelatedDefinition, SearchResult};
use crate::engine::HowRead;
use crate::lookup::LookupTrace;
use crate::memory::Value;
use crate::search::{Confidence, Trust};
use crate::text::{ellipsis, one_line, path_of, plain};
use anstyle::Style;

/// What stands before the lines below a place.
const INDENT: &str = "    ";

/// The longest documentation line in a pipe.
pub(super) const DOC: usize = 110;

/// Reasons that are listed.
const REASONS: usize = 5;

/// How an answer is shown.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    /// Where its paths begin.
    pub root: &'a ShownRoot,
    /// With what the scores are made of.
    pub explains: bool,
    /// With times and all that is measured.
    pub is_verbose: bool,
    /// Lines of code of each result, at most.
    pub code_lines: usize,
    /// With the words that met the question elsewhere than in the name.
    pub has_why: bool,
    /// Columns of the terminal; the most there are for a pipe.
    pub columns: usize,
    /// Characters of documentation; 0 for none.
    pub doc: usize,
}

/// The whole answer.
pub(super) fn answer(answer: &Answer, trace: Option<&HowRead>, shown: Shown<'_>) -> Page {
    let Shown { explains: explain, is_verbose: timing, .. } = shown;
    let mut out = Page::default();
    if explain {
        out.styled(DIM, format_args!("asked as {}", answer.asked_as)).end();
        out.end();
    }
    for found in &answer.results {
        let confidence = answer.confidence.filter(|confidence| found.rank == 1 && confidence.fits());
        result(&mut out, found, shown, confidence);
        if explain {
            explanation(&mut out, found, timing);
            if let Some(HowRead::Reading(trace)) = trace {
                noted(&mut out, trace, found);
            }
        }
        out.end();
    }
    if answer.cut > 0 {
        out.styled(DIM, format_args!("{} more did not fit --max-tokens", answer.cut)).end();
    }
    // A fleet reads nothing on.
    let is_unsure =
        answer.shards.is_none() && answer.confidence.is_some_and(|confidence| confidence.trust() == Trust::Unsure);
    if let Some(next) = advice::after(Trust::Unsure, trace.is_some()).filter(|_| is_unsure) {
        out.styled(DIM, format_args!("unsure: {next}")).end();
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

fn result(out: &mut Page, found: &SearchResult, shown: Shown<'_>, confidence: Option<Confidence>) {
    let mut said = found.kind.clone().into_owned();
    if shown.explains {
        said += &format!(" · {:.2}", found.score);
    }
    if let Some(confidence) = confidence {
        said += &format!(" · {}, {:.0} %", confidence.trust().name(), 100.0 * confidence.right);
    }
    let (root, met) = (shown.root, &found.met[..]);
    out.place(&root.join(&path_of(&found.path)), found.line, None);
    let name = out.fitting_name(&found.qualified_name, shown.columns);
    out.put("  ").marked(NAME, &name, met).put("  ");
    // How sure it is must not be what is cut off.
    if confidence.is_some() && out.columns() + said.chars().count() > shown.columns {
        out.end();
        out.put(INDENT);
    }
    out.styled(DIM, said).end();
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
    if !reasons.is_empty() && shown.has_why {
        why(out, &by_field(&reasons[..reasons.len().min(REASONS)]));
    }
    if !found.duplicates.is_empty() {
        out.put(INDENT).styled(DIM, format_args!("+{} alike:", found.duplicates.len()));
        for (number, of) in found.duplicates.iter().enumerate() {
            out.put(if number == 0 { " " } else { ", " }).place(&root.join(&path_of(&of.path)), of.line, None);
        }
        out.end();
    }
    code(out, found, shown.code_lines);
}

/// What is read of a result where its code stands below it, in lower case: a word that is seen there needs no reason beside it.
fn seen(found: &SearchResult, shown: Shown<'_>) -> String {
    let doc = ellipsis(&one_line(&plain(&found.doc)), shown.doc, "");
    let code = found.snippet.iter().take(shown.code_lines).map(|line| line.text.as_str());
    [&found.signature, doc.as_str()].into_iter().chain(code).collect::<Vec<_>>().join("\n").to_lowercase()
}

/// At most `most` lines of code, those that decide most, in their order.
fn code(out: &mut Page, found: &SearchResult, most: usize) {
    let mut lines: Vec<&CodeLine> = found.snippet.iter().take(most).collect();
    lines.sort_by_key(|line| line.number);
    let width = lines.last().map_or(0, |line| line.number.to_string().len());
    for line in lines {
        out.put(INDENT).styled(DIM, format_args!("{:>width$} │", line.number)).put(" ").code(line, &found.met).end();
    }
}

/// What a definition is related to, and why.
pub(super) fn related(out: &mut Page, related: &[RelatedDefinition], root: &ShownRoot) {
    for related in related {
        let location = &related.location;
        let weight = format!("{:.3}", related.weight);
        out.place(&root.join(&path_of(&location.path)), location.line, None);
        out.put("  ").styled(NAME, &location.name).put("  ");
        out.styled(DIM, format_args!("{} · relation {weight}", location.kind)).end();
        why(out, &related.why);
    }
}

fn why(out: &mut Page, reasons: &[String]) {
    out.put(INDENT).styled(DIM, "why:").put(" ");
    for (number, reason) in reasons.iter().enumerate() {
        if number > 0 {
            out.styled(DIM, " · ");
        }
        out.put(reason);
    }
    out.end();
}

/// Reasons, those of one field together: `bytes, text in body`.
fn by_field(reasons: &[Evidence]) -> Vec<String> {
    let mut fields: Vec<(&str, Vec<String>)> = Vec::new();
    for reason in reasons {
        let said = match reason.found.to_lowercase() == reason.query {
            true => reason.query.clone(),
            false => format!("{} → {}", reason.query, reason.found),
        };
        match fields.iter_mut().find(|(field, _)| *field == reason.field) {
            Some((_, all)) => all.push(said),
            None => fields.push((&reason.field, vec![said])),
        }
    }
    fields.into_iter().map(|(field, all)| format!("{} in {field}", all.join(", "))).collect()
}

/// What the memory holds of a function that was read.
fn noted(out: &mut Page, trace: &LookupTrace, found: &SearchResult) {
    let candidates = trace.memory.get("candidate_functions").and_then(Value::as_map);
    let SearchResult { path, line, qualified_name: name, .. } = found;
    let keys = [name.clone(), format!("{path}:{name}"), format!("{path}:{line}:{name}")];
    let Some(note) = keys.iter().find_map(|key| candidates?.get(key)) else { return };
    out.put("    noted on reading").end();
    for (part, value) in note.as_map().into_iter().flatten() {
        out.put(format_args!("    ├─ {part}: {}", value.as_str().unwrap_or_default())).end();
    }
}
