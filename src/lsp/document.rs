//! Requests about one document: its outline, the definition of the name at a position, and the
//! signature and documentation of that definition.

use super::outbox::Answered;
use super::position::{byte, word_at};
use super::session::{DocumentName, DocumentPosition, Session};
use super::symbols::{document_symbol, location};
use crate::engine::{Engine, OutlineNode};
use crate::host::Repository;
use serde::Deserialize;
use serde_json::{Value, json};
use whichfn_syntax::ids::DefinitionId;

pub(super) const SYMBOLS: &str = "textDocument/documentSymbol";
pub(super) const DEFINITION: &str = "textDocument/definition";
pub(super) const HOVER: &str = "textDocument/hover";

/// Maximum number of definitions for an ambiguous name.
const NAMED: usize = 20;
/// Maximum number of definitions that one hover describes.
const HOVERED: usize = 3;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DocumentParams {
    text_document: DocumentName,
}

/// Returns the definitions in a document as a tree.
pub(super) fn symbols(session: &Session, params: &DocumentParams) -> Answered {
    let (one, path) = session.place(&params.text_document.uri)?;
    session.ask(one, |engine| Ok(Value::from(document_symbols(engine, &engine.outline(&path)))))
}

fn document_symbols(engine: &Engine, nodes: &[OutlineNode]) -> Vec<Value> {
    let symbol = |node: &OutlineNode| {
        document_symbol(&engine.symbol(node.location.definition), document_symbols(engine, &node.below))
    };
    nodes.iter().map(symbol).collect()
}

/// Returns the locations of the definitions that a position refers to.
pub(super) fn definition(session: &Session, at: &DocumentPosition) -> Answered {
    found(session, at, |one, engine, ids| {
        let all = ids.iter().take(NAMED).map(|&id| location(one, &engine.symbol(id)));
        Value::from(all.collect::<Vec<_>>())
    })
}

/// Returns the signatures and documentation of the definitions that a position refers to; null if
/// there are none.
pub(super) fn hover(session: &Session, at: &DocumentPosition) -> Answered {
    found(session, at, |_, engine, ids| {
        let described = |&id: &DefinitionId| {
            let symbol = engine.symbol(id);
            let location = &symbol.location;
            let signature = if symbol.signature.is_empty() { &location.name } else { &symbol.signature };
            let place = format!("{}, {}:{}", location.name, location.path, location.line);
            [signature.as_str(), &symbol.doc, &place].join("\n\n").replace("\n\n\n\n", "\n\n")
        };
        let texts: Vec<String> = ids.iter().take(HOVERED).map(described).collect();
        match texts.is_empty() {
            true => Value::Null,
            false => json!({"contents": {"kind": "plaintext", "value": texts.join("\n\n")}}),
        }
    })
}

/// Formats the definitions that a position refers to. A position without a name refers to none.
fn found(
    session: &Session,
    at: &DocumentPosition,
    shown: impl Fn(&Repository, &Engine, &[DefinitionId]) -> Value,
) -> Answered {
    let (one, path) = session.place(&at.text_document.uri)?;
    let line = at.position.line.saturating_add(1);
    session.ask(one, |engine| {
        let text = session.text(&at.text_document.uri, engine, &path).unwrap_or_default();
        let on_line = text.lines().nth(at.position.line as usize).unwrap_or_default();
        let word = word_at(on_line, byte(on_line, at.position.character));
        let ids = word.map(|word| engine.definitions_at(&path, line, Some(word))).unwrap_or_default();
        let is_named = |id: &DefinitionId| word.is_some_and(|word| engine.symbol(*id).name == word);
        Ok(shown(one, engine, &ids.into_iter().filter(is_named).collect::<Vec<_>>()))
    })
}
