//! Types whose names are paths through modules that no file defines: `class Admin::Users` in Ruby
//! defines `Admin::Users`, although only the name of a directory mentions `Admin`.
//!
//! **Cost:** one entry for each such type, and one look-up for each path whose first name is
//! unknown. Languages without reopened types have none.

use crate::file_facts::{FileFacts, FileValue};
use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_syntax::ids::{DefinitionId, ValueId};
use whichfn_syntax::parse::Symbol;

/// Maximum number of names in a path.
const MAX_PARTS: usize = 8;

/// The types by the family of their language and the names of their paths.
#[derive(Default)]
pub(super) struct TypePaths {
    types: FxHashMap<(u32, Vec<Symbol>), DefinitionId>,
    all: FxHashSet<DefinitionId>,
}

impl TypePaths {
    /// Adds a type with the value of its name. The first type with a path represents the others.
    pub fn note(&mut self, family: u32, facts: &FileFacts<'_>, name: ValueId, id: DefinitionId) {
        if let Some(path) = path_of(facts, name) {
            self.types.entry((family, path)).or_insert(id);
            self.all.insert(id);
        }
    }

    /// Returns the type with a path.
    pub fn get(&self, family: u32, facts: &FileFacts<'_>, path: ValueId) -> Option<DefinitionId> {
        if self.types.is_empty() {
            return None;
        }
        self.types.get(&(family, path_of(facts, path)?)).copied()
    }

    /// Checks whether the name of a type is a path, so that its last name does not refer to it.
    pub fn contains(&self, id: DefinitionId) -> bool {
        self.all.contains(&id)
    }
}

/// Returns the names of a path with at least two, none of which its file binds.
fn path_of(facts: &FileFacts<'_>, mut value: ValueId) -> Option<Vec<Symbol>> {
    let mut path = Vec::new();
    while path.len() < MAX_PARTS {
        match facts.value(value) {
            FileValue::Access(object, name) => {
                path.push(name);
                value = object;
            }
            FileValue::Free { symbol, .. } if !path.is_empty() => {
                path.push(symbol);
                path.reverse();
                return Some(path);
            }
            _ => return None,
        }
    }
    None
}
