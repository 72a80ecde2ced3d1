//! Results for a person: one screen, places to click, the reason beside each.

use crate::answer::{Answer, Relations, SearchResult};
use crate::engine::HowRead;
use crate::lookup::LookupTrace;
use crate::memory::Value;
use crate::search::Confidence;
use crate::text::ellipsis;
use anstyle::{AnsiColor, Style};
use std::fmt::Write;
use std::path::Path;

const PLACE: Style = AnsiColor::Magenta.on_default();
const LINE: Style = AnsiColor::Green.on_default();
const NAME: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The longest documentation line shown.
const DOC: usize = 110;

/// Shares of a score that are listed; the rest is summed up.
const SHARES: usize = 15;

/// The whole answer. Writing to a string cannot fail.
pub(super) fn answer(answer: &Answer, trace: Option<&HowRead>, root: &Path, explain: bool, timing: bool) -> String {
    let mut out = String::new();
    if explain {
        let _ = writeln!(out, "{DIM}asked as {}{DIM:#}\n", answer.asked_as);
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
        out.push('\n');
    }
    if answer.cut > 0 {
        let _ = writeln!(out, "{DIM}{} more did not fit --max-tokens{DIM:#}", answer.cut);
    }
    if timing {
        let index = &answer.index;
        let _ = writeln!(
            out,
            "{DIM}{} functions in {} files, {} left out · index {:.1} ms ({} files read) · search {:.1} ms{DIM:#}",
            index.functions, index.files, index.skipped, index.ms, index.refreshed_files, answer.query_ms
        );
    }
    out
}

fn result(out: &mut String, found: &SearchResult, root: &Path, confidence: Option<Confidence>) {
    let mut weight = format!("{:.2}", found.score);
    if let Some(confidence) = confidence {
        let sure = if confidence.is_sure() { "sure, " } else { "" };
        let _ = write!(weight, " · {sure}{:.0} %", 100.0 * confidence.right);
    }
    head(out, &root.join(&found.path), found.line, &found.qualified_name, found.kind, &weight);
    if !found.signature.is_empty() {
        let _ = writeln!(out, "    {}", found.signature);
    }
    if !found.inside.is_empty() {
        let _ = writeln!(out, "    {DIM}in{DIM:#} {}", found.inside);
    }
    if !found.doc.is_empty() {
        let _ = writeln!(out, "    {DIM}{}{DIM:#}", ellipsis(&found.doc, DOC, "…"));
    }
    let reasons: Vec<String> = found.evidence.iter().take(5).map(reason).collect();
    if !reasons.is_empty() {
        why(out, &reasons);
    }
    if !found.duplicates.is_empty() {
        let places: Vec<String> = found.duplicates.iter().map(|of| place(&root.join(&of.path), of.line)).collect();
        let _ = writeln!(out, "    {DIM}+{} alike:{DIM:#} {}", places.len(), places.join(", "));
    }
    for line in &found.snippet {
        let _ = writeln!(out, "    {DIM}|{DIM:#} {line}");
    }
}

/// What a definition is related to, and why.
pub(super) fn relations(relations: &Relations, root: &Path) -> String {
    let mut out = String::new();
    for related in &relations.related {
        let location = &related.location;
        head(
            &mut out,
            &root.join(&location.path),
            location.line,
            &location.name,
            location.kind,
            &format!("{:.3}", related.weight),
        );
        why(&mut out, &related.why);
    }
    out
}

/// The place to click, the name, and how much it counts.
fn head(out: &mut String, path: &Path, line: u32, name: &str, kind: &str, weight: &str) {
    let _ = writeln!(out, "{}  {NAME}{name}{NAME:#}  {DIM}{kind} · {weight}{DIM:#}", place(path, line));
}

fn place(path: &Path, line: u32) -> String {
    format!("{PLACE}{}{PLACE:#}:{LINE}{line}{LINE:#}", path.display())
}

fn why(out: &mut String, reasons: &[String]) {
    let _ = writeln!(out, "    {DIM}why:{DIM:#} {}", reasons.join(&format!("{DIM} · {DIM:#}")));
}

fn reason(evidence: &crate::answer::Evidence) -> String {
    if evidence.found.to_lowercase() == evidence.query {
        format!("{} {DIM}in {}{DIM:#}", evidence.query, evidence.field)
    } else {
        format!("{} {DIM}in {}{DIM:#} {}", evidence.query, evidence.field, evidence.found)
    }
}

/// The score as a tree of named numbers; each branch is the sum of its twigs. `all`: none is summed up with others.
fn explanation(out: &mut String, found: &SearchResult, all: bool) {
    let _ = writeln!(out, "    score {:.3}", found.score);
    for (branch, total, environment) in
        [("independent", found.independent, false), ("environment", found.environment, true)]
    {
        let _ = writeln!(out, "    ├─ {branch} {total:.3}");
        let words = found.all_evidence.iter().filter(|e| !found.learned && (e.part == "context") == environment);
        for e in words {
            let _ = writeln!(out, "    │  ├─ {:.3}  {} in {}: {} ({})", e.weight, e.query, e.field, e.found, e.part);
        }
        let mut shares: Vec<_> = found.adjustments.iter().filter(|a| a.kind.is_environment() == environment).collect();
        // What decided comes first.
        shares.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
        let (shown, rest) = shares.split_at(if all { shares.len() } else { shares.len().min(SHARES) });
        for a in shown {
            let _ = writeln!(out, "    │  ├─ {} {:.3}", a.kind.name(), a.change);
        }
        if !rest.is_empty() {
            let sum: f32 = rest.iter().map(|a| a.change).sum();
            let _ = writeln!(out, "    │  ├─ {} smaller ones (with -v) {sum:.3}", rest.len());
        }
    }
    if found.learned {
        let words: Vec<String> =
            found.all_evidence.iter().map(|e| format!("{} in {}: {}", e.query, e.field, e.found)).collect();
        let _ = writeln!(out, "    └─ words found: {}", words.join(", "));
    }
}

/// What the memory holds of a function that was read.
fn noted(out: &mut String, trace: &LookupTrace, found: &SearchResult) {
    let candidates = trace.memory.get("candidate_functions").and_then(Value::as_map);
    let SearchResult { path, line, qualified_name: name, .. } = found;
    let keys = [name.clone(), format!("{path}:{name}"), format!("{path}:{line}:{name}")];
    let Some(note) = keys.iter().find_map(|key| candidates?.get(key)) else { return };
    let _ = writeln!(out, "    noted on reading");
    for (part, value) in note.as_map().into_iter().flatten() {
        let _ = writeln!(out, "    ├─ {part}: {}", value.as_str().unwrap_or_default());
    }
}
