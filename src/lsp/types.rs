//! `textDocument/implementation` and the type hierarchy, from the declared and structural relations
//! between types.

use super::hierarchy::{ItemParams, list};
use super::outbox::Answered;
use super::position::uri;
use super::session::{DocumentPosition, Session};
use super::symbols::{item, name_range};
use crate::engine::Engine;
use crate::host::Repository;
use serde_json::{Value, json};
use whichfn_search::answer::{Branch, Subtype, TypeDirection};
use whichfn_search::search::ListingFilter;

pub(super) const IMPLEMENTATION: &str = "textDocument/implementation";
pub(super) const PREPARE: &str = "textDocument/prepareTypeHierarchy";
pub(super) const SUPERTYPES: &str = "typeHierarchy/supertypes";
pub(super) const SUBTYPES: &str = "typeHierarchy/subtypes";

/// Maximum number of types or methods.
const TYPES: usize = 500;

/// Returns the locations of all implementations, subtypes and overrides of the definition at a
/// position.
pub(super) fn implementation(session: &Session, at: &DocumentPosition) -> Answered {
    let found = session.at_position(at, |one, engine, ids| {
        let mut locations = Vec::new();
        for &id in ids {
            let tree = engine.implementations(id, TypeDirection::Down, TYPES, &ListingFilter::ALL);
            add_locations(one, engine, &tree.branches, &mut locations);
        }
        locations
    })?;
    Ok(found.into())
}

fn add_locations(one: &Repository, engine: &Engine, branches: &[Branch<Subtype>], locations: &mut Vec<Value>) {
    for branch in branches {
        let symbol = engine.symbol(branch.location.definition);
        locations.push(json!({"uri": uri(&one.root, &symbol.location.path), "range": name_range(&symbol)}));
        add_locations(one, engine, &branch.branches, locations);
    }
}

/// Returns the types that a position refers to; null if there are none.
pub(super) fn prepare(session: &Session, at: &DocumentPosition) -> Answered {
    let items = session.at_position(at, |one, engine, ids| {
        let types = ids.iter().filter(|&&id| engine.is_type(id));
        types.map(|&id| item(one, &engine.symbol(id))).collect::<Vec<_>>()
    })?;
    Ok(if items.is_empty() { Value::Null } else { items.into() })
}

/// Returns the types directly below or above an item.
pub(super) fn related(session: &Session, params: &ItemParams, direction: TypeDirection) -> Answered {
    list(session, params, |one, engine, id| {
        let branches = engine.implementations(id, direction, TYPES, &ListingFilter::ALL).branches;
        Ok(branches.iter().map(|branch| item(one, &engine.symbol(branch.location.definition))).collect())
    })
}
