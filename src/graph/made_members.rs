//! Members that no declaration names: an assignment makes them, or they are only read.

use crate::ids::{DefinitionId, PointerId};
use crate::parse::Symbol;
use rustc_hash::FxHashMap;

/// Such members of all types and files, numbered after all other pointers. A number is a label: that of a member may differ
/// from run to run, and nothing depends on it.
pub(super) struct MadeMembers {
    first: PointerId,
    members: Vec<(DefinitionId, Symbol)>,
    numbers: FxHashMap<(DefinitionId, Symbol), PointerId>,
}

impl MadeMembers {
    /// None yet; their numbers begin with this one.
    pub fn after(first: PointerId) -> Self {
        Self { first, members: Vec::new(), numbers: FxHashMap::default() }
    }

    /// The member of that name of a type or file.
    pub fn member(&mut self, of: DefinitionId, name: Symbol) -> PointerId {
        let next = PointerId::new(self.first.index() + self.members.len());
        let number = *self.numbers.entry((of, name)).or_insert(next);
        if number == next {
            self.members.push((of, name));
        }
        number
    }

    /// Whose member a pointer is, and its name; none if it is another pointer.
    pub fn get(&self, pointer: PointerId) -> Option<(DefinitionId, Symbol)> {
        self.members.get(pointer.0.checked_sub(self.first.0)? as usize).copied()
    }
}
