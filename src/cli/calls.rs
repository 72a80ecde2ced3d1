//! `whichfn callers` and `whichfn callees`: a tree of calls, each with its location, its line and
//! the reason for the link.

use super::choices::TreeFormat;
use super::common::{at_least_one, counted};
use super::filter::{FilterArgs, RepositoryArgs, filtered};
use super::layout::Part;
use super::listing::{self, ListingArgs, entry, heading, not_shown};
use super::page::{DIM, Page};
use super::place::DisplayRoot;
use super::target::Target;
use super::{Exit, output, place, resolve, vimgrep};
use crate::render::{self, line};
use clap::Args;
use whichfn_search::answer::{CallBranch, CallDirection, CallLimits, CallLine, CallTree, SeenCall};
use whichfn_system::error::Result;
use whichfn_text::path_from_text;

/// Default number of definitions: as many as fit on a screen.
const SHOWN: usize = 40;
/// Maximum number of additional call lines listed after the first.
const FURTHER: usize = 4;

#[derive(Debug, Clone, Args)]
pub(super) struct CallsArgs {
    /// A function, as NAME, FILE:LINE or FILE:NAME; or a type or file, for everything in it.
    #[arg(value_name = "FILE:LINE|NAME")]
    pub name: String,
    /// Show the calls of all definitions with this name.
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub repository: RepositoryArgs,
    /// Depth of calls to follow: 1 for direct calls, 2 for their calls too, and so on.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub depth: usize,
    /// Maximum number of definitions, closest first [default: 40].
    #[arg(short = 'k', long = "results", value_name = "N")]
    pub k: Option<usize>,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub listing: ListingArgs,
}

pub(super) fn run(asked: &CallsArgs, direction: CallDirection) -> Result<Exit> {
    let limits = CallLimits { depth: asked.depth, max: asked.k.unwrap_or(SHOWN) };
    at_least_one("--depth", limits.depth, "calls")?;
    at_least_one("-k", limits.max, "calls")?;
    let directory = asked.repository.directory();
    let (target, name) = Target::of_name(&asked.name, directory, &asked.listing.shared)?;
    let engine = target.engine(asked.listing.no_update)?;
    let shown = place::shown_root(directory, &target.root);
    let of = resolve::definitions(&engine, &name, asked.all)?;
    let filter = asked.filter.filter(&engine, &target)?;
    let trees = engine.calls_or_uses_of_all(&of, direction, limits, &filter)?;
    let is_found = trees.iter().any(|tree| !tree.branches.is_empty());
    for (number, (definition, tree)) in of.iter().zip(&trees).enumerate() {
        let has_uses = direction == CallDirection::Callers && (tree.uses > 0 || engine.is_type(*definition));
        let uses = has_uses.then(|| format!("to list all uses: whichfn references {}", tree.root.name));
        print(asked, tree, &shown, uses.as_deref())?;
        target.ui.notices(&tree.notices);
        if !is_found && number == 0 {
            output::notice(&(no_calls(tree) + &asked.filter.suffix(tree.filtered)));
        }
        if !is_found {
            uses.iter().for_each(|hint| output::notice(hint));
        }
    }
    Ok(if is_found { Exit::Found } else { Exit::Nothing })
}

fn print(asked: &CallsArgs, tree: &CallTree, root: &DisplayRoot, hint: Option<&str>) -> Result<()> {
    match asked.listing.format() {
        TreeFormat::Json => output::data(&line(&render::calls(tree))),
        TreeFormat::Vimgrep => output::data(&vimgrep::calls(&tree.branches, root)),
        TreeFormat::Text if tree.branches.is_empty() => Ok(()),
        TreeFormat::Text => output::page(&page(tree, root, hint)),
    }
}

fn no_calls(tree: &CallTree) -> String {
    let (name, uses) = (&tree.root.name, counted_uses(tree));
    match tree.direction {
        CallDirection::Callers if !tree.is_complete => format!("none of the linked calls is to {name}{uses}"),
        CallDirection::Callees if !tree.is_complete => format!("none of the linked calls is from {name}"),
        CallDirection::Callers => format!("no calls to {name} found in this repository{uses}"),
        CallDirection::Callees => format!("no calls from {name} to this repository found"),
    }
}

/// Returns the number of uses of a definition that nothing calls.
fn counted_uses(tree: &CallTree) -> String {
    match tree.uses {
        0 => String::new(),
        count => format!(", but {}", counted(count, "other use")),
    }
}

/// Formats the tree for a user, with one line per definition and a hint at the end.
fn page(tree: &CallTree, root: &DisplayRoot, hint: Option<&str>) -> Page {
    let mut out = Page::default();
    let summed = format!("{} · {}", tree.root.kind, summary(tree));
    heading(&mut out, &tree.root, root).part(Part::Kept, |out| out.styled(DIM, summed)).end();
    tree_lines(&mut out, tree, root);
    not_shown(&mut out, tree.left_out);
    filtered(&mut out, tree.filtered);
    if let Some(hint) = hint {
        out.prose(DIM, hint);
    }
    out
}

/// Returns the number of callers or callees in words.
pub(super) fn summary(tree: &CallTree) -> String {
    match tree.direction {
        CallDirection::Callers => format!("called by {}", tree.direct),
        CallDirection::Callees => format!("calls {}", tree.direct),
    }
}

/// Prints all branches, and the number of those left out.
pub(super) fn tree_lines(out: &mut Page, tree: &CallTree, root: &DisplayRoot) {
    let branches = (&tree.branches[..], tree.direct - tree.branches.len());
    listing::tree(out, branches, "", &|out, branch| branch_line(out, tree.direction, branch, root));
}

/// Prints the location to click, the name, the reason for the link, and the line of the first call.
/// For a caller, the location is the call; for a callee, it is the definition, because this is what
/// the user wants to open.
fn branch_line(out: &mut Page, direction: CallDirection, branch: &CallBranch, root: &DisplayRoot) {
    let Some(first) = branch.calls.first() else { return };
    let path = |path: &str| root.join(&path_from_text(path));
    match direction {
        CallDirection::Callers => out.place(&path(&first.path), first.line, Some(first.column)),
        CallDirection::Callees => out.place(&path(&branch.location.path), branch.location.line, None),
    };
    entry(out, &branch.location.name, notes(direction, branch, first), &first.text);
}

/// Returns the reason for the link, the lines of other calls, and whether the call is recursive or
/// shown elsewhere.
fn notes(direction: CallDirection, branch: &CallBranch, first: &CallLine) -> String {
    let mut notes = vec![first.reason.phrase().to_owned()];
    match (direction, &first.through) {
        (CallDirection::Callers, Some(inner)) => notes.push(format!("calls {inner}")),
        (CallDirection::Callees, Some(inner)) => notes.push(format!("in {inner}")),
        (CallDirection::Callees, None) => notes.push(format!("line {}", first.line)),
        _ => {}
    }
    let mut lines: Vec<u32> = branch.calls.iter().map(|call| call.line).filter(|line| *line != first.line).collect();
    lines.dedup();
    let more = lines.len().saturating_sub(FURTHER);
    let mut further: Vec<String> = lines.iter().take(FURTHER).map(u32::to_string).collect();
    if more > 0 {
        further.push(format!("{more} more"));
    }
    if !further.is_empty() {
        notes.push(format!("also {}", further.join(" ")));
    }
    notes.extend(branch.repeated.map(|again| match again {
        SeenCall::Recursion => "↻ recursion".to_owned(),
        SeenCall::Elsewhere => "↑ followed elsewhere".to_owned(),
    }));
    notes.join(", ")
}
