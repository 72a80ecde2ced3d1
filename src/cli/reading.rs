//! What the flags say about reading on, and how it went, for people.

use super::args::{ChunkOrderName, Reading, StrategyName};
use super::model::ModelArgs;
use super::settings::Settings;
use crate::engine::{Plan, Way};
use crate::error::{Error, Kind, Result};
use crate::llm::{Model, Templates};
use crate::memory::{Form, Step};
use crate::reading::{CHUNK_TOKENS, ChunkOrder, Keeping, LookupOptions, StepTrace, Strategy, TextTrace, Trace};
use std::fmt::Write;

/// A model and its prompts, kept while a plan names them.
pub(super) struct Reader {
    model: Option<Box<dyn Model>>,
    templates: Templates,
    options: Option<LookupOptions>,
}

impl Reader {
    /// Who reads and how, as the flags say.
    pub fn new(reading: &Reading, model: &ModelArgs, settings: &Settings) -> Result<Self> {
        let options = options(reading, model.wants_model())?;
        if options.is_none() && model.wants_model() {
            let what = "--strategy direct asks no language model";
            return Err(Error::new(
                Kind::Usage,
                what,
                "leave out --strategy direct, or --reader, --llm-url and --llm-cmd",
            ));
        }
        Ok(Self { model: model.model(settings)?, templates: model.templates()?, options })
    }

    /// How a question is answered.
    pub fn plan(&self, snippet_lines: usize, folds: bool) -> Plan<'_> {
        let way = match self.options {
            None => Way::Direct,
            Some(options) => Way::Read { options, model: self.model.as_deref(), templates: &self.templates },
        };
        Plan { snippet_lines, folds, way }
    }
}

/// How to read; none to read nothing.
fn options(reading: &Reading, with_model: bool) -> Result<Option<LookupOptions>> {
    let strategy = match reading.strategy {
        Some(StrategyName::Prism) => Strategy::Prism,
        Some(StrategyName::Cok) => Strategy::Cok,
        None if with_model => Strategy::Prism,
        Some(StrategyName::Direct) | None => return Ok(None),
    };
    let usual = LookupOptions::default();
    Ok(Some(LookupOptions {
        keeping: Keeping {
            strategy,
            form: reading.memory.map_or(Form::Amendments, Into::into),
            updates: !reading.no_memory_updates,
            limit: reading.memory_tokens,
        },
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

/// How reading went, a line for each chunk.
pub(super) fn trace(trace: &Trace) -> String {
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
    steps(&mut out, &trace.steps, trace.total);
    out
}

/// How texts were read, a line for each chunk.
pub(super) fn text_trace(trace: &TextTrace) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "read by {}: {} tokens in {} chunks", trace.reader, trace.tokens_read, trace.steps.len());
    steps(&mut out, &trace.steps, trace.total);
    out
}

/// What each chunk cost and what became of it, and all together.
fn steps(out: &mut String, steps: &[StepTrace], total: Step) {
    let _ = writeln!(out, "chunk  tokens  prompt  shared     net  output  revised  refused");
    let mut row = |name: &str, tokens: usize, cost: &Step, applied: usize, rejected: usize| {
        let _ = writeln!(
            out,
            "{name:>5} {tokens:>7} {:>7} {:>7} {:>7} {:>7} {applied:>8} {rejected:>8}",
            cost.prompt, cost.shared, cost.net, cost.output
        );
    };
    for (number, step) in steps.iter().enumerate() {
        row(&(number + 1).to_string(), step.chunk, &step.cost, step.applied, step.rejected.len());
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
