//! `whichfn graph --relations`: prints the weights between all fragments of a unit, row by row
//! while they are computed.

use super::choices::UnitChoice;
use super::output;
use crate::engine::Engine;
use serde_json::json;
use whichfn_search::search::Unit;
use whichfn_system::error::{Error, Kind, Result};

/// Prints `{"version":1,"unit":..,"rows":[{"fragment":n,"weights":[[fragment,w],..]},..]}` and
/// returns whether there are any rows. Fragments have the same numbers as in the JSON of the graph.
pub(super) fn print(engine: &Engine, unit: Option<UnitChoice>, exact: bool) -> Result<bool> {
    let unit = unit.unwrap_or(UnitChoice(Unit::Definition)).fragment().ok_or_else(no_fragments)?;
    let row = |fragment: u32, weights: Vec<(u32, f64)>| json!({"fragment": fragment, "weights": weights}).to_string();
    let mut any = false;
    output::data(&format!("{{\"version\":1,\"unit\":\"{}\",\"rows\":[", unit.name()))?;
    engine.relations(unit, exact, row, |rows| {
        let between = if std::mem::replace(&mut any, true) { "," } else { "" };
        output::data(&format!("{between}{}", rows.join(",")))
    })?;
    output::data("]}\n")?;
    Ok(any)
}

fn no_fragments() -> Error {
    Error::new(Kind::Usage, "--unit file cannot be used with --relations", "use --unit definition or --unit window")
}
