//! The `whichfn fleet ask` command.

use crate::cli::ask::{issue, question};
use crate::cli::choices;
use crate::cli::common::{CommonArgs, at_least_one};
use crate::cli::page::Page;
use crate::cli::place::DisplayRoot;
use crate::cli::settings::Settings;
use crate::cli::ui::Ui;
use crate::cli::{Exit, output, text};
use crate::engine::AnswerKind;
use crate::fleet::{Catalog, TypedQuestion, answer_json, ask};
use crate::render::line;
use crate::verbs::LanguageName;
use clap::Args;
use rayon::prelude::*;
use std::path::PathBuf;
use whichfn_index::store::{Fingerprint, Shard};
use whichfn_search::answer::{Answer, RepositoryOf};
use whichfn_search::search::Trust;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Result};

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct FleetAskArgs {
    /// Description of the function. `repo:NAME`, `team:NAME`, `lang:NAME` and `path:GLOB` in it
    /// filter the results.
    #[arg(value_name = "QUESTION", required_unless_present = "issue", conflicts_with = "issue", num_args = 1..)]
    pub words: Vec<String>,
    /// Read an issue from FILE instead of a question; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub issue: Option<PathBuf>,
    /// Folder with the shards and, optionally, their catalog.
    #[arg(long, value_name = "DIR")]
    pub shards: PathBuf,
    /// Search only repositories whose names match this glob. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub repo: Vec<String>,
    /// Search only this team's repositories. May be repeated.
    #[arg(long, value_name = "TEAM")]
    pub team: Vec<String>,
    /// A group that the user belongs to: repositories that the catalog restricts to groups are
    /// visible only to their members. May be repeated.
    #[arg(long, value_name = "GROUP")]
    pub group: Vec<String>,
    /// Search only these languages.
    #[arg(long, value_name = "LANG", value_delimiter = ',', value_parser = LanguageName, hide_possible_values = true)]
    pub lang: Vec<String>,
    /// Search only paths that match this glob, relative to the root of their repository; `!GLOB`
    /// excludes paths. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub path: Vec<String>,
    /// Maximum number of results [default: 10].
    #[arg(short = 'k', long = "results", value_name = "N")]
    pub k: Option<usize>,
    /// Kind of definitions to rank [default: function, or type if the question asks for one].
    #[arg(long, value_name = "KIND", value_parser = choices::answer_kind())]
    pub kind: Option<AnswerKind>,
    /// Show the first N lines of each result's code.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub snippet_lines: usize,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

pub(super) fn run(asked: &FleetAskArgs) -> Result<Exit> {
    let settings = Settings::users()?;
    let ui = Ui::new(&asked.shared, &settings);
    let typed = typed(asked)?;
    let registry = Registry::builtin()?;
    let catalog = Catalog::of_folder(&asked.shards)?;
    let visible = catalog.visible(&typed)?;
    if visible.is_empty() {
        ui.notice("no visible repository matches this name or team");
    }
    let wanted = Fingerprint::new(registry.digest(), settings.options(&asked.shared).max_size);
    let opened: Vec<_> = visible.par_iter().map(|shard| Shard::open(&catalog.path_of(&shard.file), &wanted)).collect();
    let mut shards = Vec::with_capacity(opened.len());
    for shard in opened {
        match shard {
            Ok(shard) => shards.push(shard),
            Err(error) => output::notice(error.what()),
        }
    }
    let mut answer = ask(typed.into_question(), &visible, &shards, &registry)?;
    if let Some(shards) = &mut answer.shards {
        shards.asked += catalog.unreadable.len();
        shards.missing.extend(catalog.unreadable.iter().map(|(file, _)| file.clone()));
    }
    missing_notices(ui, &answer);
    match asked.json {
        true => output::data(&line(&answer_json(&answer)))?,
        false => output::page(&page(&answer))?,
    }
    Ok(if answer.results.is_empty() { Exit::Nothing } else { Exit::Found })
}

fn typed(asked: &FleetAskArgs) -> Result<TypedQuestion> {
    asked.k.map_or(Ok(()), |k| at_least_one("-k", k, "results"))?;
    if matches!(asked.kind, Some(AnswerKind::Docs | AnswerKind::All)) {
        let what = "a fleet cannot search passages yet";
        let next = "omit --kind, or search the checkout of one repository: whichfn ask --kind docs";
        return Err(Error::new(Kind::Usage, what, next));
    }
    let (question, _) = match &asked.issue {
        Some(file) => issue(file)?,
        None => question(&asked.words.join(" "))?,
    };
    let typed = TypedQuestion {
        question,
        issue: asked.issue.is_some(),
        k: asked.k,
        lines: asked.snippet_lines,
        kind: asked.kind.map(AnswerKind::definitions),
        repos: asked.repo.clone(),
        teams: asked.team.clone(),
        groups: asked.group.clone(),
        languages: asked.lang.clone(),
        paths: asked.path.clone(),
    };
    Ok(typed.read())
}

/// Prints notices about what is missing, so that no one takes an answer from part of the fleet for
/// a complete one.
fn missing_notices(ui: Ui, answer: &Answer) {
    let missing: Vec<&str> = answer.shards.iter().flat_map(|shards| &shards.missing).map(String::as_str).collect();
    if !missing.is_empty() {
        ui.notice(&format!("incomplete answer: no reply from {}", missing.join(", ")));
    }
    let is_foreign = answer.confidence.is_some_and(|confidence| confidence.trust() == Trust::NothingFits);
    if is_foreign {
        ui.notice("no good match; showing the closest results");
    }
    if answer.results.is_empty() {
        ui.notice(&format!(
            "nothing found: none of the {} files contains a word from the question",
            answer.index.files
        ));
    }
}

fn page(answer: &Answer) -> Page {
    let root = DisplayRoot::Named(PathBuf::new());
    text::answer(&with_repositories(answer.clone()), None, text::Shown::new(&root))
}

/// Returns the answer with paths that begin with the repository.
fn with_repositories(mut answer: Answer) -> Answer {
    let add = |origin: &Option<RepositoryOf>, path: &mut String| {
        if let Some(origin) = origin {
            path.insert_str(0, &format!("{}/", origin.repository));
        }
    };
    for found in &mut answer.results {
        add(&found.origin, &mut found.path);
        found.duplicates.iter_mut().for_each(|copy| add(&copy.origin, &mut copy.path));
    }
    answer
}
