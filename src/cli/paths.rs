//! `whichfn path`: the shortest call paths from one function to another.

use super::common::{CommonArgs, at_least_one, counted};
use super::layout::Part;
use super::page::{DIM, Page};
use super::place::DisplayRoot;
use super::target::Target;
use super::test_list::distance;
use super::{Exit, output, place, resolve};
use crate::engine::Engine;
use crate::render::{self, line};
use clap::Args;
use std::path::PathBuf;
use whichfn_search::answer::CallPath;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;
use whichfn_text::path_from_text;

/// Default number of paths.
const SHOWN: usize = 3;
/// Maximum number of paths.
const MOST: usize = 1000;
/// Maximum number of steps of a path in text; the middle of a longer path is left out.
const STEPS: usize = 100;

#[derive(Debug, Clone, Args)]
pub(super) struct PathArgs {
    /// The function that the paths start in, as NAME, FILE:LINE or FILE:NAME; or a type or file.
    #[arg(value_name = "FROM")]
    pub from: String,
    /// The function that they lead to.
    #[arg(value_name = "TO")]
    pub to: String,
    /// Leave out paths through this function, type or file; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub avoid: Vec<String>,
    /// Use all definitions with these names.
    #[arg(long)]
    pub all: bool,
    /// Maximum number of paths, shortest first [default: 3].
    #[arg(short = 'k', long = "results", value_name = "N")]
    pub k: Option<usize>,
    /// The repository [default: the one around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Use the index as it is, without checking for changed files.
    #[arg(long)]
    pub no_update: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

pub(super) fn run(asked: &PathArgs) -> Result<Exit> {
    let k = asked.k.unwrap_or(SHOWN);
    at_least_one("-k", k, "paths")?;
    let directory = asked.directory.as_deref();
    let target = Target::read(place::root_for(Some(&asked.from), directory)?, &asked.shared)?;
    let engine = target.engine(asked.no_update)?;
    let named =
        |typed: &str| resolve::definitions(&engine, &place::name_for(typed, directory, &target.root)?, asked.all);
    let (from, to) = (named(&asked.from)?, named(&asked.to)?);
    let avoid = asked.avoid.iter().map(|typed| named(typed)).collect::<Result<Vec<_>>>()?;
    if from.is_empty() || to.is_empty() || avoid.iter().any(Vec::is_empty) {
        return Ok(Exit::Nothing);
    }
    let found = engine.call_paths(&from, &to, &avoid.concat(), k.min(MOST));
    let root = place::shown_root(directory, &target.root);
    match asked.json {
        true => output::data(&line(&render::paths(&engine, &from, &to, &found)))?,
        false => output::page(&page(&found.paths, &root))?,
    }
    target.ui.notices(&found.notices);
    if found.paths.is_empty() {
        output::notice(&no_path(&engine, &from, &to, &avoid.concat()));
        return Ok(Exit::Nothing);
    }
    Ok(Exit::Found)
}

fn no_path(engine: &Engine, from: &[DefinitionId], to: &[DefinitionId], avoid: &[DefinitionId]) -> String {
    let name = |ids: &[DefinitionId]| ids.first().map_or_else(String::new, |&id| engine.location(id).name);
    let (first, last) = (name(from), name(to));
    let back = engine.call_paths(to, from, avoid, 1);
    let hint = if back.paths.is_empty() { String::new() } else { format!("; there is one from {last} to {first}") };
    format!("no call path from {first} to {last} found{hint}")
}

/// Formats the paths, with one line for each call and one for the last definition.
fn page(paths: &[CallPath], root: &DisplayRoot) -> Page {
    let mut out = Page::default();
    for (number, path) in paths.iter().enumerate() {
        if number > 0 {
            out.end();
        }
        out.styled(DIM, distance(path.distance)).end();
        let left_out = path.steps.len().saturating_sub(STEPS);
        for (number, step) in path.steps.iter().enumerate() {
            if left_out > 0 && (STEPS / 2..STEPS / 2 + left_out).contains(&number) {
                if number == STEPS / 2 {
                    out.styled(DIM, format_args!("… {} …", counted(left_out, "step"))).end();
                }
                continue;
            }
            match &step.call {
                Some(call) => out.place(&root.join(&path_from_text(&call.path)), call.line, Some(call.column)),
                None => out.place(&root.join(&path_from_text(&step.from.path)), step.from.line, None),
            };
            out.put("  ").name(&step.from.name).put("  ");
            out.part(Part::Wanted, |out| out.styled(DIM, format_args!("({})", step.kind.phrase())));
            if let Some(call) = &step.call {
                out.put("  ").put(&call.text);
            }
            out.end();
        }
        if let Some(last) = path.steps.last() {
            out.place(&root.join(&path_from_text(&last.to.path)), last.to.line, None);
            out.put("  ").name(&last.to.name).end();
        }
    }
    out
}
