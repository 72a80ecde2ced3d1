//! Object literals that implement a declared type in TypeScript, as in `const store: Store =
//! { load() {} }`. The literals of a type are the objects of a member that no program names, and
//! each other member of the type points to the members of the literals. A function that reaches a
//! variable of a function type has its parameters, so their types need not be declared again.
//!
//! - **Cost:** one constraint for each declared variable, and one for each member of a type that a
//!   file reads. A type has at most [`super::objects::LARGEST_SET`] literals.

use super::PointsTo;
use super::objects::{AbstractObject, Constraint};
use crate::file_facts::FileValue;
use crate::names::Entity;
use whichfn_syntax::ids::{DefinitionId, FileId, SlotId, ValueId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{Symbol, symbol};

/// Name of the member that represents the literals of a type.
const LITERALS: &str = "{}";

impl PointsTo<'_, '_> {
    /// Lets an object that a full points-to set cannot take implement the types of its slot: a
    /// function may get more callbacks than one set contains.
    pub(super) fn implement_left_out(&mut self, slot: SlotId, object: AbstractObject) {
        if !self.structural_types() {
            return;
        }
        let mut at = self.current.constraints.newest(slot);
        while let Some((constraint, next)) = self.current.constraints.item(at) {
            if let Constraint::Implement { of_type } = constraint
                && self.names.budget.take(1)
            {
                self.implement_by(of_type, object);
            }
            at = next;
        }
    }

    /// Lets the objects that reach a slot implement the types that it is declared with, in `file`.
    pub(super) fn implement(&mut self, slot: SlotId, file: FileId, of_type: ValueId) {
        if !self.structural_types() {
            return;
        }
        let types = self.declared(file, of_type).into_iter().map(|(id, _)| id);
        let types: Vec<DefinitionId> =
            types.filter(|&id| self.has_literals(id) || !self.shapes[id].kind.is_type()).collect();
        types.into_iter().for_each(|of_type| self.constrain(slot, Constraint::Implement { of_type }));
    }

    /// Lets the literals that a function returns implement its declared result.
    pub(super) fn read_declared_results(&mut self) {
        let (facts, offsets) = (self.facts(), self.offsets());
        for id in facts.definition_ids() {
            if let Some(of_type) = facts.definition(id).returns {
                let slot = self.current.own_slot(offsets.return_of(id));
                self.implement(slot, self.current.file, of_type);
            }
        }
    }

    /// Lets an object that reaches a variable of a declared type implement the type. A program does
    /// not depend on the objects of a test.
    pub(super) fn implement_by(&mut self, of_type: DefinitionId, object: AbstractObject) {
        let (AbstractObject::Definition(id) | AbstractObject::BoundMethod(id)) = object else { return };
        let is_test = |file: FileId| self.names.is_test_file(file);
        if is_test(self.names.file_of(id)) && !is_test(self.names.file_of(of_type)) {
            return;
        }
        match (self.has_literals(of_type), self.shapes[id].is_object()) {
            (true, true) => self.add_literal(of_type, object),
            (false, false) => self.pass_as(of_type, id),
            _ => {}
        }
    }

    /// Lets the parameters of a function that reaches a function type have the types that it
    /// declares. Their own declarations take precedence.
    fn pass_as(&mut self, function_type: DefinitionId, id: DefinitionId) {
        let ((from_file, from), (file, local)) = (self.names.local(function_type), self.names.local(id));
        if function_type == id || !self.names.budget.take(1) {
            return;
        }
        let (from_facts, facts) = (self.names.facts(from_file), self.names.facts(file));
        let offsets = self.names.offsets(file);
        let own = facts.parameters(local).zip(facts.signature(local));
        for (own, from) in own.zip(from_facts.signature(from)) {
            if let (((variable, _), None), Some(of_type)) = ((own.0, own.1.declared), from.declared) {
                let slot = self.slot(offsets.variable(variable));
                for (id, object) in self.declared(from_file, of_type) {
                    match object {
                        AbstractObject::Instance(_) => self.point_to_object_of(slot, id),
                        other => self.point_to(slot, other),
                    }
                }
            }
        }
    }

    /// Returns the types and function types that a declared type names, each with an object of it.
    /// Type parameters stand for the types of all calls, and are left out.
    fn declared(&self, file: FileId, of_type: ValueId) -> Vec<(DefinitionId, AbstractObject)> {
        let (facts, one, mut types) = (self.names.facts(file), [of_type], Vec::new());
        self.names.types(file, of_type, 0, &mut types);
        let parts = match facts.value(of_type) {
            FileValue::Any(parts) => parts,
            _ => &one,
        };
        let functions = parts.iter().filter_map(|&part| match facts.value(part) {
            FileValue::Definition(function) => Some(self.names.offsets(file).definition(function)),
            _ => None,
        });
        let functions = functions.map(|id| (id, AbstractObject::Definition(id)));
        types.into_iter().map(|id| (id, AbstractObject::Instance(id))).chain(functions).collect()
    }

    /// Adds a literal to those of a type and its bases.
    fn add_literal(&mut self, of_type: DefinitionId, object: AbstractObject) {
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
