//! `outline`: the definitions in files and directories, nested, with kind, signature and line.

use super::{About, Lead, Listing, Registered, Request, Row, Section, Verb};
use crate::engine::OutlineNode;
use crate::render::with_path;
use clap::Args;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::json;
use whichfn_search::answer::Place;
use whichfn_system::error::Result;

pub(super) const VERB: Registered = Registered::new::<Outline>(About {
    name: "outline",
    about: "List the definitions in files or directories, nested, with kind and signature",
    usual: [200, 2_000, 200, 200],
    examples: &[("whichfn outline src --lang rust", "List what the Rust files in src define.")],
    ..About::LIST
});

/// Arguments of `outline`.
#[derive(Debug, Args, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Outline {
    /// Files, or directories for all files below them.
    #[arg(value_name = "FILE|DIRECTORY", required = true)]
    files: Vec<String>,
}

impl Verb for Outline {
    fn typed(&self) -> Vec<&str> {
        self.files.iter().map(String::as_str).collect()
    }

    fn run(&self, request: &Request<'_>) -> Result<Vec<Listing>> {
        let (mut list, mut total) = (Listing::default(), 0);
        let mut files = Section { lead: Lead::Tree, key: "tree", ..Section::default() };
        for typed in &self.files {
            let path = request.paths.path(typed)?;
            list.notices.extend(request.engine.skip_reason(&path).map(|why| format!("skipped {typed}: {why}")));
            for (file, path) in request.engine.files_at(&path)? {
                let nodes = request.engine.outline_of(file);
                let (below, left_out) = definitions(request, &nodes, &mut total, &mut list.filtered);
                if !below.is_empty() {
                    let (at, json) = (Some(Place::of_line(&path, 0)), with_path(json!({}), &path));
                    files.rows.push(Row { at, json, below, left_out, ..Row::default() });
                } else if left_out > 0 {
                    files.left_out += 1;
                }
            }
        }
        list.nothing = format!("no definitions found in {}", self.files.join(", "));
        list.left_out = total.saturating_sub(request.max);
        list.json = json!({"version": 1, "total": total, "left_out": list.left_out});
        list.sections = vec![files];
        Ok(vec![list])
    }
}

/// Returns the rows of definitions up to the maximum, and the number of the others.
fn definitions(
    request: &Request<'_>,
    nodes: &[OutlineNode],
    total: &mut usize,
    filtered: &mut usize,
) -> (Vec<Row>, usize) {
    let (mut rows, mut left_out) = (Vec::new(), 0);
    for OutlineNode { location, name, signature, below } in nodes {
        if !request.engine.accepts(request.filter, location.definition) {
            *filtered += 1;
            continue;
        }
        *total += 1;
        let (is_listed, notes) = (*total <= request.max, format!("({})", location.kind));
        let mut row = Row { name: name.clone(), notes, text: signature.clone(), ..Row::of(location) };
        row.json["signature"] = signature.as_str().into();
        (row.below, row.left_out) = definitions(request, below, total, filtered);
        if is_listed { rows.push(row) } else { left_out += 1 }
    }
    (rows, left_out)
}
