//! Prints lists: the options, the page for a user, and the lines for the quickfix lists of editors.

use super::common::CommonArgs;
use super::layout::Part;
use super::page::{DIM, NAME, Page, quoted, visible};
use super::place::DisplayRoot;
use super::text::reasons_line;
use crate::verbs::{Format, Head, Lead, ListOptions, Listing, Reader, Row};
use clap::Args;
use whichfn_search::answer::Place;
use whichfn_text::path_from_text;

/// Options of commands that list definitions and places.
#[derive(Debug, Clone, Args)]
pub(super) struct ListingArgs {
    #[command(flatten)]
    pub options: ListOptions,
    /// Print JSON.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Output format [default: text].
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Use the index as it is, without checking for changed files.
    #[arg(long)]
    pub no_update: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

impl ListingArgs {
    /// Returns the chosen output format.
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format.unwrap_or_default() }
    }
}

/// Formats a list for a user.
pub(super) fn page(list: &Listing, root: &DisplayRoot) -> Page {
    let mut out = Page::default();
    head(&mut out, &list.head, root);
    for (number, section) in list.sections.iter().filter(|section| section.reader != Reader::Agent).enumerate() {
        if section.is_apart && number > 0 {
            out.end();
        }
        if !section.title.is_empty() && !section.rows.is_empty() {
            out.styled(DIM, &section.title).end();
        }
        match section.lead {
            Lead::Tree => tree(&mut out, (&section.rows, section.left_out), "", root),
            Lead::Indented => section.rows.iter().for_each(|row| line(out.put("  "), row, root)),
            Lead::Plain => section.rows.iter().for_each(|row| line(&mut out, row, root)),
        }
    }
    if list.left_out > 0 {
        out.prose(DIM, format_args!("{} more not shown (use -k N to show more)", list.left_out));
    }
    if list.filtered > 0 {
        out.prose(DIM, format_args!("{} more left out by the filters", list.filtered));
    }
    if let Some(hint) = &list.hint {
        out.prose(DIM, hint);
    }
    out
}

/// Prints what a list is about, and a summary.
fn head(out: &mut Page, head: &Head, root: &DisplayRoot) {
    let (kind, summary) = match head {
        Head::None => return,
        Head::Definition(of, summary) => {
            place(out, &of.place(), root);
            out.put("  ").name(&of.name).put("  ");
            (format!("{} · ", of.kind), summary)
        }
        Head::Text(text, summary) if text.is_empty() => return out.styled(DIM, summary).end(),
        Head::Text(text, summary) => {
            out.put(text).put("  ");
            (String::new(), summary)
        }
    };
    out.part(Part::Kept, |out| out.styled(DIM, kind + summary)).end();
}

/// Prints rows and all rows below them, each after the lines that connect it, and the number of rows
/// left out on each level.
fn tree(out: &mut Page, (rows, left_out): (&[Row], usize), before: &str, root: &DisplayRoot) {
    for (number, row) in rows.iter().enumerate() {
        let is_last = number + 1 == rows.len() && left_out == 0;
        out.styled(DIM, format_args!("{before}{} ", if is_last { "└─" } else { "├─" }));
        line(out, row, root);
        let deeper = format!("{before}{}  ", if is_last { " " } else { "│" });
        tree(out, (&row.below, row.left_out), &deeper, root);
    }
    if left_out > 0 {
        out.styled(DIM, format_args!("{before}└─ {left_out} more")).end();
    }
}

/// Prints a row: its place to click, its name, notes and text.
fn line(out: &mut Page, row: &Row, root: &DisplayRoot) {
    let Some(at) = &row.at else {
        out.part(Part::Prose, |out| out.styled(DIM, &row.notes).put(&row.text)).end();
        return;
    };
    place(out, at, root);
    if !row.name.is_empty() {
        out.put("  ").name(&row.name);
    }
    if !row.notes.is_empty() {
        out.put("  ").part(Part::Wanted, |out| out.styled(DIM, &row.notes));
    }
    if !row.text.is_empty() {
        out.put("  ").put(&row.text);
    }
    out.end();
    if !row.details.is_empty() {
        reasons_line(out, &row.details);
    }
}

fn place(out: &mut Page, at: &Place, root: &DisplayRoot) {
    let path = root.join(&path_from_text(&at.path));
    match at.line {
        0 => out.path(NAME, &path),
        line => out.place(&path, line, Some(at.column).filter(|&column| column > 0)),
    };
}

/// Formats a list as one line per location, `PATH:LINE:COLUMN:TEXT`. Columns are 1-based byte offsets.
pub(super) fn vimgrep(list: &Listing, root: &DisplayRoot) -> String {
    let sections = list.sections.iter().filter(|section| section.reader != Reader::User);
    sections.map(|section| rows_as_vimgrep(&section.rows, root)).collect()
}

fn rows_as_vimgrep(rows: &[Row], root: &DisplayRoot) -> String {
    let own = |row: &Row| row.at.iter().map(|at| Place { text: row.text.clone(), ..at.clone() }).collect();
    let lines = |row: &Row| {
        let places = if row.places.is_empty() { own(row) } else { row.places.clone() };
        let places = places.iter().filter(|at| at.line > 0);
        let text = |text: &str| if text.is_empty() { row.name.clone() } else { format!("{}: {text}", row.name) };
        let lines: String = places.map(|at| vimgrep_line(at, &text(&at.text), root)).collect();
        lines + &rows_as_vimgrep(&row.below, root)
    };
    rows.iter().map(lines).collect()
}

/// Formats one location.
pub(super) fn vimgrep_line(at: &Place, text: &str, root: &DisplayRoot) -> String {
    let path = root.join(&path_from_text(&at.path));
    format!("{}:{}:{}:{}\n", quoted(&path), at.line, at.byte.max(1), visible(text))
}
