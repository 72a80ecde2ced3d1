//! `whichfn implementations`: the types that implement or extend a type, or the methods that
//! override a method, as a tree; with `--up`, the types and methods above it.

use super::choices::TreeFormat;
use super::common::{CommonArgs, at_least_one};
use super::page::{DIM, NAME, Page};
use super::place::DisplayRoot;
use super::target::Target;
use super::{Exit, output, place, resolve, vimgrep};
use crate::engine::Engine;
use crate::render::{self, line};
use clap::Args;
use std::path::PathBuf;
use whichfn_search::answer::{Resolved, TypeBranch, TypeDirection, TypeTree};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;
use whichfn_text::path_from_text;

/// Default number of definitions: as many as fit on a screen.
const SHOWN: usize = 40;

#[derive(Debug, Clone, Args)]
pub(super) struct ImplementationsArgs {
    /// A type or a method, as NAME, FILE:LINE or FILE:NAME.
    #[arg(value_name = "FILE:LINE|NAME")]
    pub name: String,
    /// The repository [default: the one around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// List the bases and interfaces of a type, or the methods that a method overrides, instead.
    #[arg(long)]
    pub up: bool,
    /// Maximum number of definitions, closest first [default: 40].
    #[arg(short = 'k', long = "results", value_name = "N")]
    pub k: Option<usize>,
    /// Print JSON.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Output format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<TreeFormat>,
    /// Use the index as it is, without checking for changed files.
    #[arg(long)]
    pub no_update: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

pub(super) fn run(asked: &ImplementationsArgs) -> Result<Exit> {
    let max = asked.k.unwrap_or(SHOWN);
    at_least_one("-k", max, "definitions")?;
    let directory = asked.directory.as_deref();
    let target = Target::read(place::root_for(Some(&asked.name), directory)?, &asked.shared)?;
    let engine = target.engine(asked.no_update)?;
    let name = place::name_for(&asked.name, directory, &target.root);
    let Some(definition) = type_or_method(&engine, &name)? else { return Ok(Exit::Nothing) };
    let direction = if asked.up { TypeDirection::Up } else { TypeDirection::Down };
    let tree = engine.implementations(definition, direction, max);
    let is_empty = tree.branches.is_empty();
    let shown = place::shown_root(directory, &target.root);
    match asked.format.unwrap_or_default() {
        TreeFormat::Json => output::data(&line(&render::implementations(&tree)))?,
        TreeFormat::Text if asked.json => output::data(&line(&render::implementations(&tree)))?,
        TreeFormat::Vimgrep => output::data(&vimgrep::types(&tree.branches, &shown))?,
        TreeFormat::Text if is_empty => {}
        TreeFormat::Text => output::page(&page(&tree, &shown))?,
    }
    if is_empty {
        output::notice(&nothing(&tree));
    }
    Ok(if is_empty { Exit::Nothing } else { Exit::Found })
}

/// Returns the definition that a name refers to: the type, if its constructors have the same name.
fn type_or_method(engine: &Engine, name: &str) -> Result<Option<DefinitionId>> {
    if let Resolved::Many(all) = engine.resolve(name)
        && let [one] = all.into_iter().filter(|&id| engine.is_type(id)).collect::<Vec<_>>()[..]
    {
        return Ok(Some(one));
    }
    resolve::definition(engine, name)
}

fn nothing(tree: &TypeTree) -> String {
    let name = &tree.root.name;
    match tree.direction {
        TypeDirection::Down => format!("no implementations of {name} found in this repository"),
        TypeDirection::Up => format!("{name} implements and overrides nothing in this repository"),
    }
}

/// Formats the tree for a user, with one line per definition.
fn page(tree: &TypeTree, root: &DisplayRoot) -> Page {
    let mut out = Page::default();
    let centre = &tree.root;
    out.place(&root.join(&path_from_text(&centre.path)), centre.line, None);
    out.put("  ").styled(NAME, &centre.name).put("  ");
    let counted = match tree.direction {
        TypeDirection::Down => format!("{} below", tree.total),
        TypeDirection::Up => format!("{} above", tree.total),
    };
    out.styled(DIM, format_args!("{} · {counted}", centre.kind)).end();
    branches(&mut out, tree, root, (&tree.branches, tree.direct - tree.branches.len()), "");
    if tree.left_out > 0 {
        out.styled(DIM, format_args!("{} more not shown (use -k N to show more)", tree.left_out)).end();
    }
    out
}

fn branches(
    out: &mut Page,
    tree: &TypeTree,
    root: &DisplayRoot,
    (all, left_out): (&[TypeBranch], usize),
    before: &str,
) {
    for (number, branch) in all.iter().enumerate() {
        let is_last = number + 1 == all.len() && left_out == 0;
        out.styled(DIM, format_args!("{before}{} ", if is_last { "└─" } else { "├─" }));
        branch_line(out, tree.direction, branch, root);
        let deeper = format!("{before}{}  ", if is_last { " " } else { "│" });
        branches(out, tree, root, (&branch.branches, branch.left_out), &deeper);
    }
    if left_out > 0 {
        out.styled(DIM, format_args!("{before}└─ {left_out} more")).end();
    }
}

/// Prints the location to click, the name, the relation and the signature.
fn branch_line(out: &mut Page, direction: TypeDirection, branch: &TypeBranch, root: &DisplayRoot) {
    let location = &branch.location;
    out.place(&root.join(&path_from_text(&location.path)), location.line, None);
    let columns = output::screen().map_or(usize::MAX, |(columns, _)| columns);
    let name = out.fitting_name(&location.name, columns);
    out.put("  ").styled(NAME, name).put("  ");
    out.styled(DIM, format_args!("({})", branch.relation.phrase(direction))).put("  ").put(&branch.signature).end();
}
