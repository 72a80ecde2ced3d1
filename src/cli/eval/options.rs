//! Ranking options as a line: parses the options of `--against`, adds them to those on the command
//! line, and formats both for a saved run.

use crate::cli::choices::name;
use crate::cli::ranking::RankingArgs;
use crate::cli::target::Target;
use clap::{CommandFactory, FromArgMatches, Parser};
use whichfn_system::error::{Error, Kind, Result};

/// The ranking options of `ask`, and nothing else.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Ranking {
    #[command(flatten)]
    results: RankingArgs,
}

/// Returns the command-line options, with `options` added. Added options take precedence.
pub(super) fn added(base: &RankingArgs, options: &str) -> Result<RankingArgs> {
    // Environment variables are already in `base`, where options on the command line override them.
    let command = Ranking::command().mut_args(|arg| arg.env(None));
    let mut all = Ranking { results: base.clone() };
    let read = command.try_get_matches_from(options.split_whitespace());
    read.and_then(|matches| all.update_from_arg_matches(&matches)).map_err(|cause| {
        let message = cause.to_string();
        let message = message.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let next = "pass ranking options, as in: --against '--relation none'";
        Error::new(Kind::Usage, format!("--against '{options}': {message}"), next)
    })?;
    let results = &mut all.results;
    // An update sets every flag, also to false.
    results.exact |= base.exact;
    results.no_update |= base.no_update;
    results.reading.write_summaries |= base.reading.write_summaries;
    results.reading.kept.no_memory_updates |= base.reading.kept.no_memory_updates;
    Ok(all.results)
}

/// Formats the options that change the ranking as a user would type them; empty if all options have
/// their defaults.
pub(super) fn line(results: &RankingArgs, target: &Target<'_>) -> String {
    let settings = &target.settings;
    let mut words = Vec::new();
    let mut option = |name: &str, value: Option<String>| words.extend(value.map(|value| format!("{name} {value}")));
    option("--kind", results.kind.or(settings.kind).map(|kind| name(kind.definitions())));
    option("--unit", results.unit.map(name));
    option("--relation", results.relation.or(settings.relation).map(name));
    option("--environment", results.environment.map(name));
    option("--order", results.order.map(name));
    option("--model", target.second_opinion.as_ref().map(|model| model.name()));
    option("--strategy", results.reading.strategy.or(settings.strategy).map(name));
    option("--rerank", results.reading.rerank.map(name));
    option("--chunk-tokens", results.reading.chunk_tokens.map(|tokens| tokens.to_string()));
    option("--chunk-order", results.reading.chunk_order.map(name));
    option("--memory-tokens", results.reading.kept.memory_tokens.map(|tokens| tokens.to_string()));
    option("--alpha", results.alpha.or(settings.alpha).map(|alpha| alpha.to_string()));
    option("--lang", Some(results.lang.join(",")).filter(|list| !list.is_empty()));
    results.path.iter().for_each(|glob| option("--path", Some(glob.clone())));
    words.extend(results.exact.then(|| "--exact".to_owned()));
    words.join(" ")
}
