//! Fields whose value has a method that each read of the field calls: descriptors in Python.
//!
//! - **Invariant:** the getter of a field depends on the callee of the call that creates its value, on
//!   what that name means, and on the members of that type. [`crate::relink`] compares all three.
//! - **Differs from Python:** only a value that the class itself creates (`name = Field()`) counts.

use super::{Entity, Names};
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{DefinitionId, FileId, PointerId, ValueId};
use whichfn_syntax::parse::{Symbol, symbol};

impl Names<'_> {
    pub(super) fn find_getters(&mut self) {
        let mut getters = FxHashMap::default();
        for file in self.files() {
            let getter = self.scopes(file).map_or("", |scopes| &scopes.field_getter);
            if getter.is_empty() {
                continue;
            }
            for (field, callee) in self.facts[file].created_fields() {
                let field = self.offsets[file].variable(field);
                // The last value counts.
                match self.method_of_result(file, callee, symbol(getter)) {
                    Some(getter) => getters.insert(field, getter),
                    None => getters.remove(&field),
                };
            }
        }
        self.getters = getters;
    }

    /// Returns a method of the objects that a call of a type creates.
    fn method_of_result(&self, file: FileId, callee: ValueId, method: Symbol) -> Option<DefinitionId> {
        let Some(Entity::Definition(id)) = self.resolve(file, callee, 0) else { return None };
        let of_type = Some(self.unaliased(id)).filter(|&id| self.kind(id).has_members())?;
        self.bound(self.member_of_type(of_type, method)?)
    }

    /// Returns the method that a read of a field calls, if its value has one.
    pub fn getter(&self, field: PointerId) -> Option<DefinitionId> {
        self.getters.get(&field).copied()
    }
}
