//! `whichfn graph`.

use super::args::{GraphArgs, GraphFormat};
use super::json::line;
use super::settings::Settings;
use super::{Outcome, ask, output};
use crate::engine::NamedNode;
use crate::error::Result;
use crate::graph::StructureGraph;
use crate::walk::find_root;
use serde_json::{Value, json};

pub(super) fn run(asked: &GraphArgs) -> Result<Outcome> {
    let root = find_root(asked.directory.as_deref())?;
    let settings = Settings::read(&root)?;
    output::set_verbosity(asked.shared.verbose);
    output::set_color(asked.shared.color.or(settings.color));
    let engine = ask::open(&root, &settings, &asked.shared, false)?;
    let (graph, named) = engine.named_structure()?;
    match asked.format {
        GraphFormat::Json => output::print(&line(&as_json(&graph, &named)))?,
    }
    Ok(if graph.edges().next().is_some() { Outcome::Found } else { Outcome::Nothing })
}

/// The shape of SPEC section 3.
fn as_json(graph: &StructureGraph, named: &[NamedNode]) -> Value {
    let nodes = graph.nodes().iter().zip(named).enumerate().map(|(id, (node, named))| {
        json!({
            "id": id,
            "kind": named.kind,
            "path": named.path,
            "start_byte": node.start,
            "end_byte": node.end,
            "start_line": named.start_line,
            "end_line": named.end_line,
            "name": named.name,
        })
    });
    let edges =
        graph.edges().map(|(a, b, kind)| json!({"a": a.0, "b": b.0, "kind": kind.name(), "weight": kind.weight()}));
    json!({"version": 1, "nodes": nodes.collect::<Vec<_>>(), "edges": edges.collect::<Vec<_>>()})
}
