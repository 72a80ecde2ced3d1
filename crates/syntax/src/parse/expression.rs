//! The value of an expression: of a name, a member, a call or an operation.

use super::facts::{ARRAY, AssignmentTarget, Binding, Symbol, SymbolicValue, symbol};
use super::value::{MAX_DEPTH, Values};
use super::written_types::MAX_TYPES;
use crate::ids::{CallId, LocalId, ValueId};
use crate::lang::{ExpressionForm, FlowKind, Scopes, SuperForm};
use crate::tree::Node;
use std::num::NonZeroU16;

impl<'a, 't> Values<'a, 't> {
    /// Returns the value of an expression.
    pub(super) fn value(&mut self, scope: LocalId, node: Node<'t>, depth: usize) -> ValueId {
        if let Some(&known) = self.values_by_node.get(&node.number()) {
            return known;
        }
        let value = self.read(scope, node, depth);
        let id = self.add(value);
        self.values_by_node.insert(node.number(), id);
        id
    }

    pub(super) fn read(&mut self, scope: LocalId, node: Node<'t>, depth: usize) -> SymbolicValue {
        if depth > MAX_DEPTH {
            return SymbolicValue::Unknown;
        }
        if let Some(&call) = self.calls_by_node.get(&node.number()) {
            return self.read_call_value(scope, node, call, depth);
        }
        if let Some(&id) = self.definitions_by_node.get(&node.number()) {
            return SymbolicValue::Definition(id);
        }
        self.read_form(scope, node, depth)
    }

    /// Returns the value of a node according to its [`ExpressionForm`], even if the node is also a
    /// call or a definition.
    pub(super) fn read_form(&mut self, scope: LocalId, node: Node<'t>, depth: usize) -> SymbolicValue {
        match self.language.meaning(node.kind()).form {
            ExpressionForm::Name => match self.name(scope, node) {
                free @ SymbolicValue::Free { .. } => {
                    let stored = self.storage(scope, node);
                    stored.or_else(|| self.opened_member(node, &free)).unwrap_or(free)
                }
                value => value,
            },
            ExpressionForm::Access(..) if self.language.meaning(node.kind()).literal.is_some() && depth < MAX_DEPTH => {
                // A reference to a method (`this::renew`) is the method, and has the type of a function.
                let values = [self.literal(node), self.read_access(scope, node, depth)];
                SymbolicValue::Any(values.map(|value| self.add(value)).to_vec())
            }
            ExpressionForm::Access(..) => self.read_access(scope, node, depth),
            ExpressionForm::Path => {
                let Some(first) = node.named_children().next() else { return SymbolicValue::Unknown };
                let first = self.value(scope, first, depth + 1);
                let mut path = self.flow.values[first].clone();
                for member in self.path_members(node).take(MAX_DEPTH) {
                    let object = self.add(path);
                    path = self.member(object, member, depth);
                }
                path
            }
            ExpressionForm::Member => self
                .own_member(scope, node)
                .map_or(SymbolicValue::Unknown, |(object, member)| SymbolicValue::Access(object, member)),
            ExpressionForm::Instance(field) => match node.child_in(field) {
                Some(of_type) => {
                    let object = SymbolicValue::Instance(self.type_of_new(scope, node, of_type));
                    self.filled(scope, node, of_type, object, depth)
                }
                None => SymbolicValue::Unknown,
            },
            ExpressionForm::Field(field) => match node.child_in(field) {
                Some(child) if self.is_element(node) => self.element(scope, node, child, depth),
                Some(child) => self.read_child(scope, child, depth),
                None => SymbolicValue::Unknown,
            },
            ExpressionForm::First => match node.named_children().next() {
                Some(child) if self.is_element(node) => self.element(scope, node, child, depth),
                Some(child) => {
                    let object = self.read_child(scope, child, depth);
                    self.filled(scope, node, child, object, depth)
                }
                None => SymbolicValue::Unknown,
            },
            ExpressionForm::Cast => {
                let mut children = node.named_children();
                let Some(value) = children.next() else { return SymbolicValue::Unknown };
                let of_type = children.last();
                let value = self.value(scope, value, depth + 1);
                let of_type = of_type.map(|of_type| SymbolicValue::Instance(self.type_value(scope, of_type)));
                SymbolicValue::Any(std::iter::once(value).chain(of_type.map(|of_type| self.add(of_type))).collect())
            }
            ExpressionForm::Choice => {
                let container = self.language.meaning(node.kind()).literal.map(|_| self.literal(node));
                // A container is not distinguished from its elements, but has no members of literals.
                let is_literal = |child: &Node<'_>| self.language.meaning(child.kind()).form == ExpressionForm::Literal;
                let children: Vec<_> =
                    node.named_children().filter(|child| container.is_none() || !is_literal(child)).collect();
                if let Some(container) = container.clone().filter(|_| children.is_empty()) {
                    return container;
                }
                let mut values: Vec<_> =
                    children.into_iter().map(|child| self.value(scope, child, depth + 1)).collect();
                values.extend(container.map(|container| self.add(container)));
                if self.language.meaning(node.kind()).flow & FlowKind::Maps.bit() != 0 {
                    // A map is also an object of the library, which has other members than its values.
                    values.push(self.add(SymbolicValue::Foreign));
                }
                SymbolicValue::Any(values)
            }
            ExpressionForm::Literal => self.literal(node),
            ExpressionForm::Operation => self.operation(scope, node, depth),
            ExpressionForm::Tokens | ExpressionForm::Other => SymbolicValue::Unknown,
        }
    }

    /// Returns the value of a member of an object, module or type.
    fn read_access(&mut self, scope: LocalId, node: Node<'t>, depth: usize) -> SymbolicValue {
        let ExpressionForm::Access(object, member) = self.language.meaning(node.kind()).form else {
            return SymbolicValue::Unknown;
        };
        let Some(member) = member.child_of(node) else { return SymbolicValue::Unknown };
        match object.child_of(node) {
            Some(object) => {
                let is_name = self.language.meaning(object.kind()).form == ExpressionForm::Name;
                let object = if is_name && self.language.meaning(node.kind()).path {
                    let front = self.path_front(scope, object);
                    self.add(front)
                } else if let Some(narrowed) = self.narrowed_object(scope, object) {
                    self.add(SymbolicValue::Variable(narrowed))
                } else {
                    self.value(scope, object, depth + 1)
                };
                match self.built_name(scope, member) {
                    Some(start) => SymbolicValue::Access(object, start),
                    None => self.member(object, member, depth),
                }
            }
            // `::app::open` is a path from the outermost scope.
            None if member.named_children().next().is_some() => self.read_child(scope, member, depth),
            None => {
                // `::name` is outside all types.
                let free = SymbolicValue::Free { symbol: symbol(self.text(member)), scope: LocalId::FILE };
                self.imported_path(node).map_or(free, SymbolicValue::Variable)
            }
        }
    }

    /// Iterates over the names after the first child of a path.
    pub(super) fn path_members(&self, path: Node<'t>) -> impl Iterator<Item = Node<'t>> + use<'a, 't> {
        let language = self.language;
        path.named_children().skip(1).filter(|name| language.meaning(name.kind()).form == ExpressionForm::Name)
    }

    /// Returns the value of an element of a container, or of the members of an object whose names start
    /// like the one that the code builds.
    pub(super) fn element(
        &mut self,
        scope: LocalId,
        node: Node<'t>,
        container: Node<'t>,
        depth: usize,
    ) -> SymbolicValue {
        let start = node.named_children().last().and_then(|index| self.built_name(scope, index));
        let container = self.value(scope, container, depth + 1);
        let element = SymbolicValue::Element(container);
        match start {
            Some(start) => {
                let values = [element, SymbolicValue::Access(container, start)];
                SymbolicValue::Any(values.map(|value| self.add(value)).to_vec())
            }
            None => element,
        }
    }

    /// Checks whether a node is an element of the container in it.
    pub(super) fn is_element(&self, node: Node<'t>) -> bool {
        let is_slice = || node.named_children().last().is_some_and(|index| self.language.meaning(index.kind()).slice);
        self.language.meaning(node.kind()).element && !is_slice()
    }

    /// Returns the value of a literal. A suffix (`1L`) may determine its type.
    pub(super) fn literal(&self, node: Node<'t>) -> SymbolicValue {
        let literals = &self.language.spec.expressions.literal_types;
        let Some(literal) = self.language.meaning(node.kind()).literal.and_then(|at| literals.get(usize::from(at)))
        else {
            return SymbolicValue::Foreign;
        };
        let text = self.text(node);
        if literal.others.iter().any(|prefix| text.starts_with(prefix.as_str())) {
            return SymbolicValue::Foreign;
        }

        if let Some(fraction) = literal.fraction.as_ref().filter(|_| text.contains('.')) {
            return SymbolicValue::Literal(symbol(fraction));
        }
        let suffixed = literal.suffixes.iter().find(|(suffix, _)| text.ends_with(suffix.as_str()));
        SymbolicValue::Literal(symbol(suffixed.map_or(&literal.name, |(_, name)| name)))
    }

    /// Returns the value of an operation with one or two operands.
    pub(super) fn operation(&mut self, scope: LocalId, node: Node<'t>, depth: usize) -> SymbolicValue {
        let types = &self.language.spec.types;
        let is_comparison = |sign: Node<'t>| !sign.is_named() && types.comparisons.iter().any(|c| c == self.text(sign));
        if node.children().any(is_comparison) {
            return SymbolicValue::Literal(symbol(&types.boolean));
        }
        let choices = &self.language.spec.expressions.choice_signs;
        let is_choice = |sign: Node<'t>| !sign.is_named() && choices.iter().any(|c| c == self.text(sign));
        let is_choice = !choices.is_empty() && node.children().any(is_choice);
        let operands: Vec<Node<'t>> = node.named_children().take(3).collect();
        match operands[..] {
            _ if is_choice => {
                SymbolicValue::Any(operands.into_iter().map(|one| self.value(scope, one, depth + 1)).collect())
            }
            [one] => {
                let one = self.value(scope, one, depth + 1);
                SymbolicValue::Operation(one, one)
            }
            [left, right] => {
                let (left, right) = (self.value(scope, left, depth + 1), self.value(scope, right, depth + 1));
                SymbolicValue::Operation(left, right)
            }
            _ => SymbolicValue::Foreign,
        }
    }

    /// Returns the type of a new object. For an array (`new int[2][]`), the children after the type
    /// of its elements are its dimensions.
    fn type_of_new(&mut self, scope: LocalId, node: Node<'t>, of_type: Node<'t>) -> ValueId {
        let elements = self.type_value(scope, of_type);
        if !self.language.meaning(node.kind()).array {
            return elements;
        }
        let dimensions = node.named_children().filter(|child| child.start() >= of_type.end());
        let count = dimensions.map(|child| self.text(child)).filter(|text| text.starts_with('[')).count();
        self.array_of(scope, elements, count.max(1))
    }

    /// Returns the type of an array with the given number of dimensions: the symbol [`ARRAY`] for
    /// each of them, then the type of the elements.
    pub(super) fn array_of(&mut self, scope: LocalId, elements: ValueId, dimensions: usize) -> ValueId {
        let array = self.add(SymbolicValue::Free { symbol: symbol(ARRAY), scope });
        let mut types = vec![array; dimensions.min(MAX_TYPES)];
        match &self.flow.values[elements] {
            SymbolicValue::Any(own) => types.extend(own),
            _ => types.push(elements),
        }
        types.truncate(MAX_TYPES);
        self.add(SymbolicValue::Any(types))
    }

    /// Returns the last member of a path, such as `Outer::Inner`.
    pub(super) fn path(&mut self, scope: LocalId, first: Node<'t>, members: &[Node<'t>]) -> ValueId {
        let first = self.value(scope, first, 0);
        members.iter().fold(first, |object, &member| {
            let value = self.member(object, member, 0);
            self.add(value)
        })
    }

    /// Returns a member of a value, given the node that names the member. The node is a leaf, a
    /// name with type arguments (`get<T>`) or, in grammars in which paths nest to the right, a path
    /// (`a::b::c` as `a`, then `b::c`).
    pub(super) fn member(&mut self, object: ValueId, member: Node<'t>, depth: usize) -> SymbolicValue {
        let field = |field: NonZeroU16| member.child_in(field);
        match self.language.meaning(member.kind()).form {
            ExpressionForm::Access(first, rest) if depth < MAX_DEPTH => {
                match (first.child_of(member), rest.child_of(member)) {
                    (Some(first), Some(rest)) => {
                        let first = self.member(object, first, depth + 1);
                        let first = self.add(first);
                        self.member(first, rest, depth + 1)
                    }
                    _ => SymbolicValue::Unknown,
                }
            }
            ExpressionForm::Field(name) if depth < MAX_DEPTH => {
                field(name).map_or(SymbolicValue::Unknown, |name| self.member(object, name, depth + 1))
            }
            ExpressionForm::First if depth < MAX_DEPTH => member
                .named_children()
                .next()
                .map_or(SymbolicValue::Unknown, |name| self.member(object, name, depth + 1)),
            _ if self.language.meaning(member.kind()).element => SymbolicValue::Element(object),
            _ if self.is_receiver_of_type(member) => SymbolicValue::Instance(object),
            _ => SymbolicValue::Access(object, symbol(&self.member_name(member))),
        }
    }

    /// Checks whether a member is the receiver of a type around the code: `this` in `Outer.this`.
    fn is_receiver_of_type(&self, member: Node<'t>) -> bool {
        let scopes = &self.language.spec.scopes;
        scopes.declared_types && scopes.receivers.iter().any(|name| name == self.text(member))
    }

    /// Returns the member that a node names (`@name`), of the object that the code in `scope`
    /// belongs to.
    pub(super) fn own_member(&mut self, scope: LocalId, node: Node<'t>) -> Option<(ValueId, Symbol)> {
        let receiver = self.language.spec.scopes.receivers.first()?;
        let object = self.look_up(scope, symbol(receiver), node.number())?;
        let name = self.text(node).trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
        Some((self.add(SymbolicValue::Variable(object)), symbol(name)))
    }

    /// Returns the value of a variable in which the object that the code belongs to stores a member:
    /// `_clock` for `clock`. The variable may also be a member itself.
    fn storage(&mut self, scope: LocalId, node: Node<'t>) -> Option<SymbolicValue> {
        let Scopes { storage_prefix, receivers, .. } = &self.language.spec.scopes;
        let whole = self.text(node);
        let name = whole.strip_prefix(storage_prefix.as_str()).filter(|name| name.len() < whole.len())?;
        let object = self.look_up(scope, symbol(receivers.first()?), node.number())?;
        let object = self.add(SymbolicValue::Variable(object));
        let names = [whole, name].map(|name| self.add(SymbolicValue::Access(object, symbol(name))));
        Some(SymbolicValue::Any(names.to_vec()))
    }

    fn read_child(&mut self, scope: LocalId, node: Node<'t>, depth: usize) -> SymbolicValue {
        let value = self.value(scope, node, depth + 1);
        self.flow.values[value].clone()
    }

    fn read_call_value(&mut self, scope: LocalId, node: Node<'t>, call: CallId, depth: usize) -> SymbolicValue {
        if let Some(member) = self.read_by_name(scope, node, depth) {
            return member;
        }
        let scopes = &self.language.spec.scopes;
        if let Some(variable) = self.bare_variable(scope, node) {
            return SymbolicValue::Variable(variable);
        }
        let is_super = scopes.super_form == SuperForm::Function
            && node.named_children().next().is_some_and(|callee| scopes.supers.iter().any(|s| s == self.text(callee)));
        if is_super {
            return SymbolicValue::Super(scope);
        }
        if self.is_own_type(node) {
            return SymbolicValue::SelfType(scope);
        }
        if self.is_partial(node) {
            return match self.language.meaning(node.kind()).form {
                ExpressionForm::Access(..) => self.read_access(scope, node, depth),
                _ => {
                    node.named_children().next().map_or(SymbolicValue::Unknown, |one| self.read(scope, one, depth + 1))
                }
            };
        }
        match self.allocated(scope, node) {
            Some(of_type) => SymbolicValue::Instance(self.type_value(scope, of_type)),
            None => self.with_initializer(scope, node, call),
        }
    }

    /// Checks whether a call only stands for the function (`renew(...)` in PHP).
    pub(super) fn is_partial(&self, node: Node<'t>) -> bool {
        let arguments = node.named_children().last();
        let mut inside = arguments.into_iter().flat_map(|list| list.named_children());
        inside.next().is_some_and(|only| self.language.meaning(only.kind()).partial) && inside.next().is_none()
    }

    /// Returns the result of a call, and the functions that an initializer after it puts into the new
    /// object: `new() { ["renew"] = Renew }`. Values with a name are assigned to its members.
    fn with_initializer(&mut self, scope: LocalId, node: Node<'t>, call: CallId) -> SymbolicValue {
        let created = SymbolicValue::Call(call);
        let last = node.named_children().last().filter(|last| self.language.meaning(last.kind()).initializer);
        let Some(initializer) = last else { return created };
        let object = self.add(created.clone());
        let (mut values, mut todo) = (vec![object], vec![initializer]);
        while let Some(list) = todo.pop() {
            for child in list.named_children() {
                let (first, second) = (child.named_children().next(), child.named_children().nth(1));
                match first.zip(second).filter(|_| self.is_assignment(child)) {
                    Some((name, value)) if self.language.meaning(name.kind()).form == ExpressionForm::Name => {
                        let target = AssignmentTarget::Member(object, symbol(self.text(name)));
                        let value = self.value(scope, value, 0);
                        self.flow.bindings.push(Binding { target, value });
                    }
                    Some((_, value)) => values.extend(self.function_in(scope, value)),
                    None if self.language.meaning(child.kind()).initializer && todo.len() < MAX_DEPTH => {
                        todo.push(child)
                    }
                    None => values.extend(self.function_in(scope, child)),
                }
            }
        }
        if values.len() == 1 { created } else { SymbolicValue::Any(values) }
    }

    fn is_assignment(&self, node: Node<'t>) -> bool {
        self.language.meaning(node.kind()).flow & FlowKind::Assignments.bit() != 0
    }

    /// Returns the value of a node that may be a function: a closure, a name or a member.
    fn function_in(&mut self, scope: LocalId, node: Node<'t>) -> Option<ValueId> {
        let is_name =
            matches!(self.language.meaning(node.kind()).form, ExpressionForm::Name | ExpressionForm::Access(..));
        let is_closure = self.definitions_by_node.contains_key(&node.number());
        (is_closure || is_name).then(|| self.value(scope, node, 0))
    }

    /// Checks whether a node is a member of the receiver whose value is the receiver's type.
    fn is_own_type(&self, node: Node<'t>) -> bool {
        let Scopes { type_members, receivers, .. } = &self.language.spec.scopes;
        let ExpressionForm::Access(object, member) = self.language.meaning(node.kind()).form else { return false };
        let is_one_of = |names: &[String], child: Option<Node<'t>>| {
            child.is_some_and(|child| names.iter().any(|name| name == self.text(child)))
        };
        is_one_of(type_members, member.child_of(node)) && is_one_of(receivers, object.child_of(node))
    }

    /// Returns the type in a call of a built-in function that creates an object of a type:
    /// `new(Session)`, `static_cast<Session*>(object)`, `setmetatable({}, Session)`.
    pub(super) fn allocated(&self, scope: LocalId, node: Node<'t>) -> Option<Node<'t>> {
        let Scopes { allocators, metatable_setters, .. } = &self.language.spec.scopes;
        let is_empty = allocators.is_empty() && metatable_setters.is_empty();
        let mut children = node.named_children().take(if is_empty { 0 } else { 2 });
        let first = children.next()?;
        let mut callee = first;
        while let ExpressionForm::Access(_, member) = self.language.meaning(callee.kind()).form {
            callee = member.child_of(callee)?;
        }
        let (name, types) = match self.language.meaning(callee.kind()).form {
            ExpressionForm::Field(name) => (callee.child_in(name)?, callee.named_children().nth(1)),
            _ => (first, children.next()),
        };
        let text = self.text(name);
        let mut types = types.filter(|_| self.look_up(scope, symbol(text), name.number()).is_none())?.named_children();
        let is_one_of = |names: &[String]| names.iter().any(|name| name == text);
        match (is_one_of(allocators), is_one_of(metatable_setters)) {
            (true, _) => types.next(),
            (_, true) => types.nth(1),
            _ => None,
        }
    }
}
