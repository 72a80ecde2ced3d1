//! Formats for users how functions or other text were read.

use super::page::visible;
use crate::engine::{ReadingRecord, WalkTrace};
use std::fmt::Write;
use whichfn_memory::PromptCost;
use whichfn_read::inquiry::TextTrace;
use whichfn_read::lookup::{LookupTrace, Verdict};
use whichfn_read::reading::{ServerCounts, StepTrace};

/// Maximum number of steps of a walk: as many as fit on a screen.
const SHOWN_STEPS: usize = 30;

/// Formats how functions were read.
pub(super) fn record(how: &ReadingRecord) -> String {
    match how {
        ReadingRecord::Reading(trace) => chunks(trace),
        ReadingRecord::Walk(trace) => walk(trace),
    }
}

/// Explains why reading found nothing; `None` if reading was not the reason.
pub(super) fn why_nothing(how: &ReadingRecord) -> Option<String> {
    match how {
        ReadingRecord::Walk(trace) => trace.no_answer.map(|reason| format!("no answer: {reason}")),
        ReadingRecord::Reading(trace) if trace.took_none() && trace.functions_read > 0 => {
            let refused: usize = trace.steps.iter().map(|step| step.rejected.len()).sum();
            let mut message = format!("{} read {} functions and selected none", trace.reader, trace.functions_read);
            if refused > 0 {
                let _ = write!(message, "; {refused} of its replies or revisions were rejected (see --trace)");
            }
            message += match trace.verdict {
                Some(Verdict::Nearest) => "; its closest candidate is first",
                _ => "; results are in search order",
            };
            Some(message)
        }
        ReadingRecord::Reading(_) => None,
    }
}

/// Reports that a limit on the use of the model ended the reading; `None` if it did not.
pub(super) fn why_ended(limit: Option<&str>, read: &str) -> Option<String> {
    let limit = limit?;
    Some(format!("reading ended at the limit on {limit}, after {read}; the result is based on the notes until then"))
}

/// Formats a walk, one line per step.
fn walk(trace: &WalkTrace) -> String {
    let mut out = String::new();
    for step in trace.way.steps.iter().take(SHOWN_STEPS) {
        let _ = writeln!(out, "{:>7} {} {}", step.action.name(), step.kind.name(), visible(&step.name));
    }
    if let Some(more) = trace.way.steps.len().checked_sub(SHOWN_STEPS + 1) {
        let _ = writeln!(out, "    ... {} more steps (all of them with --json)", more + 1);
    }
    let way = &trace.way;
    let _ = writeln!(
        out,
        "walked by {}: {} tokens shown, {:.1} % of the text; {} functions read, {} reverts, stray ratio {:.2}",
        trace.reader,
        way.shown_tokens,
        100.0 * trace.share,
        way.leaves,
        way.reverts,
        way.stray
    );
    out
}

/// Formats how functions were read, one line per chunk.
fn chunks(trace: &LookupTrace) -> String {
    let mut out = String::new();
    let end = match (trace.verdict, trace.settled) {
        _ if trace.limit.is_some() => "ended at a limit",
        _ if trace.unreadable => "ended after rejected replies",
        (Some(Verdict::Certain), _) => "certain",
        (_, true) => "settled",
        (_, false) => "all read",
    };
    let _ = writeln!(
        out,
        "read by {}: {} of {} functions, {} tokens in {} chunks, {end}",
        trace.reader,
        trace.functions_read,
        trace.functions,
        trace.tokens_read,
        trace.steps.len()
    );
    steps(&mut out, &trace.steps, ("last", trace.ranking), trace.total);
    replies(&mut out, &trace.steps, trace.server);
    out
}

/// Formats how text was read, one line per chunk.
pub(super) fn texts(trace: &TextTrace) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "read by {}: {} tokens in {} chunks", trace.reader, trace.tokens_read, trace.steps.len());
    steps(&mut out, &trace.steps, ("reply", trace.answering), trace.total);
    replies(&mut out, &trace.steps, trace.server);
    out
}

/// Prints the cost and result of each chunk, the cost of the additional prompt, and the total.
fn steps(out: &mut String, steps: &[StepTrace], additional: (&str, PromptCost), total: PromptCost) {
    let _ = writeln!(out, "chunk  tokens  prompt  shared     net  output  revised  refused");
    let mut row = |name: &str, tokens: usize, cost: &PromptCost, applied: usize, rejected: usize| {
        let _ = writeln!(
            out,
            "{name:>5} {tokens:>7} {:>7} {:>7} {:>7} {:>7} {applied:>8} {rejected:>8}",
            cost.prompt, cost.shared, cost.net, cost.output
        );
    };
    for (number, step) in steps.iter().enumerate() {
        row(&(number + 1).to_string(), step.chunk, &step.cost, step.applied, step.rejected.len());
    }
    let (name, cost) = additional;
    if cost.prompt > 0 {
        row(name, 0, &cost, 0, 0);
    }
    let tokens = steps.iter().map(|step| step.chunk).sum();
    let (applied, rejected) = steps.iter().fold((0, 0), |(a, r), step| (a + step.applied, r + step.rejected.len()));
    row("all", tokens, &total, applied, rejected);
    let _ = writeln!(
        out,
        "{:.0} % of the prompts were shared; cost index {:.4}",
        100.0 * total.share(),
        total.cost_index()
    );
    for (number, step) in steps.iter().enumerate() {
        for reason in &step.rejected {
            let _ = writeln!(out, "refused in chunk {}: {}", number + 1, visible(reason));
        }
        if !step.dropped.is_empty() {
            let _ = writeln!(out, "dropped after chunk {}: {}", number + 1, visible(&step.dropped.join(", ")));
        }
    }
}

/// Prints the quality of a model's replies, and what its server reports about them.
fn replies(out: &mut String, steps: &[StepTrace], server: ServerCounts) {
    let qualities: Vec<_> = steps.iter().filter_map(|step| step.replies).collect();
    if !qualities.is_empty() {
        let sum = |count: fn(&StepTrace) -> usize| steps.iter().map(count).sum::<usize>();
        let _ = writeln!(
            out,
            "replies: {} valid, {} repaired, {} rejected; {} truncated, {} of them because of repetitions",
            qualities.iter().map(|one| one.valid).sum::<usize>(),
            qualities.iter().map(|one| one.repaired).sum::<usize>(),
            qualities.iter().map(|one| one.rejected).sum::<usize>(),
            sum(|step| step.cut),
            sum(|step| step.repeated),
        );
    }
    if !server.is_empty() {
        let time = match server.prompt_ms + server.output_ms {
            0 => String::new(),
            _ => format!(
                "; {:.1} s for reading and {:.1} s for writing",
                server.prompt_ms as f64 / 1e3,
                server.output_ms as f64 / 1e3
            ),
        };
        let _ = writeln!(
            out,
            "the server counted {} prompt tokens, {} of them cached, and {} reply tokens{time}",
            server.prompt, server.cached, server.output
        );
    }
}
