//! Options that select and rank results, which `ask` and `eval` share, and their conversion to a
//! query.

use super::choices;
use super::common::{EmbedArgs, at_least_one};
use super::reading::ReadingArgs;
use super::settings::Settings;
use crate::engine::AnswerKind;
use crate::verbs::LanguageName;
use clap::Args;
use whichfn_search::search::{Environment, EnvironmentForm, Query, Ranker, RelationName, Unit};
use whichfn_system::error::{Error, Kind, Result};

/// How results are chosen and shown.
#[derive(Debug, Clone, Args)]
pub(super) struct RankingArgs {
    /// Maximum number of results [default: 10].
    #[arg(short = 'k', long = "results", value_name = "N", env = "WHICHFN_K")]
    pub k: Option<usize>,
    /// Kind of results to rank [default: function, or type if the question asks for one].
    #[arg(long, value_name = "KIND", env = "WHICHFN_KIND", value_parser = choices::answer_kind())]
    pub kind: Option<AnswerKind>,
    /// Rank definitions, whole files or windows of 20 lines [default: definition].
    #[arg(long, value_name = "UNIT", value_parser = choices::unit(), hide_short_help = true)]
    pub unit: Option<Unit>,
    /// Relation between results [default: structure].
    #[arg(long, value_name = "RELATION", env = "WHICHFN_RELATION", value_parser = choices::relation(), hide_short_help = true)]
    pub relation: Option<RelationName>,
    /// Formula that combines related scores [default: sum].
    #[arg(long, value_name = "FORM", value_parser = choices::environment(), hide_short_help = true)]
    pub environment: Option<EnvironmentForm>,
    /// Weight of related scores; 0 to ignore them [default: 0.2 for a sum, 0.35 for a sum over
    /// files, 0.5 for a mean].
    #[arg(long, value_name = "A", env = "WHICHFN_ALPHA", allow_negative_numbers = true, hide_short_help = true)]
    pub alpha: Option<f64>,
    /// Ranker of the best functions: the trained model, or the word score [default: learned].
    #[arg(long, value_name = "ORDER", value_parser = choices::order(), hide_short_help = true)]
    pub order: Option<Ranker>,
    /// Compute relations pair by pair over the whole graph, without a cutoff (slow).
    #[arg(long, hide_short_help = true)]
    pub exact: bool,
    /// Search only these languages, by name or file extension: python or py.
    #[arg(long, value_name = "LANG", value_delimiter = ',', value_parser = LanguageName, hide_possible_values = true)]
    pub lang: Vec<String>,
    /// Search only paths that match this glob; `!GLOB` excludes paths. A glob with a slash is
    /// relative to the current directory, or else to the root; with a leading slash, to the root.
    /// May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub path: Vec<String>,
    /// Use the index as it is, without checking for changed files.
    #[arg(long, hide_short_help = true)]
    pub no_update: bool,
    #[command(flatten)]
    pub embed: EmbedArgs,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Returns the query that the options specify.
pub(super) fn query(question: &str, ranking: &RankingArgs, settings: &Settings) -> Result<Query> {
    let usual = Query::new(question);
    let k = ranking.k.or(settings.results).unwrap_or(usual.k);
    at_least_one("-k", k, "results")?;
    let alpha = ranking.alpha.or(settings.alpha);
    if let Some(alpha) = alpha.filter(|alpha| !alpha.is_finite() || *alpha < 0.0) {
        return Err(Error::new(
            Kind::Usage,
            format!("--alpha {alpha} is not a valid weight"),
            "use 0 or a greater number",
        ));
    }
    Ok(Query {
        k,
        environment: Environment {
            relation: ranking.relation.or(settings.relation).unwrap_or_default(),
            form: ranking.environment.unwrap_or_default(),
            alpha,
        },
        ranker: ranking.order.unwrap_or_default(),
        exact: ranking.exact,
        kind: ranking.kind.or(settings.kind).map_or(usual.kind, AnswerKind::definitions),
        unit: ranking.unit.unwrap_or_default(),
        languages: ranking.lang.clone(),
        paths: ranking.path.clone(),
        ..usual
    })
}
