//! Object literals that implement a declared type (TypeScript): `const store: Store = { load() {} }`.
//! The literals of a type are the objects of a member that no program names, and each other member
//! of the type points to the members of the literals.
//!
//! - **Cost:** one constraint for each declared variable, and one for each member of a type that a
//!   file reads. A type has at most [`super::objects::LARGEST_SET`] literals.

use super::PointsTo;
use super::objects::{AbstractObject, Constraint};
use crate::names::Entity;
use whichfn_syntax::ids::{DefinitionId, FileId, SlotId, ValueId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{Symbol, symbol};

/// Name of the member that represents the literals of a type.
const LITERALS: &str = "{}";

impl PointsTo<'_, '_> {
    /// Lets the literals that reach a slot implement the types that it is declared with.
    pub(super) fn implement(&mut self, slot: SlotId, of_type: ValueId) {
        if !self.structural_types() {
            return;
        }
        let mut types = Vec::new();
        self.names.types(self.current.file, of_type, 0, &mut types);
        types.retain(|&id| self.has_literals(id));
        types.into_iter().for_each(|of_type| self.constrain(slot, Constraint::Implement { of_type }));
    }

    /// Lets the literals that a function returns implement its declared result.
    pub(super) fn read_declared_results(&mut self) {
        let (facts, offsets) = (self.facts(), self.offsets());
        for id in facts.definition_ids() {
            if let Some(of_type) = facts.definition(id).returns {
                let slot = self.current.own_slot(offsets.return_of(id));
                self.implement(slot, of_type);
            }
        }
    }

    /// Adds a literal to those of a type and its bases. A program does not depend on the literals
    /// of a test.
    pub(super) fn implement_by(&mut self, of_type: DefinitionId, object: AbstractObject) {
        let AbstractObject::Definition(literal) = object else { return };
        let is_test = |file: FileId| self.names.is_test_file(file);
        let from_test = is_test(self.names.file_of(literal)) && !is_test(self.names.file_of(of_type));
        if !self.shapes[literal].is_object() || from_test {
            return;
        }
        for place in 0..self.names.mro(&of_type).len() {
            let base = self.names.mro(&of_type)[place];
            let literals = self.undeclared(base, symbol(LITERALS));
            self.point_to(literals, object);
        }
    }

    /// Lets a member of a type point to the members of its literals.
    pub(super) fn load_implemented(&mut self, of_type: DefinitionId, name: Symbol, to: SlotId) {
        let is_declared = || self.names.member_of_type(of_type, name).is_some();
        if self.structural_types()
            && self.has_literals(of_type)
            && is_declared()
            && self.current.implemented.insert((of_type, name))
        {
            let literals = self.undeclared(of_type, symbol(LITERALS));
            self.constrain(literals, Constraint::Load { name: name.into(), to });
        }
    }

    /// Checks whether a name in a declared type is that of a function or module (`typeof open`).
    pub(super) fn names_value(&self, of_type: ValueId) -> bool {
        self.structural_types()
            && matches!(self.names.resolve(self.current.file, of_type, 0),
                Some(Entity::Definition(id)) if !self.shapes[id].kind.has_members())
    }

    /// Makes a slot point to an object whose type a declaration names. If it is a function, the
    /// declaration may mean its result (`ReturnType<typeof open>`).
    pub(super) fn point_to_type_of(&mut self, to: SlotId, object: AbstractObject) {
        let (AbstractObject::Definition(id) | AbstractObject::BoundMethod(id)) = object else {
            return self.point_to(to, object);
        };
        self.point_to(to, object);
        if self.shapes[id].kind.is_function() {
            let result = self.return_of(id);
            self.constrain(result, Constraint::Copy { to });
        }
    }

    pub(super) fn structural_types(&self) -> bool {
        self.names.scopes(self.current.file).is_some_and(|scopes| scopes.structural_types)
    }

    fn has_literals(&self, of_type: DefinitionId) -> bool {
        matches!(self.shapes[of_type].kind, DefinitionKind::Interface | DefinitionKind::Type)
    }
}
