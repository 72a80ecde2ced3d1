//! Parts of the pages that list definitions: the heading, an entry, a tree, and the number of
//! entries left out.

use super::choices::TreeFormat;
use super::common::CommonArgs;
use super::layout::Part;
use super::page::{DIM, Page};
use super::place::DisplayRoot;
use clap::Args;
use std::fmt::Display;
use whichfn_search::answer::{CallBranch, DefinitionLocation, TypeBranch};
use whichfn_text::path_from_text;

/// Options of commands that list what belongs to a name.
#[derive(Debug, Clone, Args)]
pub(super) struct ListingArgs {
    /// Print JSON.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Output format [default: text].
    #[arg(long, value_name = "FORMAT")]
    format: Option<TreeFormat>,
    /// Use the index as it is, without checking for changed files.
    #[arg(long)]
    pub no_update: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

impl ListingArgs {
    /// Returns the chosen output format.
    pub fn format(&self) -> TreeFormat {
        if self.json { TreeFormat::Json } else { self.format.unwrap_or_default() }
    }
}

/// A node of a tree of definitions.
pub(super) trait Branch: Sized {
    /// Returns the nodes below it, and the number of those that are left out.
    fn below(&self) -> (&[Self], usize);
}

impl Branch for CallBranch {
    fn below(&self) -> (&[Self], usize) {
        (&self.branches, self.left_out)
    }
}

impl Branch for TypeBranch {
    fn below(&self) -> (&[Self], usize) {
        (&self.branches, self.left_out)
    }
}

/// Prints the definition that a page is about: location, name and kind.
pub(super) fn heading<'p>(out: &'p mut Page, of: &DefinitionLocation, root: &DisplayRoot) -> &'p mut Page {
    out.place(&root.join(&path_from_text(&of.path)), of.line, None);
    out.put("  ").name(&of.name).put("  ")
}

/// Prints the rest of a line after its location: a name, notes and text.
pub(super) fn entry(out: &mut Page, name: &str, notes: impl Display, text: &str) {
    out.put("  ").name(name).put("  ");
    out.part(Part::Wanted, |out| out.styled(DIM, format_args!("({notes})"))).put("  ").put(text).end();
}

/// Prints nodes and all nodes below them, each after the lines that connect it, and the number of
/// nodes left out on each level.
pub(super) fn tree<B: Branch>(
    out: &mut Page,
    (all, left_out): (&[B], usize),
    before: &str,
    line: &impl Fn(&mut Page, &B),
) {
    for (number, branch) in all.iter().enumerate() {
        let is_last = number + 1 == all.len() && left_out == 0;
        out.styled(DIM, format_args!("{before}{} ", if is_last { "└─" } else { "├─" }));
        line(out, branch);
        let deeper = format!("{before}{}  ", if is_last { " " } else { "│" });
        tree(out, branch.below(), &deeper, line);
    }
    if left_out > 0 {
        out.styled(DIM, format_args!("{before}└─ {left_out} more")).end();
    }
}

/// Prints how many entries are not shown, if any.
pub(super) fn not_shown(out: &mut Page, left_out: usize) {
    if left_out > 0 {
        out.prose(DIM, format_args!("{left_out} more not shown (use -k N to show more)"));
    }
}
