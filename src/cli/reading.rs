//! Options for reading functions after the search.

use super::choices::{self, RerankChoice, StrategyChoice};
use super::model::{ModelArgs, ReaderName};
use super::settings::Settings;
use crate::engine::{FollowUp, Plan, Rerank};
use clap::Args;
use whichfn_llm::{Model, Templates};
use whichfn_memory::MemoryFormat;
use whichfn_read::lookup::{ChunkOrder, LookupOptions, Snippet};
use whichfn_read::reading::{CHUNK_TOKENS, MemoryPolicy, Strategy};
use whichfn_system::error::{Error, Kind, Result};

/// How functions are read after the search.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Reading the candidates")]
pub(super) struct ReadingArgs {
    /// Answer by one search (direct), or read the candidates and take notes by revisions (prism) or
    /// key by key (cok), or walk a tree of summaries (walk) [default: direct; prism with a language
    /// model].
    #[arg(long, value_name = "STRATEGY", env = "WHICHFN_STRATEGY", hide_short_help = true)]
    pub strategy: Option<StrategyChoice>,
    /// What reorders the first answers, if they are not read [default: model].
    #[arg(long, value_name = "BY", hide_short_help = true)]
    pub rerank: Option<RerankChoice>,
    /// Maximum number of tokens to read at once [default: 2000].
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub chunk_tokens: Option<usize>,
    /// Order of reading: the best first until the notes are settled, or all in file order [default:
    /// best].
    #[arg(long, value_name = "ORDER", value_parser = choices::chunk_order(), hide_short_help = true)]
    pub chunk_order: Option<ChunkOrder>,
    #[command(flatten)]
    pub kept: MemoryArgs,
    /// For a walk: let the language model write the summaries, which are stored with the index.
    #[arg(long, hide_short_help = true)]
    pub write_summaries: bool,
}

/// Form and limits of a memory.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct MemoryArgs {
    /// Form of the notes in prompts [default: amendments].
    #[arg(long, value_name = "FORM", value_parser = choices::memory(), hide_short_help = true)]
    pub memory: Option<MemoryFormat>,
    /// Never replace notes, only add to them.
    #[arg(long, hide_short_help = true)]
    pub no_memory_updates: bool,
    /// Compress the notes if they exceed this many tokens [default: no limit].
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub memory_tokens: Option<usize>,
}

impl MemoryArgs {
    /// Returns the policy of the memory for a strategy.
    pub fn policy(&self, strategy: Strategy) -> MemoryPolicy {
        MemoryPolicy {
            strategy,
            form: self.memory.unwrap_or(MemoryFormat::Amendments),
            updates: !self.no_memory_updates,
            limit: self.memory_tokens,
        }
    }
}

/// A plan that owns its model and prompt templates.
pub(super) struct OwnedPlan {
    strategy: StrategyChoice,
    rerank: RerankChoice,
    options: LookupOptions,
    writes_summaries: bool,
    model: Option<Box<dyn Model>>,
    /// Prompt templates; `None` if no prompt is filled in.
    templates: Option<Templates>,
}

impl OwnedPlan {
    /// Creates the plan that the options specify: by default one search, or reading if a model is
    /// named.
    pub fn new(reading: &ReadingArgs, model: &ModelArgs, settings: &Settings) -> Result<Self> {
        let rerank = reading.rerank.unwrap_or(RerankChoice::Model);
        let chooses = rerank == RerankChoice::Llm;
        let reads = model.wants_model() && !chooses;
        let usual = if reads { StrategyChoice::Prism } else { StrategyChoice::Direct };
        // The setting is a default, as the usual strategy is.
        let strategy = reading.strategy.or(settings.strategy.filter(|_| !chooses)).unwrap_or(usual);
        if chooses && strategy != StrategyChoice::Direct {
            let what = "--rerank llm reorders the answers of a search, and a strategy reads them";
            return Err(Error::new(Kind::Usage, what, "omit --strategy or --rerank"));
        }
        let takes_notes = matches!(strategy, StrategyChoice::Prism | StrategyChoice::Cok);
        let options = if takes_notes { options(reading, strategy)? } else { LookupOptions::default() };
        if strategy == StrategyChoice::Direct && reads {
            let what = "--strategy direct does not use a language model";
            let next = "add --rerank llm, or omit --strategy direct, or --reader, --llm-url and --llm-cmd";
            return Err(Error::new(Kind::Usage, what, next));
        }
        // Most questions need no prompt, but an invalid folder of prompts is reported in any case.
        let prompts = strategy != StrategyChoice::Direct || chooses || model.prompts.is_some();
        let templates = |wanted: bool| wanted.then(|| model.templates()).transpose();
        let asked = ModelArgs { reader: model.reader.or(chooses.then_some(ReaderName::Llm)), ..model.clone() };
        let (model, templates) = (asked.model(settings)?, templates(prompts)?);
        if chooses && model.is_none() {
            let what = "--rerank llm needs a language model";
            return Err(Error::new(Kind::Usage, what, "omit --reader offline, or use --rerank model"));
        }
        Ok(Self { strategy, rerank, options, writes_summaries: reading.write_summaries, model, templates })
    }

    /// Returns the plan; `progress` is called while a model reads.
    pub fn plan<'p>(
        &'p self,
        snippet: Snippet,
        collapses: bool,
        progress: Option<&'p dyn Fn(usize, usize)>,
    ) -> Plan<'p> {
        let model = self.model.as_deref();
        let way = match (self.strategy, &self.templates) {
            (StrategyChoice::Prism | StrategyChoice::Cok, Some(templates)) => {
                FollowUp::Read { options: self.options, model, templates }
            }
            (StrategyChoice::Walk, Some(templates)) => {
                FollowUp::Walk { model, templates, writes: self.writes_summaries }
            }
            _ => FollowUp::Direct,
        };
        let rerank = match (self.rerank, model, &self.templates) {
            (RerankChoice::Llm, Some(model), Some(templates)) => Rerank::Llm { model, templates },
            (RerankChoice::Model, ..) => Rerank::Model,
            _ => Rerank::None,
        };
        Plan { snippet, collapses, way, rerank, progress, ..Plan::default() }
    }
}

/// Returns the reading options.
fn options(reading: &ReadingArgs, strategy: StrategyChoice) -> Result<LookupOptions> {
    let usual = LookupOptions::default();
    let strategy = if strategy == StrategyChoice::Cok { Strategy::Cok } else { Strategy::Prism };
    Ok(LookupOptions {
        policy: reading.kept.policy(strategy),
        chunk_tokens: chunk_tokens(reading.chunk_tokens)?.unwrap_or(usual.chunk_tokens),
        order: reading.chunk_order.unwrap_or(usual.order),
        ..usual
    })
}

/// Checks the number of tokens of a chunk.
pub(super) fn chunk_tokens(asked: Option<usize>) -> Result<Option<usize>> {
    match asked {
        Some(tokens) if !CHUNK_TOKENS.contains(&tokens) => {
            let (least, most) = CHUNK_TOKENS.into_inner();
            let what = format!("--chunk-tokens {tokens} is out of range");
            Err(Error::new(Kind::Usage, what, format!("use a number from {least} to {most}")))
        }
        other => Ok(other),
    }
}
