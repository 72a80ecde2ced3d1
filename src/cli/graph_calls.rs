//! `whichfn graph --calls`: all definitions of a directory and the calls between them as JSON, for
//! programs that compare the calls with those of a compiler.

use super::graph::listed;
use super::{Exit, output};
use crate::engine::{Engine, NamedDefinition};
use crate::render::with_path;
use serde_json::{Value, json};
use whichfn_search::answer::LocatedCall;
use whichfn_system::error::Result;

/// Prints `{"calls":[..],"definitions":[..],"version":1}`, piece by piece.
pub(super) fn print(engine: &Engine) -> Result<Exit> {
    let text = |text: &str| std::iter::once(text.to_owned());
    let pieces = text("{\"calls\":[")
        .chain(listed(engine.located_calls().into_iter().map(call)))
        .chain(text("],\"definitions\":["))
        .chain(listed(engine.named_definitions().map(definition)))
        .chain(text("],\"version\":1}\n"));
    output::stream(None, pieces)?;
    if engine.named_definitions().next().is_none() {
        output::notice("no calls: no files are indexed (see: whichfn status)");
        return Ok(Exit::Nothing);
    }
    Ok(Exit::Found)
}

fn call(call: LocatedCall) -> Value {
    json!({
        "caller": call.caller.0,
        "callee": call.callee.0,
        "line": call.line,
        "column": call.column,
        "reason": call.reason.name(),
    })
}

fn definition(definition: NamedDefinition<'_>) -> Value {
    let row = definition.row;
    let value = json!({
        "id": definition.id.0,
        "start_line": row.start_line,
        "end_line": row.end_line,
        "line": row.line,
        "kind": definition.kind,
        "is_test": row.is_test(),
        "qualified_name": definition.qualified_name,
        "start_byte": row.start_byte,
        "end_byte": row.end_byte,
    });
    with_path(value, definition.path)
}
