//! `implementations`: the types that implement or extend a type, or the methods that override a
//! method, as a tree; with `--up`, the types and methods above it.

use super::{About, Head, Lead, Listing, Registered, Request, Role, Row, Section, Verb};
use crate::render::location;
use clap::Args;
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Deserializer};
use serde_json::json;
use whichfn_search::answer::{TypeBranch, TypeDirection, TypeTree};
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
        let tree = |&of| request.engine.implementations(of, direction, request.max, request.filter);
        Ok(of.iter().map(tree).map(|tree| listing(&tree)).collect())
    }
}

fn listing(tree: &TypeTree) -> Listing {
    let name = &tree.root.name;
    let (side, nothing) = match tree.direction {
        TypeDirection::Down => ("below", format!("no implementations of {name} found in this repository")),
        TypeDirection::Up => ("above", format!("{name} implements and overrides nothing in this repository")),
    };
    Listing {
        head: Head::Definition(tree.root.clone(), format!("{} · {} {side}", tree.root.kind, tree.total)),
        sections: vec![Section {
            lead: Lead::Tree,
            key: "tree",
            rows: tree.branches.iter().map(|branch| row(tree.direction, branch)).collect(),
            left_out: tree.direct - tree.branches.len(),
            ..Section::default()
        }],
        left_out: tree.left_out,
        filtered: tree.filtered,
        nothing,
        json: json!({
            "version": 1,
            "direction": tree.direction.name(),
            "of": location(&tree.root),
            "direct": tree.direct,
            "total": tree.total,
            "left_out": tree.left_out,
        }),
        ..Listing::default()
    }
}

fn row(direction: TypeDirection, branch: &TypeBranch) -> Row {
    let (relation, by) =
        (branch.relation.phrase(direction), if direction == TypeDirection::Up { " by it" } else { "" });
    let mut row = Row::of(&branch.location);
    row.json["signature"] = branch.signature.as_str().into();
    row.json["relation"] = branch.relation.name().into();
    Row {
        notes: format!("({relation})"),
        text: branch.signature.clone(),
        brief: format!(" ({relation}{by})"),
        below: branch.branches.iter().map(|below| self::row(direction, below)).collect(),
        left_out: branch.left_out,
        ..row
    }
}
