//! The `whichfn relate` command.

use super::choices;
use super::common::{CommonArgs, at_least_one};
use super::filter::{FilterArgs, RepositoryArgs};
use super::page::{DIM, Page};
use super::place::DisplayRoot;
use super::target::Target;
use super::{Exit, calls, output, place, resolve, text};
use crate::engine::AnswerKind;
use crate::render::{self, line};
use clap::Args;
use whichfn_search::answer::Relations;
use whichfn_search::relation::FAINT;
use whichfn_search::search::{KindFilter, Query};
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
pub(super) struct RelateArgs {
    /// A function or type, as NAME, FILE:LINE or FILE:NAME; or a file.
    #[arg(value_name = "FILE:LINE|NAME")]
    pub name: String,
    #[command(flatten)]
    pub repository: RepositoryArgs,
    /// Maximum number of results [default: 10].
    #[arg(short = 'k', long = "results", value_name = "N", env = "WHICHFN_K")]
    pub k: Option<usize>,
    /// Kind of definitions to list [default: function].
    #[arg(long, value_name = "KIND", env = "WHICHFN_KIND", value_parser = choices::definition_kind())]
    pub kind: Option<KindFilter>,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Use the index as it is, without checking for changed files.
    #[arg(long)]
    pub no_update: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

pub(super) fn run(asked: &RelateArgs) -> Result<Exit> {
    let directory = asked.repository.directory();
    let (target, name) = Target::of_name(&asked.name, directory, &asked.shared)?;
    let k = asked.k.or(target.settings.results).unwrap_or(Query::new("").k);
    at_least_one("-k", k, "results")?;
    let engine = target.engine(asked.no_update)?;
    let Some(definition) = resolve::definition(&engine, &name)? else { return Ok(Exit::Nothing) };
    let kind = asked.kind.or(target.settings.kind.map(AnswerKind::definitions)).unwrap_or_default();
    let filter = asked.filter.filter(&engine, &target)?;
    let relations = engine.relate_in(definition, kind, k, &filter);
    match asked.json {
        true => output::data(&line(&render::relations(&relations)))?,
        false => output::page(&page(&relations, &place::shown_root(directory, &target.root)))?,
    }
    let Relations { callers, callees, related, .. } = &relations;
    target.ui.notices(&callees.notices);
    if related.is_empty() && callers.branches.is_empty() && callees.branches.is_empty() {
        let name = &relations.definition.name;
        target.ui.notice(&format!("no definition is related to {name} with a weight of {FAINT} or more"));
        return Ok(Exit::Nothing);
    }
    Ok(Exit::Found)
}

/// Formats direct callers and callees, followed by other related definitions.
fn page(relations: &Relations, root: &DisplayRoot) -> Page {
    let mut out = Page::default();
    for tree in [&relations.callers, &relations.callees] {
        if tree.direct > 0 {
            out.styled(DIM, calls::summary(tree)).end();
            calls::tree_lines(&mut out, tree, root);
        }
    }
    if !out.text().is_empty() && !relations.others.is_empty() {
        out.styled(DIM, "also related").end();
    }
    text::related(&mut out, &relations.others, root);
    out
}
