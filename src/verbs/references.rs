//! `references`: every place that uses a definition or a value, with its line.

use super::{About, Head, Lead, Listing, Registered, Request, Row, Section, Verb, short};
use crate::render::{counted, location, with_path};
use clap::Args;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::json;
use whichfn_search::answer::{Certainty, References as Uses, Use};
use whichfn_system::error::Result;

pub(super) const VERB: Registered = Registered::new::<References>(About {
    name: "references",
    alias: Some("refs"),
    about: "List the uses of a function, type, constant or field, with the line of each use",
    listed: "uses",
    reply: "References",
    examples: &[("whichfn references MAX_SIZE", "List the uses of a constant.")],
    ..About::LIST
});

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
}

impl Verb for References {
    fn typed(&self) -> Vec<&str> {
        vec![&self.name]
    }

    fn run(&self, request: &Request<'_>) -> Result<Vec<Listing>> {
        let of = request.names.named(&self.name, self.all)?;
        let found = request.engine.references_of_all(&of, request.max, request.filter)?;
        Ok(found.into_iter().map(listing).collect())
    }
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
