//! Results for a person: one screen, places to click, the reason beside each.

use super::advice;
use super::page::Page;
use crate::answer::{Answer, Evidence, RelatedDefinition, SearchResult};
use crate::engine::HowRead;
use crate::lookup::LookupTrace;
use crate::memory::Value;
use crate::search::{Confidence, Trust};
use crate::text::{ellipsis, path_of};
use anstyle::{AnsiColor, Style};
use std::path::Path;

pub(super) const PLACE: Style = AnsiColor::Magenta.on_default();
pub(super) const LINE: Style = AnsiColor::Green.on_default();
pub(super) const NAME: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();

/// What stands before the lines below a place.
const INDENT: &str = "    ";

/// The longest documentation line shown.
const DOC: usize = 110;

/// Reasons that are listed.
const REASONS: usize = 5;

/// Shares of a score that are listed; the rest is summed up.
const SHARES: usize = 15;

/// The whole answer.
pub(super) fn answer(answer: &Answer, trace: Option<&HowRead>, root: &Path, explain: bool, timing: bool) -> Page {
    let mut out = Page::default();
    if explain {
        out.styled(DIM, format_args!("asked as {}", answer.asked_as)).end();
        out.end();
    }
    for found in &answer.results {
        let confidence = answer.confidence.filter(|confidence| found.rank == 1 && confidence.fits());
        result(&mut out, found, root, confidence);
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
    let is_unsure = answer.confidence.is_some_and(|confidence| confidence.trust() == Trust::Unsure);
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

fn result(out: &mut Page, found: &SearchResult, root: &Path, confidence: Option<Confidence>) {
    let mut weight = format!("{:.2}", found.score);
    if let Some(confidence) = confidence {
        weight += &format!(" · {}, {:.0} %", confidence.trust().name(), 100.0 * confidence.right);
    }
    head(out, (&root.join(path_of(&found.path)), found.line), &found.qualified_name, found.kind, &weight);
    if !found.signature.is_empty() {
        out.put(INDENT).put(&found.signature).end();
    }
    if !found.inside.is_empty() {
        out.put(INDENT).styled(DIM, "in").put(" ").put(&found.inside).end();
    }
    if !found.doc.is_empty() {
        out.put(INDENT).styled(DIM, ellipsis(&found.doc, DOC, "…")).end();
    }
    if !found.evidence.is_empty() {
        why(out, &found.evidence[..found.evidence.len().min(REASONS)], reason);
    }
    if !found.duplicates.is_empty() {
        out.put(INDENT).styled(DIM, format_args!("+{} alike:", found.duplicates.len()));
        for (number, of) in found.duplicates.iter().enumerate() {
            out.put(if number == 0 { " " } else { ", " });
            place(out, &root.join(path_of(&of.path)), of.line);
        }
        out.end();
    }
    for line in &found.snippet {
        out.put(INDENT).styled(DIM, "|").put(" ").put(line).end();
    }
}

/// What a definition is related to, and why.
pub(super) fn related(out: &mut Page, related: &[RelatedDefinition], root: &Path) {
    for related in related {
        let location = &related.location;
        let weight = format!("{:.3}", related.weight);
        head(out, (&root.join(path_of(&location.path)), location.line), &location.name, location.kind, &weight);
        why(out, &related.why, |out, reason| {
            out.put(reason);
        });
    }
}

/// The place to click, the name, and how much it counts.
fn head(out: &mut Page, at: (&Path, u32), name: &str, kind: &str, weight: &str) {
    place(out, at.0, at.1);
    out.put("  ").styled(NAME, name).put("  ").styled(DIM, format_args!("{kind} · {weight}")).end();
}

fn place(out: &mut Page, path: &Path, line: u32) {
    out.path(PLACE, path).put(":").styled(LINE, line);
}

fn why<T>(out: &mut Page, reasons: &[T], write: impl Fn(&mut Page, &T)) {
    out.put(INDENT).styled(DIM, "why:").put(" ");
    for (number, reason) in reasons.iter().enumerate() {
        if number > 0 {
            out.styled(DIM, " · ");
        }
        write(out, reason);
    }
    out.end();
}

fn reason(out: &mut Page, evidence: &Evidence) {
    out.put(&evidence.query).put(" ").styled(DIM, format_args!("in {}", evidence.field));
    if evidence.found.to_lowercase() != evidence.query {
        out.put(" ").put(&evidence.found);
    }
}

/// The score as a tree of named numbers; each branch is the sum of its twigs. `all`: none is summed up with others.
fn explanation(out: &mut Page, found: &SearchResult, all: bool) {
    out.put(format_args!("    score {:.3}", found.score)).end();
    for (branch, total, environment) in
        [("independent", found.independent, false), ("environment", found.environment, true)]
    {
        out.put(format_args!("    ├─ {branch} {total:.3}")).end();
        let words = found.all_evidence.iter().filter(|e| !found.learned && (e.part == "context") == environment);
        for e in words {
            let twig = format_args!("    │  ├─ {:.3}  {} in {}: {} ({})", e.weight, e.query, e.field, e.found, e.part);
            out.put(twig).end();
        }
        let mut shares: Vec<_> = found.adjustments.iter().filter(|a| a.kind.is_environment() == environment).collect();
        // What decided comes first.
        shares.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
        let (shown, rest) = shares.split_at(if all { shares.len() } else { shares.len().min(SHARES) });
        for a in shown {
            out.put(format_args!("    │  ├─ {} {:.3}", a.kind.name(), a.change)).end();
        }
        if !rest.is_empty() {
            let sum: f32 = rest.iter().map(|a| a.change).sum();
            out.put(format_args!("    │  ├─ {} smaller ones (with -v) {sum:.3}", rest.len())).end();
        }
    }
    if found.learned {
        let words: Vec<String> =
            found.all_evidence.iter().map(|e| format!("{} in {}: {}", e.query, e.field, e.found)).collect();
        out.put(format_args!("    └─ words found: {}", words.join(", "))).end();
    }
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
