//! `workspace/symbol`: a question in plain language gets the same answer as on the command line. What
//! the question names exactly comes first, and a single word also matches parts of names.

use super::outbox::Answered;
use super::position::{in_line, lines, uri};
use super::session::Session;
use crate::engine::{Engine, ListedSymbol};
use crate::host::Repository;
use serde::Deserialize;
use serde_json::{Value, json};
use whichfn_search::answer::Named;
use whichfn_search::search::Query;
use whichfn_syntax::ids::DefinitionId;
use whichfn_text::plain;

pub(super) const METHOD: &str = "workspace/symbol";

/// Maximum number of answers to a question.
const ANSWERS: usize = 20;
/// Maximum number of definitions whose names contain a word.
const NAMED: usize = 100;

#[derive(Debug, Deserialize)]
pub(super) struct SymbolParams {
    query: String,
}

pub(super) fn answer(session: &Session, params: SymbolParams) -> Answered {
    let typed = params.query.trim();
    let mut all: Vec<Value> = Vec::new();
    // Editors send an empty query, for which the answer is empty.
    for one in session.open.iter().filter(|_| !typed.is_empty()) {
        all.extend(session.ask(one, |engine| {
            let all = found(engine, typed)?;
            Ok(all.into_iter().map(|named| listed(one, &engine.named_symbol(named))).collect::<Vec<_>>())
        })?);
    }
    Ok(all.into())
}

/// Returns what the question names exactly, definitions whose names contain it, and the answers to it.
fn found(engine: &Engine, typed: &str) -> whichfn_system::error::Result<Vec<Named>> {
    let exact = engine.exactly_named(typed, &|_| true);
    let mut all: Vec<Named> = exact.into_iter().map(|one| one.named).collect();
    let mut add = |found: &mut dyn Iterator<Item = DefinitionId>| {
        for named in found.map(Named::Definition) {
            if !all.contains(&named) {
                all.push(named);
            }
        }
        all.len()
    };
    let is_word = !typed.contains(char::is_whitespace);
    let named = if is_word { engine.symbols_named(typed, NAMED) } else { Vec::new() };
    if add(&mut named.into_iter()) < ANSWERS {
        let answers = engine.ask(&Query { k: ANSWERS, ..Query::new(typed) }, 0)?.results;
        add(&mut answers.iter().map(|found| found.definition));
    }
    Ok(all)
}

/// Returns a `SymbolInformation`.
fn listed(one: &Repository, symbol: &ListedSymbol) -> Value {
    let location = &symbol.location;
    let around = location.name.strip_suffix(&symbol.name).unwrap_or_default().trim_end_matches(['.', ':']);
    json!({
        "name": name(symbol),
        "kind": kind(location.kind),
        "containerName": if around.is_empty() { location.path.as_str() } else { around },
        "location": self::location(one, symbol),
    })
}

/// Returns a `Location`.
pub(super) fn location(one: &Repository, symbol: &ListedSymbol) -> Value {
    json!({"uri": uri(&one.root, &symbol.location.path), "range": name_range(symbol)})
}

/// Returns a `DocumentSymbol`.
pub(super) fn document_symbol(symbol: &ListedSymbol, children: Vec<Value>) -> Value {
    json!({
        "name": name(symbol),
        "detail": symbol.signature,
        "kind": kind(symbol.location.kind),
        "range": lines(symbol.location.start_line, symbol.location.end_line),
        "selectionRange": name_range(symbol),
        "children": children,
    })
}

/// Returns a `CallHierarchyItem`. Its `data` contains what is needed to find the definition again
/// after lines have moved.
pub(super) fn item(one: &Repository, symbol: &ListedSymbol) -> Value {
    let location = &symbol.location;
    let doc = plain(&symbol.doc);
    json!({
        "name": location.name,
        "kind": kind(location.kind),
        "detail": if doc.is_empty() { location.path.as_str() } else { &doc },
        "uri": uri(&one.root, &location.path),
        "range": lines(location.start_line, location.end_line),
        "selectionRange": name_range(symbol),
        "data": {"line": location.line, "name": location.name},
    })
}

fn name(symbol: &ListedSymbol) -> &str {
    if symbol.name.is_empty() { &symbol.location.name } else { &symbol.name }
}

pub(super) fn name_range(symbol: &ListedSymbol) -> Value {
    in_line(symbol.location.line, &symbol.head.text, &symbol.head.name)
}

/// Returns the protocol's number for a kind.
fn kind(name: &str) -> u32 {
    match name {
        "module" | "text" => 1,
        "class" | "type" | "extension" => 5,
        "method" => 6,
        "member" => 8,
        "enum" => 10,
        "interface" | "trait" => 11,
        "value" => 13,
        "struct" => 23,
        _ => 12,
    }
}
