//! Members without a declaration: they exist only because some code assigns or reads them.

use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{DefinitionId, PointerId};
use whichfn_syntax::parse::Symbol;

/// Undeclared members of all types and files, numbered after all other pointers. The number is only
/// a label: it may differ from run to run, and no result depends on it.
pub(crate) struct UndeclaredMembers {
    first: PointerId,
    members: Vec<(DefinitionId, Symbol)>,
    numbers: FxHashMap<(DefinitionId, Symbol), PointerId>,
}

impl UndeclaredMembers {
    /// Creates an empty table whose numbers begin with `first`.
    pub fn after(first: PointerId) -> Self {
        Self { first, members: Vec::new(), numbers: FxHashMap::default() }
    }

    /// Returns the pointer of the member `name` of a type or file, and adds the member if it is
    /// new.
    pub fn member(&mut self, owner_type: DefinitionId, name: Symbol) -> PointerId {
        let next = PointerId::new(self.first.index() + self.members.len());
        let number = *self.numbers.entry((owner_type, name)).or_insert(next);
        if number == next {
            self.members.push((owner_type, name));
        }
        number
    }

    /// Returns the owner and the name of a member; `None` if the pointer is not an undeclared
    /// member.
    pub fn get(&self, pointer: PointerId) -> Option<(DefinitionId, Symbol)> {
        self.members.get(pointer.0.checked_sub(self.first.0)? as usize).copied()
    }
}
