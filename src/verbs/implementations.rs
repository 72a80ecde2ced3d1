//! `implementations`: the types that implement or extend a type, or the methods that override a
//! method, as a tree; with `--up`, the types and methods above it.

use super::{About, Listing, Registered, Request, Role, Row, Section, Verb};
use clap::Args;
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Deserializer};
use whichfn_search::answer::{Branch, DefinitionLocation, Subtype, Tree, TypeDirection};
use whichfn_system::error;

pub(super) const VERB: Registered = Registered::new::<Implementations>(About {
    name: "implementations",
    alias: Some("impls"),
    about: "List the implementations and subtypes of a type, or the overrides of a method",
    reply: "Types",
    examples: &[
        ("whichfn implementations Reader", "List the implementations of a trait or interface."),
        ("whichfn implementations FileReader --up", "List what a type implements and extends."),
    ],
    ..About::LIST
});

/// Arguments of `implementations`.
#[derive(Debug, Args, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Implementations {
    /// A type or a method, as NAME, FILE:LINE or FILE:NAME.
    #[arg(value_name = "FILE:LINE|NAME")]
    name: String,
    /// List the bases and interfaces of a type, or the methods that a method overrides, instead.
    #[arg(long)]
    #[serde(rename = "direction", default, deserialize_with = "is_up")]
    #[schemars(with = "String", extend("enum" = ["down", "up"], "default" = "down"))]
    up: bool,
}

/// Reads a direction.
fn is_up<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    TypeDirection::deserialize(from).map(|direction| direction == TypeDirection::Up)
}

impl Verb for Implementations {
    fn typed(&self) -> Vec<&str> {
        vec![&self.name]
    }

    fn run(&self, request: &Request<'_>) -> error::Result<Vec<Listing>> {
        let direction = if self.up { TypeDirection::Up } else { TypeDirection::Down };
        let of = request.names.definitions(&self.name, Role::Type, false)?;
        let listing = |&of| {
            let tree = request.engine.implementations(of, direction, request.max, request.filter);
            listing(request.engine.type_location(of), direction, &tree)
        };
        Ok(of.iter().map(listing).collect())
    }
}

fn listing(of: DefinitionLocation, direction: TypeDirection, tree: &Tree<Subtype>) -> Listing {
    let (name, total) = (&of.name, tree.total());
    let (side, nothing) = match direction {
        TypeDirection::Down => ("below", format!("no implementations of {name} found in this repository")),
        TypeDirection::Up => ("above", format!("{name} implements and overrides nothing in this repository")),
    };
    let section = Section { key: "tree", ..Section::of(tree, |branch| row(direction, branch)) };
    let mut list = Listing { sections: vec![section], nothing, ..Listing::of(tree, of, format!("{total} {side}")) };
    list.json["direction"] = direction.name().into();
    list.json["total"] = total.into();
    list
}

pub(super) fn row(direction: TypeDirection, Branch { location, link, .. }: &Branch<Subtype>) -> Row {
    let relation = link.relation.phrase(direction);
    let by = if direction == TypeDirection::Up { " by it" } else { "" };
    let mut row = Row::of(location);
    row.json["signature"] = link.signature.as_str().into();
    row.json["relation"] = link.relation.name().into();
    Row { notes: format!("({relation})"), text: link.signature.clone(), brief: format!(" ({relation}{by})"), ..row }
}
