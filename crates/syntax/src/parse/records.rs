//! Reads literals that list the fields of a new object (`{ .open = d_open }`, `Command{"add", add}`)
//! or the elements of a container (`[]Command{{"add", add}}`).
//!
//! A value with the name of a field is assigned to that member of the object. A value without a name
//! is assigned to the member `0`, `1` and so on, and each type binds its fields to these members in
//! the order of their declarations, because the type may be declared in another file. An object of a
//! type also represents the elements of its containers, so the fields of each element are assigned
//! to the same object.
//!
//! **Cost:** one binding for each value that is not a literal, and two for each field of a type.

use super::facts::{AssignmentTarget, Binding, SymbolicValue, symbol};
use super::patterns::{MAX_PARTS, part_name};
use super::value::{MAX_DEPTH, Values};
use crate::ids::{LocalId, ValueId};
use crate::lang::{ExpressionForm, WordSort};
use crate::tree::Node;

/// Maximum number of types with a field of one name among which the type of a literal is searched for.
const MAX_TYPES: usize = 8;

/// The number of containers around the fields of a literal; `None` if it is unknown.
type Nesting = Option<usize>;

/// A value in a literal, with its name or key.
#[derive(Clone, Copy)]
struct Item<'a, 't> {
    key: Option<&'a str>,
    value: Node<'t>,
}

impl<'a, 't> Values<'a, 't> {
    /// Returns the literal without a type that is the whole value of a node.
    pub(super) fn record_of(&self, mut node: Node<'t>) -> Option<Node<'t>> {
        for _ in 0..MAX_DEPTH {
            let meaning = self.language.meaning(node.kind());
            node = match meaning.form {
                _ if meaning.record => return Some(node),
                ExpressionForm::First => node.named_children().next()?,
                ExpressionForm::Field(field) => node.child_in(field)?,
                _ => return None,
            };
        }
        None
    }

    /// Returns the value of a new object, whose fields may be listed in a child of `node`.
    pub(super) fn filled(
        &mut self,
        scope: LocalId,
        node: Node<'t>,
        of_type: Node<'t>,
        object: SymbolicValue,
        depth: usize,
    ) -> SymbolicValue {
        let record = node.named_children().find(|child| self.language.meaning(child.kind()).record);
        let Some(record) = record.filter(|&record| record != of_type) else { return object };
        let nesting = self.nesting(of_type);
        let whole = self.add(object.clone());
        let elements = self.read_record(scope, record, whole, nesting, depth);
        if elements.is_empty() {
            return object;
        }
        SymbolicValue::Any(std::iter::once(whole).chain(elements).collect())
    }

    /// Returns the value of a literal that a function returns, given the type of its result.
    pub(super) fn returned_record(&mut self, scope: LocalId, record: Node<'t>, of_type: ValueId) -> ValueId {
        let object = self.add(SymbolicValue::Instance(of_type));
        let elements = self.read_record(scope, record, object, None, 0);
        self.add(SymbolicValue::Any(std::iter::once(object).chain(elements).collect()))
    }

    /// Reads a literal that is assigned to `target`, whose declaration determines the type of the
    /// object.
    pub(super) fn assign_record(&mut self, scope: LocalId, target: Node<'t>, record: Node<'t>) {
        let nesting = self.nesting(target);
        let mut name = target;
        while !matches!(self.language.meaning(name.kind()).form, ExpressionForm::Name | ExpressionForm::Access(..)) {
            let Some(inner) = name.named_children().next() else { break };
            name = inner;
        }
        let object = match self.language.meaning(name.kind()).form {
            ExpressionForm::Name => {
                let variable = self.assigned_variable(scope, symbol(self.text(name)), name);
                self.add(variable.map_or(SymbolicValue::Unknown, SymbolicValue::Variable))
            }
            _ => self.value(scope, name, 0),
        };
        let elements = self.read_record(scope, record, object, nesting, 0);
        if !elements.is_empty() {
            let elements = self.add(SymbolicValue::Any(elements));
            self.assign(scope, target, elements, 0);
        }
    }

    /// Returns the number of containers in a type or declarator; `None` if there are none, because a
    /// name may be that of a container.
    fn nesting(&self, node: Node<'t>) -> Nesting {
        let (mut todo, mut count) = (vec![node], 0);
        for _ in 0..MAX_DEPTH {
            let Some(node) = todo.pop() else { break };
            let meaning = self.language.meaning(node.kind());
            count += usize::from(meaning.collection);
            if !meaning.function_type && !self.definitions_by_node.contains_key(&node.number()) {
                todo.extend(node.named_children());
            }
        }
        (count > 0).then_some(count)
    }

    /// Reads the values in a literal as fields of `object` or as its elements. Returns the elements.
    pub(super) fn read_record(
        &mut self,
        scope: LocalId,
        record: Node<'t>,
        object: ValueId,
        nesting: Nesting,
        depth: usize,
    ) -> Vec<ValueId> {
        let mut elements = Vec::new();
        if depth > MAX_DEPTH {
            return elements;
        }
        let items: Vec<_> = record.named_children().filter_map(|child| self.item_in(child)).collect();
        let holds_records = || items.iter().all(|item| !item.is_field() && self.record_of(item.value).is_some());
        let inner = match nesting {
            Some(count) => count.checked_sub(1).map(Some),
            None => (!items.is_empty() && holds_records()).then_some(None),
        };
        let places = self.places(&items);
        for (item, place) in items.into_iter().zip(places) {
            let is_element = inner.is_some() || item.key.is_some() && !item.is_field();
            match self.record_of(item.value) {
                Some(record) if is_element => {
                    let nested = self.read_record(scope, record, object, inner.flatten(), depth + 1);
                    elements.extend(nested);
                }
                _ if self.is_data(item.value) => {}
                _ if is_element => elements.push(self.value(scope, item.value, depth + 1)),
                record => self.read_field(scope, (item, place, record), object, depth).into_iter().for_each(|value| {
                    // The type of the object may be a container that has a name.
                    if nesting.is_none() && item.key.is_none() {
                        elements.push(value);
                    }
                }),
            }
        }
        elements
    }

    /// Returns the place of each value among the fields of its type. A value without a name belongs to
    /// the field after the previous one: after a field with a name, it is unknown unless the file
    /// declares exactly one type with all these names.
    fn places(&self, items: &[Item<'a, 't>]) -> Vec<Option<usize>> {
        let names = items.iter().filter(|item| item.is_field()).filter_map(|item| item.key);
        let names: Vec<_> = names.map(|name| symbol(name.trim_start_matches('.'))).collect();
        let is_mixed = items.iter().skip_while(|item| !item.is_field()).any(|item| !item.is_field());
        let types = names.first().and_then(|first| self.field_places.get(first));
        let types = types.filter(|types| is_mixed && types.len() <= MAX_TYPES).into_iter().flatten();
        let place = |of: LocalId, name| {
            let mut places = self.field_places.get(&name)?.iter();
            places.find(|&&(own, _)| own == of).map(|&(_, place)| place)
        };
        let mut fitting = types.map(|&(of, _)| of).filter(|&of| names.iter().all(|&name| place(of, name).is_some()));
        let only = fitting.next().filter(|_| fitting.next().is_none());
        let mut next = Some(0);
        let place_of = |item: &Item<'a, 't>| {
            let named = item.key.filter(|_| item.is_field());
            let own = named.map_or(next, |name| place(only?, symbol(name.trim_start_matches('.'))));
            next = own.map(|own| own + 1);
            own
        };
        items.iter().map(place_of).collect()
    }

    /// Records the place of a field in its type.
    pub(super) fn note_place(&mut self, of_type: LocalId, name: &str, place: usize) {
        self.field_places.entry(symbol(name)).or_default().push((of_type, place));
    }

    /// Assigns a value in a literal to a field. Returns the value, unless it is a literal itself.
    fn read_field(
        &mut self,
        scope: LocalId,
        (item, place, record): (Item<'a, 't>, Option<usize>, Option<Node<'t>>),
        object: ValueId,
        depth: usize,
    ) -> Option<ValueId> {
        let name = match item.key {
            Some(key) => symbol(key.trim_start_matches('.')),
            None => symbol(&part_name(None, place.filter(|&place| place < MAX_PARTS)?)),
        };
        let value = match record {
            Some(record) => {
                let field = self.add(SymbolicValue::Access(object, name));
                match &self.read_record(scope, record, field, None, depth + 1)[..] {
                    [] => return None,
                    elements => self.add(SymbolicValue::Any(elements.to_vec())),
                }
            }
            None => self.value(scope, item.value, depth + 1),
        };
        self.flow.bindings.push(Binding { target: AssignmentTarget::Member(object, name), value });
        record.is_none().then_some(value)
    }

    /// Returns the value in a child of a literal; `None` for a comment.
    fn item_in(&self, child: Node<'t>) -> Option<Item<'a, 't>> {
        let meaning = self.language.meaning(child.kind());
        match meaning.entry {
            _ if meaning.words == Some(WordSort::Comment) => None,
            Some((key, value)) => {
                Some(Item { key: key.child_of(child).map(|key| self.text(key)), value: value.child_of(child)? })
            }
            None if meaning.shorthand => {
                let name = child.named_children().last().unwrap_or(child);
                Some(Item { key: Some(self.text(name)), value: name })
            }
            None => Some(Item { key: None, value: child }),
        }
    }

    /// Checks whether a node is a literal of a built-in type, which has no members.
    fn is_data(&self, node: Node<'t>) -> bool {
        let mut node = node;
        while self.language.meaning(node.kind()).form == ExpressionForm::First
            && let Some(inner) = node.named_children().next()
        {
            node = inner;
        }
        self.language.meaning(node.kind()).form == ExpressionForm::Literal
    }

    /// Checks whether a node is the given definition.
    pub(super) fn is_defined_as(&self, node: Node<'t>, id: LocalId) -> bool {
        self.definitions_by_node.get(&node.number()) == Some(&id)
    }

    /// Binds a field to the member for its position in its type.
    pub(super) fn bind_field(&mut self, of_type: LocalId, name: &str, index: usize, is_object: bool) {
        let position = part_name(None, index);
        let targets = if is_object {
            let object = self.add(SymbolicValue::Definition(of_type));
            let declared = self.declare(of_type, name);
            let value = self.add(SymbolicValue::Variable(declared));
            self.flow.bindings.push(Binding { target: AssignmentTarget::Member(object, symbol(name)), value });
            [name, &position].map(|member| AssignmentTarget::Member(object, symbol(member)))
        } else {
            [name, &position].map(|member| AssignmentTarget::Variable(self.declare(of_type, member)))
        };
        let values = targets.map(|target| {
            self.add(match target {
                AssignmentTarget::Variable(variable) => SymbolicValue::Variable(variable),
                AssignmentTarget::Member(object, member) => SymbolicValue::Access(object, member),
            })
        });
        let [field, place] = targets;
        self.flow.bindings.push(Binding { target: field, value: values[1] });
        self.flow.bindings.push(Binding { target: place, value: values[0] });
    }
}

impl Item<'_, '_> {
    /// Checks whether the text before the value is the name of a field, not the key of an element.
    fn is_field(&self) -> bool {
        let name = self.key.map(|key| key.trim_start_matches('.'));
        name.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    }
}
