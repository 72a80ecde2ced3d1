//! Calls of library types that hold values: lists, iterators, options, smart pointers. They are not
//! in the repository, so the language data names their members ([`Containers`]).
//!
//! - **Invariant:** a container is not distinguished from its elements. A member of a type in the
//!   repository takes precedence over a container's member with the same name.
//! - **Cost:** one constraint for each call of such a member.

use super::PointsTo;
use super::objects::{AbstractObject, Constraint};
use crate::file_facts::FileValue;
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{CallId, FileId, LocalId, SlotId};
use whichfn_syntax::lang::{Containers, DefinitionKind};
use whichfn_syntax::parse::{ANY_MEMBER, Symbol, symbol};

/// Maximum number of calls whose results are called in turn.
const MAX_CURRIED: usize = 4;

/// The properties of the members of a language's containers, by name.
pub(super) struct ContainerMembers(FxHashMap<Symbol, ContainerMember>);

/// The effects of a member. See [`Containers`].
#[derive(Clone, Copy, Default)]
struct ContainerMember {
    gives_object: bool,
    wraps: bool,
    opens: bool,
    fills: bool,
    visits: bool,
    maps: bool,
    makes: bool,
}

impl ContainerMembers {
    pub fn new(containers: Option<&Containers>) -> Self {
        let mut members: FxHashMap<Symbol, ContainerMember> = FxHashMap::default();
        let mut note = |names: &[String], change: fn(&mut ContainerMember)| {
            names.iter().for_each(|name| change(members.entry(symbol(name)).or_default()));
        };
        if let Some(containers) = containers {
            note(&containers.same, |member| member.gives_object = true);
            note(&containers.wrappers, |member| member.wraps = true);
            note(&containers.openers, |member| member.opens = true);
            note(&containers.fillers, |member| member.fills = true);
            note(&containers.visitors, |member| member.visits = true);
            note(&containers.mappers, |member| member.maps = true);
            note(&containers.makers, |member| member.makes = true);
        }
        Self(members)
    }
}

impl PointsTo<'_, '_> {
    /// Adds constraints for the calls of members that containers have.
    pub(super) fn read_container_calls(&mut self) {
        let facts = self.facts();
        for call in facts.call_ids() {
            if let FileValue::Access(object, name) = facts.value(facts.call(call).callee)
                && self.container_member(name).is_some()
            {
                let object = self.slot_of(object);
                self.constrain(object, Constraint::Hold { call });
            }
        }
    }

    /// Handles `to = element of object`. An object of another type than an iterator is not
    /// distinguished from its elements.
    pub(super) fn take_element(&mut self, object: AbstractObject, to: SlotId) {
        self.point_to(to, object);
        if let AbstractObject::Definition(id) = object
            && (self.shapes[id].is_object()
                || matches!(self.shapes[id].kind, DefinitionKind::Extension | DefinitionKind::Module))
        {
            self.load(object, symbol(ANY_MEMBER), to);
        }
        if let AbstractObject::Instance(of_type) = object
            && let Some(next) = self.special(of_type).and_then(|special| special.next)
            && let Some(method) = self.names.member_of_type(of_type, next).and_then(|own| self.names.bound(own))
        {
            let elements = self.return_of(method);
            self.constrain(elements, Constraint::Copy { to });
        }
    }

    fn container_member(&self, name: Symbol) -> Option<ContainerMember> {
        let language = self.names.language(self.current.file)?;
        self.containers.get(&language)?.0.get(&name).copied()
    }

    /// Checks whether a call keeps its arguments in a container, as far as its name says.
    pub fn keeps_arguments(&self, file: FileId, call: CallId) -> bool {
        let facts = self.names.facts(file);
        let name = facts.name_of(facts.call(call).callee);
        let members = self.names.language(file).and_then(|language| self.containers.get(&language));
        let member = name.zip(members).and_then(|(name, members)| members.0.get(&name));
        member.is_some_and(|member| member.wraps || member.fills)
    }

    /// Handles the call of a container's member on an object that is or holds `object`.
    pub(super) fn hold(&mut self, call: CallId, object: AbstractObject) {
        let facts = self.facts();
        let FileValue::Access(value, name) = facts.value(facts.call(call).callee) else { return };
        let Some(member) = self.container_member(name) else { return };
        let is_object = matches!(object, AbstractObject::Definition(id) if self.shapes[id].is_object());
        let is_held = match object {
            AbstractObject::Instance(of_type) => self.names.member_of_type(of_type, name).is_none(),
            AbstractObject::Definition(id) if self.shapes[id].kind.has_members() => {
                self.names.member_of_type(id, name).is_none()
            }
            // An object literal may have a member with this name, but hardly one that visits elements.
            AbstractObject::Definition(_) if is_object => member.visits,
            AbstractObject::Definition(id) => self.shapes[id].kind != DefinitionKind::Module,
            AbstractObject::BoundMethod(_) => true,
            AbstractObject::Foreign | AbstractObject::Unknown => true,
            _ => false,
        };
        if !is_held || !self.names.budget.take(facts.arguments(call).len()) {
            return;
        }
        let (result, filled) = (self.result_of(call), self.slot_of(value));
        if member.gives_object && !is_object {
            self.point_to(result, object);
        }
        if let AbstractObject::Definition(id) = object
            && member.makes
            && self.shapes[id].kind.has_members()
        {
            self.point_to(result, AbstractObject::Instance(self.names.owner[id]));
        }
        for (_, argument) in facts.arguments(call) {
            let from = self.slot_of(argument);
            match facts.value(argument) {
                FileValue::Definition(closure) => self.visit_elements(call, closure, object, member),
                _ if is_object => {}
                _ => {
                    // The name of a member may mean both: `insert` of an option and of a map.
                    if member.wraps {
                        self.constrain(from, Constraint::Copy { to: result });
                    }
                    if member.fills {
                        self.constrain(from, Constraint::Copy { to: filled });
                    }
                }
            }
        }
    }

    fn visit_elements(&mut self, call: CallId, closure: LocalId, object: AbstractObject, member: ContainerMember) {
        let (facts, offsets) = (self.facts(), self.offsets());
        if member.visits {
            for (variable, _) in facts.parameters(closure) {
                let slot = self.slot(offsets.variable(variable));
                self.take_element(object, slot);
            }
        }
        if member.maps {
            let (from, to) = (self.current.own_slot(offsets.return_of(closure)), self.result_of(call));
            self.constrain(from, Constraint::Copy { to });
        }
    }

    /// Handles the call of a library function whose result holds its arguments.
    pub(super) fn wrap(&mut self, call: CallId) {
        let facts = self.facts();
        // connect(state)(Panel): the name of the first call counts.
        let mut callee = facts.value(facts.call(call).callee);
        for _ in 0..MAX_CURRIED {
            let FileValue::Call(inner) = callee else { break };
            callee = facts.value(facts.call(inner).callee);
        }
        let name = match callee {
            FileValue::Access(_, name) | FileValue::Free { symbol: name, .. } => name,
            FileValue::Variable(variable) => facts.variable_name(variable),
            _ => return,
        };
        let Some(member) = self.container_member(name).filter(|member| member.wraps || member.opens) else { return };
        let to = self.result_of(call);
        for (_, argument) in facts.arguments(call).take_while(|_| self.names.budget.take(1)).collect::<Vec<_>>() {
            let from = self.slot_of(argument);
            self.constrain(from, if member.opens { Constraint::Element { to } } else { Constraint::Copy { to } });
        }
    }
}
