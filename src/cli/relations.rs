//! `whichfn graph --relations`: the weights between all fragments of a unit, row by row as they are computed.

use super::args::{GraphArgs, UnitName};
use super::output;
use crate::engine::Engine;
use crate::error::{Error, Kind, Result};
use crate::relation::{Exact, Relation, Structure, structure_of};
use rayon::prelude::*;
use serde_json::json;

/// Rows computed at a time.
const BATCH: usize = 64;

/// Prints `{"version":1,"unit":..,"rows":[{"fragment":n,"weights":[[fragment,w],..]},..]}`; fragments are numbered as in
/// the JSON of the graph.
pub(super) fn print(engine: &Engine, asked: &GraphArgs) -> Result<bool> {
    let unit = asked.unit.unwrap_or(UnitName::Definition).fragment().ok_or_else(no_fragments)?;
    let fragments = engine.fragments(unit);
    let numbers = engine.fragment_numbers(&fragments);
    let structure = asked.exact.then(|| structure_of(fragments.graph));
    let relation: Box<dyn Relation + '_> = match &structure {
        Some(structure) => Box::new(Exact::new(structure, &fragments)),
        None => Box::new(Structure::new(&fragments)),
    };
    let members: Vec<u32> = (0..fragments.count() as u32).filter(|&at| fragments.members[at as usize]).collect();
    let row = |&fragment: &u32| {
        let weights: Vec<(u32, f64)> =
            relation.row(fragment).into_iter().map(|(other, weight)| (numbers[other as usize], weight)).collect();
        json!({"fragment": numbers[fragment as usize], "weights": weights}).to_string()
    };
    output::print(&format!("{{\"version\":1,\"unit\":\"{}\",\"rows\":[", unit.name()))?;
    for (batch, of_batch) in members.chunks(BATCH).enumerate() {
        let rows: Vec<String> = of_batch.par_iter().map(row).collect();
        output::print(&format!("{}{}", if batch == 0 { "" } else { "," }, rows.join(",")))?;
    }
    output::print("]}\n")?;
    Ok(!members.is_empty())
}

fn no_fragments() -> Error {
    Error::new(Kind::Usage, "files are no fragments", "choose --unit definition or --unit window")
}
