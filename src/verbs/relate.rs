//! `relate`: the callers and callees of a definition, and the definitions most related to it.

use super::{About, Listing, Registered, Request, Role, Row, Section, Verb, calls};
use crate::engine::Engine;
use crate::render::{location, with_path};
use clap::Args;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::{Value, json};
use whichfn_search::answer::{CallDirection, RelatedDefinition, Relations};
use whichfn_search::relation::FAINT;
use whichfn_search::search::{DEFAULT_RESULTS, KindFilter};
use whichfn_system::error::Result;

pub(super) const VERB: Registered = Registered::new::<Relate>(About {
    name: "relate",
    about: "List the definitions most related to a function, and why",
    listed: "results",
    usual: [DEFAULT_RESULTS; 4],
    most: 200,
    follows_settings: true,
    reply: "Relations",
    examples: &[("whichfn relate kill_and_wait -k 5", "List the five most related definitions.")],
    ..About::LIST
});

/// Arguments of `relate`.
#[derive(Debug, Args, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Relate {
    /// A function or type, as NAME, FILE:LINE or FILE:NAME; or a file.
    #[arg(value_name = "FILE:LINE|NAME")]
    name: String,
    /// Kind of definitions to list [default: function].
    #[arg(long, value_name = "KIND", env = "WHICHFN_KIND", value_parser = crate::cli::definition_kind())]
    #[schemars(with = "Option<String>", extend("enum" = ["function", "type", "any"], "default" = "function"))]
    kind: Option<KindFilter>,
}

impl Verb for Relate {
    fn typed(&self) -> Vec<&str> {
        vec![&self.name]
    }

    fn run(&self, request: &Request<'_>) -> Result<Vec<Listing>> {
        let kind = self.kind.or(request.kind).unwrap_or_default();
        let of = request.names.definitions(&self.name, Role::Single, false)?;
        let relate = |&of| listing(request.engine, &request.engine.relate(of, kind, request.max, request.filter));
        Ok(of.iter().map(relate).collect())
    }
}

fn listing(engine: &Engine, relations: &Relations) -> Listing {
    let calls = |direction, tree, key| {
        let section = Section::of(tree, |branch| calls::row(engine, direction, branch));
        Section { title: calls::summary(direction, tree), key, ..section }
    };
    let mut sections = vec![
        calls(CallDirection::Callers, &relations.callers, "callers"),
        calls(CallDirection::Callees, &relations.callees, "callees"),
    ];
    let title = if sections.iter().all(|section| section.rows.is_empty()) { "" } else { "also related" };
    let rows = relations.others.iter().map(row).collect();
    sections.push(Section { title: title.to_owned(), rows, ..Section::default() });
    let name = &relations.definition.name;
    Listing {
        sections,
        nothing: format!("no definition is related to {name} with a weight of {FAINT} or more"),
        notices: relations.callees.notices.clone(),
        json: json!({
            "version": 1,
            "of": location(&relations.definition),
            "related": relations.related.iter().map(related).collect::<Vec<_>>(),
        }),
        ..Listing::default()
    }
}

fn related(related: &RelatedDefinition) -> Value {
    let via = related.via.iter().map(|(kind, place)| {
        with_path(json!({"kind": kind.name(), "weight": kind.weight(), "line": place.line}), &place.path)
    });
    let mut value = location(&related.location);
    value["weight"] = related.weight.into();
    value["why"] = related.reasons.join(", ").into();
    value["via"] = via.collect();
    value
}

fn row(one: &RelatedDefinition) -> Row {
    Row {
        notes: format!("{} · relation {:.3}", one.location.kind, one.weight),
        details: one.reasons.clone(),
        brief: format!(" ({})", one.reasons.join(", ")),
        ..Row::of(&one.location)
    }
}
