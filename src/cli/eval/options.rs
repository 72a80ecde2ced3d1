//! Ranking options as a line: parses the options of `--against`, adds them to those on the command
//! line, and formats both for a saved run.

use crate::cli::choices::name;
use crate::cli::ranking::RankingArgs;
use crate::cli::reading::{MemoryArgs, ReadingArgs};
use crate::cli::settings::Settings;
use clap::{CommandFactory, FromArgMatches, Parser};
use whichfn_system::error::{Error, Kind, Result};

/// The options of `ask` that say how to rank, and nothing else.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Ranking {
    #[command(flatten)]
    results: RankingArgs,
}

/// Returns the options of the command line with `options` added, which take precedence.
pub(super) fn added(base: &RankingArgs, options: &str) -> Result<RankingArgs> {
    // Environment variables are already in `base`, where options on the command line override them.
    let command = Ranking::command().mut_args(|arg| arg.env(None));
    let read = command.try_get_matches_from(options.split_whitespace());
    let read = read.and_then(|matches| Ranking::from_arg_matches(&matches)).map_err(|cause| {
        let message = cause.to_string();
        let message = message.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let next = "pass ranking options, as in: --against '--relation none'";
        Error::new(Kind::Usage, format!("--against '{options}': {message}"), next)
    })?;
    Ok(over(base, read.results))
}

fn over(base: &RankingArgs, added: RankingArgs) -> RankingArgs {
    let list = |added: Vec<String>, base: &Vec<String>| if added.is_empty() { base.clone() } else { added };
    RankingArgs {
        k: added.k.or(base.k),
        kind: added.kind.or(base.kind),
        unit: added.unit.or(base.unit),
        relation: added.relation.or(base.relation),
        environment: added.environment.or(base.environment),
        alpha: added.alpha.or(base.alpha),
        order: added.order.or(base.order),
        exact: added.exact || base.exact,
        lang: list(added.lang, &base.lang),
        path: list(added.path, &base.path),
        no_update: added.no_update || base.no_update,
        reading: ReadingArgs {
            strategy: added.reading.strategy.or(base.reading.strategy),
            chunk_tokens: added.reading.chunk_tokens.or(base.reading.chunk_tokens),
            chunk_order: added.reading.chunk_order.or(base.reading.chunk_order),
            kept: MemoryArgs {
                memory: added.reading.kept.memory.or(base.reading.kept.memory),
                no_memory_updates: added.reading.kept.no_memory_updates || base.reading.kept.no_memory_updates,
                memory_tokens: added.reading.kept.memory_tokens.or(base.reading.kept.memory_tokens),
            },
            write_summaries: added.reading.write_summaries || base.reading.write_summaries,
        },
        embed: if added.embed.model.is_some() { added.embed } else { base.embed.clone() },
    }
}

/// Formats the options that change the ranking as they would be typed; empty if all have their
/// defaults.
pub(super) fn line(results: &RankingArgs, settings: &Settings) -> String {
    let mut words = Vec::new();
    let mut option = |name: &str, value: Option<String>| words.extend(value.map(|value| format!("{name} {value}")));
    option("--kind", results.kind.or(settings.kind).map(name));
    option("--unit", results.unit.map(name));
    option("--relation", results.relation.or(settings.relation).map(name));
    option("--environment", results.environment.map(name));
    option("--order", results.order.map(name));
    option("--strategy", results.reading.strategy.or(settings.strategy).map(name));
    option("--chunk-tokens", results.reading.chunk_tokens.map(|tokens| tokens.to_string()));
    option("--chunk-order", results.reading.chunk_order.map(name));
    option("--memory-tokens", results.reading.kept.memory_tokens.map(|tokens| tokens.to_string()));
    option("--alpha", results.alpha.or(settings.alpha).map(|alpha| alpha.to_string()));
    option("--lang", Some(results.lang.join(",")).filter(|list| !list.is_empty()));
    results.path.iter().for_each(|glob| option("--path", Some(glob.clone())));
    words.extend(results.exact.then(|| "--exact".to_owned()));
    words.join(" ")
}
