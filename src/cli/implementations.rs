//! `whichfn implementations`: the types that implement or extend a type, or the methods that
//! override a method, as a tree; with `--up`, the types and methods above it.

use super::choices::TreeFormat;
use super::common::at_least_one;
use super::filter::{FilterArgs, RepositoryArgs, filtered};
use super::layout::Part;
use super::listing::{self, ListingArgs, entry, heading, not_shown};
use super::page::{DIM, Page};
use super::place::DisplayRoot;
use super::target::Target;
use super::{Exit, output, place, resolve, vimgrep};
use crate::engine::Engine;
use crate::render::{self, line};
use clap::Args;
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
    #[command(flatten)]
    pub repository: RepositoryArgs,
    /// List the bases and interfaces of a type, or the methods that a method overrides, instead.
    #[arg(long)]
    pub up: bool,
    /// Maximum number of definitions, closest first [default: 40].
    #[arg(short = 'k', long = "results", value_name = "N")]
    pub k: Option<usize>,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub listing: ListingArgs,
}

pub(super) fn run(asked: &ImplementationsArgs) -> Result<Exit> {
    let max = asked.k.unwrap_or(SHOWN);
    at_least_one("-k", max, "definitions")?;
    let directory = asked.repository.directory();
    let (target, name) = Target::of_name(&asked.name, directory, &asked.listing.shared)?;
    let engine = target.engine(asked.listing.no_update)?;
    let Some(definition) = type_or_method(&engine, &name)? else { return Ok(Exit::Nothing) };
    let direction = if asked.up { TypeDirection::Up } else { TypeDirection::Down };
    let filter = asked.filter.filter(&engine, &target)?;
    let tree = engine.implementations_in(definition, direction, max, &filter);
    let is_empty = tree.branches.is_empty();
    let shown = place::shown_root(directory, &target.root);
    match asked.listing.format() {
        TreeFormat::Json => output::data(&line(&render::implementations(&tree)))?,
        TreeFormat::Vimgrep => output::data(&vimgrep::types(&tree.branches, &shown))?,
        TreeFormat::Text if is_empty => {}
        TreeFormat::Text => output::page(&page(&tree, &shown))?,
    }
    if is_empty {
        output::notice(&(nothing(&tree) + &asked.filter.suffix(tree.filtered)));
    }
    Ok(if is_empty { Exit::Nothing } else { Exit::Found })
}

/// Returns the definition that a name refers to: the type, if functions share its name. Uses the
/// first of several variants.
fn type_or_method(engine: &Engine, name: &str) -> Result<Option<DefinitionId>> {
    let Resolved::Many(all) = engine.resolve(name) else { return resolve::definition(engine, name) };
    let types: Vec<_> = all.iter().copied().filter(|&id| engine.is_type(id)).collect();
    let meant = if types.is_empty() { all } else { types };
    match meant[..] {
        [one] => Ok(Some(one)),
        [first, ..] if engine.are_variants(&meant) => {
            let place = engine.location(first);
            output::notice(&format!("{name} has {} variants; using {}:{}", meant.len(), place.path, place.line));
            Ok(Some(first))
        }
        _ => resolve::definition(engine, name),
    }
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
    let counted = match tree.direction {
        TypeDirection::Down => format!("{} below", tree.total),
        TypeDirection::Up => format!("{} above", tree.total),
    };
    let summary = format!("{} · {counted}", tree.root.kind);
    heading(&mut out, &tree.root, root).part(Part::Kept, |out| out.styled(DIM, summary)).end();
    let branches = (&tree.branches[..], tree.direct - tree.branches.len());
    listing::tree(&mut out, branches, "", &|out, branch| branch_line(out, tree.direction, branch, root));
    not_shown(&mut out, tree.left_out);
    filtered(&mut out, tree.filtered);
    out
}

/// Prints the location to click, the name, the relation and the signature.
fn branch_line(out: &mut Page, direction: TypeDirection, branch: &TypeBranch, root: &DisplayRoot) {
    let location = &branch.location;
    out.place(&root.join(&path_from_text(&location.path)), location.line, None);
    entry(out, &location.name, branch.relation.phrase(direction), &branch.signature);
}
