//! The definition of a component: a file with markup. It is a function that its file exports, and
//! everything in the script and in the markup is inside it.

use super::extract::{Extractor, Open};
use super::facts::{AssignmentTarget, Binding, Definition, Return, SymbolicValue, ValueFlow, symbol};
use super::field::Field;
use super::matches::DefinitionMatch;
use super::shown::file_stem;
use super::value::{NameScope, Pending, Values};
use crate::ids::{IdVec, LocalId};
use crate::lang::DefinitionKind;
use crate::tree::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_text::file_name;

/// Maximum number of methods whose objects are merged.
const MAX_METHODS: usize = 1_024;
/// Maximum number of objects that are merged. A component has `methods`, `computed` and few others.
const MAX_OBJECTS: usize = 8;

impl<'t> Extractor<'_, 't> {
    /// Opens the component, if the file is one. It has the name of the file.
    pub(super) fn open_component(&mut self) {
        if self.file.markup.is_none() {
            return;
        }
        let name = component_name(self.path).to_owned();
        let component = Definition {
            qualified_name: name.clone(),
            signature: format!("<{name}>"),
            is_test: self.test_file,
            ..Definition::new(DefinitionKind::Function, self.definitions[LocalId::FILE].span)
        };
        let variable = self.values.declare(LocalId::FILE, &name);
        let id = self.push(Definition { name, ..component });
        self.values.bind_definition(id, &self.definitions[id], variable, &[], false);
        self.values.scopes.push(NameScope::new(&self.definitions[id]));
        self.open.push(Open::new(id, usize::MAX));
    }

    /// Returns the file instead of the component: other files see the names that its script binds.
    pub(super) fn around_component(&self, scope: LocalId) -> LocalId {
        if scope == LocalId::COMPONENT && self.file.markup.is_some() { LocalId::FILE } else { scope }
    }

    /// Checks whether a definition is the object that a component exports (`export default {}`). Its
    /// members are those of the component.
    pub(super) fn is_object_of_component(&self, found: &DefinitionMatch<'t>) -> bool {
        let has_own_name = found.name.is_some_and(|name| name.is_named());
        self.file.markup.is_some() && found.kind == Some(DefinitionKind::Extension) && !has_own_name
    }

    /// Records a call that is an element of the markup.
    pub(super) fn note_element(&mut self, id: u32, callee: Node<'t>) {
        let before = || self.file.words?.as_bytes().get(callee.start().checked_sub(1)?).copied();
        if self.file.markup.as_ref().is_some_and(|range| range.contains(&callee.start())) && before() == Some(b'<') {
            self.elements.insert(id);
        }
    }

    /// Adds the words between tags to the component, and lets the markup refer to the methods of
    /// the object that the script exports.
    pub(super) fn add_markup(&mut self, root: Node<'t>) {
        let Some(markup) = &self.file.markup else { return };
        for text in &self.file.texts {
            self.words.read(text.clone()).add_shared(LocalId::COMPONENT, Field::Strings);
        }
        if !self.language.spec.markup.as_ref().is_some_and(|rules| rules.sees_methods) {
            return;
        }
        let mut methods: FxHashMap<&str, Option<LocalId>> = FxHashMap::default();
        for (id, definition) in self.definitions.enumerate() {
            let is_inner =
                definition.kind.is_function() && definition.parent != LocalId::COMPONENT && id != LocalId::COMPONENT;
            if is_inner && !definition.name.is_empty() {
                methods.entry(&definition.name).and_modify(|one| *one = None).or_insert(Some(id));
            }
        }
        let mut methods: Vec<_> = methods.into_iter().filter_map(|(name, id)| Some((id?, name))).collect();
        methods.sort_unstable();
        self.values.share_receiver(&self.definitions, methods.iter().map(|&(id, _)| self.definitions[id].parent));
        let within = |node: &Node<'t>| markup.contains(&node.start());
        let mut parts = root.children().filter(within);
        let Some(first) = parts.next() else { return };
        let last = parts.last().unwrap_or(first);
        for (id, name) in methods {
            if !self.values.by_name.contains_key(&(LocalId::COMPONENT, symbol(name))) {
                let variable = self.values.declare_between(LocalId::COMPONENT, name, first, last);
                let (scope, is_stub, decorated) = (LocalId::COMPONENT, false, Vec::new());
                self.values.pending.push(Pending::Definition { scope, id, variable, is_stub, decorated });
            }
        }
    }
}

impl Values<'_, '_> {
    /// Lets `this` in every function of a component also be each of the objects with its methods:
    /// the framework merges them (`this.load()` in `created` calls `load` of `methods`).
    fn share_receiver(&mut self, definitions: &IdVec<LocalId, Definition>, objects: impl Iterator<Item = LocalId>) {
        let mut objects: Vec<LocalId> = objects.take(MAX_METHODS).collect();
        objects.sort_unstable();
        objects.dedup();
        objects.truncate(MAX_OBJECTS);
        for definition in definitions.iter().filter(|one| one.kind.is_function()) {
            let Some(receiver) = definition.receiver else { continue };
            for &object in objects.iter().filter(|&&object| object != definition.parent) {
                let value = self.add(SymbolicValue::Definition(object));
                self.flow.bindings.push(Binding { target: AssignmentTarget::Variable(receiver), value });
            }
        }
    }
}

/// Returns the name of the component in a file: its stem, or its name without the extension if the
/// stem is no name (`[...page].astro`).
fn component_name(path: &str) -> &str {
    let (stem, name) = (file_stem(path), file_name(path));
    let whole = name.rsplit_once('.').map_or(name, |(front, _)| front);
    if stem.contains(char::is_alphanumeric) { stem } else { whole }
}

/// Makes the names of a component's script visible to other files, and the component the value of
/// its file. An element that is not bound in the file is looked up outside the component, because
/// other names in the script never are components.
pub(super) fn export_component(flow: &mut ValueFlow, elements: &FxHashSet<u32>) {
    for call in flow.calls.iter().filter(|call| elements.contains(&call.node)) {
        if let SymbolicValue::Free { scope, .. } = &mut flow.values[call.callee] {
            *scope = LocalId::FILE;
        }
    }
    for variable in flow.variables.iter_mut().filter(|variable| variable.scope == LocalId::COMPONENT) {
        variable.scope = LocalId::FILE;
    }
    let value = flow.values.push(SymbolicValue::Definition(LocalId::COMPONENT));
    flow.returns.push(Return { definition: LocalId::FILE, value });
}
