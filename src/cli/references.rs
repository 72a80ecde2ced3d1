//! `whichfn references`: every place that uses a definition or a value, with its line.

use super::choices::TreeFormat;
use super::common::{CommonArgs, at_least_one};
use super::page::{DIM, NAME, Page};
use super::place::DisplayRoot;
use super::subject::counted;
use super::target::Target;
use super::{Exit, output, place, resolve, vimgrep};
use crate::render::{self, line};
use clap::Args;
use std::path::PathBuf;
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
    /// The repository [default: the one around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// Maximum number of uses [default: 40].
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

pub(super) fn run(asked: &ReferencesArgs) -> Result<Exit> {
    let max = asked.k.unwrap_or(SHOWN);
    at_least_one("-k", max, "uses")?;
    let directory = asked.directory.as_deref();
    let target = Target::read(place::root_for(Some(&asked.name), directory)?, &asked.shared)?;
    let engine = target.engine(asked.no_update)?;
    let name = place::name_for(&asked.name, directory, &target.root);
    let Some(named) = resolve::named(&engine, &name)? else { return Ok(Exit::Nothing) };
    let found = engine.references(named, max)?;
    let shown = place::shown_root(directory, &target.root);
    match asked.format.unwrap_or_default() {
        TreeFormat::Json => output::data(&line(&render::references(&found)))?,
        TreeFormat::Text if asked.json => output::data(&line(&render::references(&found)))?,
        TreeFormat::Vimgrep => output::data(&vimgrep::references(&found.uses, &shown))?,
        TreeFormat::Text if found.uses.is_empty() => {}
        TreeFormat::Text => output::page(&page(&found, &shown))?,
    }
    target.ui.left_out(&found.unread);
    if found.uses.is_empty() {
        output::notice(&format!("no uses of {} found in this repository", found.of.name));
        return Ok(Exit::Nothing);
    }
    Ok(Exit::Found)
}

/// Formats the uses for a user, with one line for each.
fn page(found: &References, root: &DisplayRoot) -> Page {
    let mut out = Page::default();
    let of = &found.of;
    out.place(&root.join(&path_from_text(&of.path)), of.line, None);
    out.put("  ").styled(NAME, &of.name).put("  ");
    let by_name = if found.by_name > 0 { format!(", and {} by name only", found.by_name) } else { String::new() };
    out.styled(DIM, format_args!("{} · used {}{by_name}", of.kind, counted(found.certain, "time"))).end();
    found.uses.iter().for_each(|one| use_line(&mut out, one, root));
    let left_out = found.certain + found.by_name - found.uses.len();
    if left_out > 0 {
        out.styled(DIM, format_args!("{left_out} more not shown (use -k N to show more)")).end();
    }
    out
}

fn use_line(out: &mut Page, one: &Use, root: &DisplayRoot) {
    out.put("  ").place(&root.join(&path_from_text(&one.path)), one.line, Some(one.column));
    let columns = output::screen().map_or(usize::MAX, |(columns, _)| columns);
    let name = out.fitting_name(&one.inside, columns);
    out.put("  ").styled(NAME, name).put("  ");
    let by_name = if one.by_name { ", by name only" } else { "" };
    out.styled(DIM, format_args!("({}{by_name})", one.kind.name())).put("  ").put(&one.text).end();
}
