//! `whichfn references`: every place that uses a definition or a value, with its line.

use super::choices::TreeFormat;
use super::common::{at_least_one, counted};
use super::filter::{FilterArgs, RepositoryArgs, filtered};
use super::layout::Part;
use super::listing::{ListingArgs, entry, heading, not_shown};
use super::page::{DIM, Page};
use super::place::DisplayRoot;
use super::target::Target;
use super::{Exit, output, place, resolve, vimgrep};
use crate::render::{self, line};
use clap::Args;
use whichfn_search::answer::{References, Use};
use whichfn_system::error::Result;
use whichfn_text::path_from_text;

/// Default number of uses: as many as fit on a screen.
const SHOWN: usize = 40;

#[derive(Debug, Clone, Args)]
pub(super) struct ReferencesArgs {
    /// A function, type, constant, field or variant, as NAME, FILE:LINE or FILE:NAME.
    #[arg(value_name = "FILE:LINE|NAME")]
    pub name: String,
    /// Show the uses of all definitions with this name.
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub repository: RepositoryArgs,
    /// Maximum number of uses [default: 40].
    #[arg(short = 'k', long = "results", value_name = "N")]
    pub k: Option<usize>,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub listing: ListingArgs,
}

pub(super) fn run(asked: &ReferencesArgs) -> Result<Exit> {
    let max = asked.k.unwrap_or(SHOWN);
    at_least_one("-k", max, "uses")?;
    let directory = asked.repository.directory();
    let (target, name) = Target::of_name(&asked.name, directory, &asked.listing.shared)?;
    let engine = target.engine(asked.listing.no_update)?;
    let shown = place::shown_root(directory, &target.root);
    let filter = asked.filter.filter(&engine, &target)?;
    let mut exit = Exit::Nothing;
    let found = engine.references_of_all(&resolve::named(&engine, &name, asked.all)?, max, &filter)?;
    target.ui.notices(found.first().map_or(&[][..], |first| &first.notices));
    for found in found {
        print(asked, &found, &shown)?;
        match found.total() == 0 {
            true => output::notice(&format!(
                "no uses of {} found in this repository{}",
                found.of.name,
                asked.filter.suffix(found.filtered)
            )),
            false => exit = Exit::Found,
        }
    }
    Ok(exit)
}

fn print(asked: &ReferencesArgs, found: &References, root: &DisplayRoot) -> Result<()> {
    match asked.listing.format() {
        TreeFormat::Json => output::data(&line(&render::references(found))),
        TreeFormat::Vimgrep => output::data(&vimgrep::references(&found.uses, root)),
        TreeFormat::Text if found.uses.is_empty() => Ok(()),
        TreeFormat::Text => output::page(&page(found, root)),
    }
}

/// Formats the uses for a user, with one line for each.
fn page(found: &References, root: &DisplayRoot) -> Page {
    let mut out = Page::default();
    let of = &found.of;
    let (times, uncertain) = (counted(found.certain, "time"), found.uncertain());
    let summary = format!("{} · used {times}{uncertain}", of.kind);
    heading(&mut out, of, root).part(Part::Kept, |out| out.styled(DIM, summary)).end();
    found.uses.iter().for_each(|one| use_line(&mut out, one, root));
    not_shown(&mut out, found.total() - found.uses.len());
    filtered(&mut out, found.filtered);
    out
}

fn use_line(out: &mut Page, one: &Use, root: &DisplayRoot) {
    out.put("  ").place(&root.join(&path_from_text(&one.path)), one.line, Some(one.column));
    entry(out, &one.inside, one.phrase(), &one.text);
}
