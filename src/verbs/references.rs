//! `references`: every place that uses a definition or a value, with its line.

use super::{About, Head, Lead, Listing, Registered, Request, Row, Section, Verb, implementations, short};
use crate::engine::NamedLines;
use crate::render::{counted, location, with_path};
use clap::Args;
use rmcp::schemars::{self, JsonSchema};
use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde_json::{Value, json};
use whichfn_search::answer::{
    Certainty, DefinitionLocation, Named, Place, References as Uses, TypeDirection, Use, last_part,
};
use whichfn_system::error::Result;

pub(super) const VERB: Registered = Registered::new::<References>(About {
    name: "references",
    alias: Some("refs"),
    about: "List the uses of a function, type, constant or field, with the line of each use",
    listed: "uses",
    reply: "References",
    examples: &[
        ("whichfn references MAX_SIZE", "List the uses of a constant."),
        ("whichfn references MAX_SIZE --everywhere", "List also the comments, strings and documents that name it."),
    ],
    ..About::LIST
});

/// Maximum number of other lines with the name that are listed with their text. There are more for
/// names that several things have, and few of them are of interest.
const WITH_TEXT: usize = 20;

/// Arguments of `references`.
#[derive(Debug, Args, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct References {
    /// A function, type, constant, field or variant, as NAME, FILE:LINE or FILE:NAME.
    #[arg(value_name = "FILE:LINE|NAME")]
    name: String,
    /// Show the uses of all definitions with this name.
    #[arg(long)]
    #[serde(skip)]
    all: bool,
    /// Also list overrides and implementations, and every other line that contains the name: comments,
    /// strings, documentation, settings, and other things with this name.
    #[arg(long)]
    #[serde(default)]
    everywhere: bool,
}

impl Verb for References {
    fn typed(&self) -> Vec<&str> {
        vec![&self.name]
    }

    fn run(&self, request: &Request<'_>) -> Result<Vec<Listing>> {
        let of = request.names.named(&self.name, self.all)?;
        // All uses are needed to know which lines are none.
        let max = if self.everywhere { usize::MAX } else { request.max };
        let found = request.engine.references_of_all(&of, max, request.filter)?;
        let with_lines = |(found, &of)| if self.everywhere { everywhere(request, of, found) } else { listing(found) };
        Ok(found.into_iter().zip(&of).map(with_lines).collect())
    }
}

/// Returns the uses, what the definition overrides or implements and the reverse, and all other lines
/// with its name.
fn everywhere(request: &Request<'_>, of: Named, mut found: Uses) -> Listing {
    let name = last_part(&found.of.name).to_owned();
    let related = related(request, of);
    let mut listed: FxHashSet<(String, u32)> =
        found.uses.iter().map(|one| (one.place.path.clone(), one.place.line)).collect();
    listed.insert((found.of.path.clone(), found.of.line));
    related.iter().for_each(|section| add_places(&section.rows, &mut listed));
    let mut lines = request.engine.lines_with_name(&name, request.filter);
    lines.lines.retain(|(place, _)| !listed.contains(&(place.path.clone(), place.line)));
    let lacks = conclusion(&lines, &name, request.filter.is_all());
    found.uses.truncate(request.max);
    let mut list = listing(found);
    list.json["searched"] = lines.searched.into();
    list.json["unread"] = lines.unread.into();
    list.json["skipped"] = lines.skipped.into();
    list.json["lines_left_out"] = lines.left_out.into();
    list.json["lines"] = lines.lines.iter().map(json_line).collect();
    let count = lines.lines.len();
    let other = counted(count, "other line");
    let title = format!("{other} with `{name}`, such as comments, strings and other things with this name");
    let rows = if count > WITH_TEXT { by_file(&lines.lines) } else { lines.lines.iter().map(line).collect() };
    list.sections.extend(related);
    list.sections.push(Section {
        title: title.clone(),
        brief: if count > 0 { title } else { String::new() },
        brief_end: vec![lacks.clone()],
        lead: Lead::Indented,
        rows,
        ..Section::default()
    });
    list.hint = Some(lacks);
    list
}

/// Returns the definitions above and below a definition, each in a section.
fn related(request: &Request<'_>, of: Named) -> Vec<Section> {
    let Named::Definition(id) = of else { return Vec::new() };
    let section = |(direction, key, what): (TypeDirection, _, &str)| {
        let tree = request.engine.implementations(id, direction, request.max, request.filter);
        let title = format!("{what} {}", counted(tree.total(), "definition"));
        let rows = Section::of(&tree, |branch| implementations::row(direction, branch));
        Section { title: title.clone(), brief: if tree.total() > 0 { title } else { String::new() }, key, ..rows }
    };
    let above = (TypeDirection::Up, "above", "overrides, implements or extends");
    let below = (TypeDirection::Down, "below", "overridden, implemented or extended by");
    [above, below].into_iter().map(section).collect()
}

fn add_places(rows: &[Row], listed: &mut FxHashSet<(String, u32)>) {
    for row in rows {
        listed.extend(row.at.iter().map(|at| (at.path.clone(), at.line)));
        add_places(&row.below, listed);
    }
}

/// Returns what the list covers, so that a reader need not search again.
fn conclusion(lines: &NamedLines, name: &str, is_all: bool) -> String {
    let among = if is_all { "" } else { " that the filters accept" };
    let mut text =
        format!("no other line of the {}{among} contains `{name}`", counted(lines.searched, "searched file"));
    if lines.left_out > 0 {
        text += &format!(", except {} that the filters leave out", counted(lines.left_out, "line"));
    }
    if lines.unread > 0 {
        text += &format!("; {} could not be read in full", counted(lines.unread, "file"));
    }
    if lines.skipped > 0 {
        text += &format!("; {} not searched (whichfn status --list)", counted(lines.skipped, "skipped file"));
    }
    text
}

/// A line with the innermost definition around it.
type LineInside = (Place, Option<DefinitionLocation>);

fn line((place, around): &LineInside) -> Row {
    Row {
        at: Some(place.clone()),
        name: around.as_ref().map_or_else(String::new, |around| around.name.clone()),
        text: short(&place.text),
        brief: format!(": {}", short(&place.text)),
        ..Row::default()
    }
}

/// Returns a row for each file, with the numbers of its lines.
fn by_file(lines: &[LineInside]) -> Vec<Row> {
    let files = lines.chunk_by(|(one, _), (next, _)| one.path == next.path);
    let row = |lines: &[LineInside]| {
        let places: Vec<Place> = lines.iter().map(|(place, _)| place.clone()).collect();
        let numbers: Vec<String> = places.iter().map(|place| place.line.to_string()).collect();
        let (text, at) = (numbers.join(", "), Place::of_line(&places[0].path, 0));
        Row { at: Some(at), brief: format!(": {text}"), text, places, ..Row::default() }
    };
    files.map(row).collect()
}

fn json_line((place, around): &LineInside) -> Value {
    let inside = around.as_ref().map(|around| around.name.as_str());
    with_path(json!({"line": place.line, "text": place.text, "inside": inside}), &place.path)
}

fn listing(found: Uses) -> Listing {
    let (name, times, uncertain) = (&found.of.name, counted(found.certain, "time"), found.uncertain());
    let left_out = found.total() - found.uses.len();
    Listing {
        head: Head::Definition(found.of.clone(), format!("used {times}{uncertain}")),
        sections: vec![Section {
            brief: format!("{} of {name}", counted(found.total(), "use")),
            lead: Lead::Indented,
            key: "uses",
            rows: found.uses.iter().map(row).collect(),
            left_out,
            ..Section::default()
        }],
        left_out,
        filtered: found.filtered,
        nothing: format!("no uses of {name} found in this repository"),
        json: json!({
            "version": 1,
            "of": location(&found.of),
            "certain": found.certain,
            "possible": found.possible,
            "by_name": found.by_name,
            "left_out": left_out,
        }),
        notices: found.notices,
        ..Listing::default()
    }
}

fn row(one: &Use) -> Row {
    let place = &one.place;
    let mut json = json!({
        "line": place.line, "column": place.column, "text": place.text, "kind": one.kind.name(),
        "inside": one.inside, "is_test": one.is_test, "possible": matches!(one.certainty, Certainty::Possible(_)),
        "by_name": one.certainty == Certainty::ByName,
    });
    if let Some(through) = &one.through {
        json["through"] = through.as_str().into();
    }
    Row {
        at: Some(place.clone()),
        name: one.inside.clone(),
        notes: format!("({})", one.phrase()),
        text: place.text.clone(),
        brief: format!(" ({}): {}", one.phrase(), short(&place.text)),
        json: with_path(json, &place.path),
        ..Row::default()
    }
}
