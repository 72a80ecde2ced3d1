//! What the flags say about reading on, and how it went, for people.

use super::args::{ChunkOrderName, Reading, StrategyName};
use super::model::ModelArgs;
use super::settings::Settings;
use crate::engine::{HowRead, Plan, WalkTrace, Way};
use crate::error::{Error, Kind, Result};
use crate::inquiry::TextTrace;
use crate::llm::{Model, Templates};
use crate::lookup::{ChunkOrder, LookupOptions, LookupTrace};
use crate::memory::{PromptCost, Tokens};
use crate::reading::{CHUNK_TOKENS, StepTrace, Strategy};
use std::fmt::Write;

/// Steps of a walk that fit on a screen.
const SHOWN_STEPS: usize = 30;

/// A model and its prompts, kept while a plan names them.
pub(super) struct Reader {
    model: Option<Box<dyn Model>>,
    /// None where no prompt is filled in.
    templates: Option<Templates>,
    walks: bool,
    writes: bool,
    options: Option<LookupOptions>,
}

impl Reader {
    /// Who reads and how, as the flags say.
    pub fn new(reading: &Reading, model: &ModelArgs, settings: &Settings) -> Result<Self> {
        let strategy = reading.strategy.or(settings.strategy);
        let options = options(reading, strategy, model.wants_model())?;
        let walks = strategy == Some(StrategyName::Walk);
        if options.is_none() && !walks && model.wants_model() {
            let what = "--strategy direct asks no language model";
            return Err(Error::new(
                Kind::Usage,
                what,
                "leave out --strategy direct, or --reader, --llm-url and --llm-cmd",
            ));
        }
        if options.is_some() {
            // The tokenizer's vocabulary loads while the index is opened.
            std::thread::spawn(Tokens::load);
        }
        let writes = reading.write_summaries;
        // Most questions fill in no prompt; a wrong folder of prompts is said in any case.
        let prompts = options.is_some() || walks || model.prompts.is_some();
        let (model, templates) = (model.model(settings)?, prompts.then(|| model.templates()).transpose()?);
        Ok(Self { model, templates, walks, writes, options })
    }

    /// How a question is answered; `progress` hears how far a model has read.
    pub fn plan<'p>(
        &'p self,
        snippet_lines: usize,
        folds: bool,
        progress: Option<&'p dyn Fn(usize, usize)>,
    ) -> Plan<'p> {
        let model = self.model.as_deref();
        let way = match (self.options, &self.templates) {
            (Some(options), Some(templates)) => Way::Read { options, model, templates },
            (None, Some(templates)) if self.walks => Way::Walk { model, templates, writes: self.writes },
            _ => Way::Direct,
        };
        Plan { snippet_lines, folds, way, progress }
    }
}

/// How to read; none to read nothing.
fn options(reading: &Reading, strategy: Option<StrategyName>, with_model: bool) -> Result<Option<LookupOptions>> {
    let strategy = match strategy {
        Some(StrategyName::Prism) => Strategy::Prism,
        Some(StrategyName::Cok) => Strategy::Cok,
        None if with_model => Strategy::Prism,
        Some(StrategyName::Direct | StrategyName::Walk) | None => return Ok(None),
    };
    let usual = LookupOptions::default();
    Ok(Some(LookupOptions {
        policy: reading.kept.policy(strategy),
        chunk_tokens: chunk_tokens(reading.chunk_tokens)?.unwrap_or(usual.chunk_tokens),
        order: match reading.chunk_order {
            Some(ChunkOrderName::Repository) => ChunkOrder::Repository,
            Some(ChunkOrderName::Best) | None => ChunkOrder::Best,
        },
        ..usual
    }))
}

/// A number of tokens for a chunk, if it is one.
pub(super) fn chunk_tokens(asked: Option<usize>) -> Result<Option<usize>> {
    match asked {
        Some(tokens) if !CHUNK_TOKENS.contains(&tokens) => {
            let (least, most) = CHUNK_TOKENS.into_inner();
            let what = format!("--chunk-tokens {tokens} is no size for a chunk");
            Err(Error::new(Kind::Usage, what, format!("give a number from {least} to {most}")))
        }
        other => Ok(other),
    }
}

/// How it was read.
pub(super) fn trace(how: &HowRead) -> String {
    match how {
        HowRead::Reading(trace) => chunks(trace),
        HowRead::Walk(trace) => walk(trace),
    }
}

/// Why reading found nothing, if it was reading that found nothing.
pub(super) fn why_nothing(how: &HowRead) -> Option<String> {
    match how {
        HowRead::Walk(trace) => trace.no_answer.map(|why| format!("no answer: {why}")),
        HowRead::Reading(trace) if trace.functions_read > 0 => {
            let refused: usize = trace.steps.iter().map(|step| step.rejected.len()).sum();
            Some(format!(
                "{} read {} functions and took none; {refused} of its replies or revisions were refused (--trace says why)",
                trace.reader, trace.functions_read
            ))
        }
        HowRead::Reading(_) => None,
    }
}

/// A walk, a line for each step.
fn walk(trace: &WalkTrace) -> String {
    let mut out = String::new();
    for step in trace.way.steps.iter().take(SHOWN_STEPS) {
        let _ = writeln!(out, "{:>7} {} {}", step.action.name(), step.kind.name(), step.name);
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

/// How reading went, a line for each chunk.
fn chunks(trace: &LookupTrace) -> String {
    let mut out = String::new();
    let settled = if trace.settled { "settled" } else { "all read" };
    let _ = writeln!(
        out,
        "read by {}: {} of {} functions, {} tokens in {} chunks, {settled}",
        trace.reader,
        trace.functions_read,
        trace.functions,
        trace.tokens_read,
        trace.steps.len()
    );
    steps(&mut out, &trace.steps, ("order", trace.ranking), trace.total);
    out
}

/// How texts were read, a line for each chunk.
pub(super) fn text_trace(trace: &TextTrace) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "read by {}: {} tokens in {} chunks", trace.reader, trace.tokens_read, trace.steps.len());
    steps(&mut out, &trace.steps, ("reply", trace.answering), trace.total);
    out
}

/// What each chunk cost and what became of it, the prompt beside them, and all together.
fn steps(out: &mut String, steps: &[StepTrace], beside: (&str, PromptCost), total: PromptCost) {
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
    let (name, cost) = beside;
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
        for why in &step.rejected {
            let _ = writeln!(out, "refused in chunk {}: {why}", number + 1);
        }
        if !step.dropped.is_empty() {
            let _ = writeln!(out, "dropped after chunk {}: {}", number + 1, step.dropped.join(", "));
        }
    }
}
