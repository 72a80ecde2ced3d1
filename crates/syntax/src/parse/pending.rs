//! Reads the nodes that the walk over a file noted, once all names of the file are known.

use super::facts::{
    ANY_MEMBER, AssignmentTarget, Binding, Definition, Import, Return, Symbol, SymbolicValue, ValueFlow, symbol,
};
use super::value::{NameScope, Pending, Values};
use crate::ids::{CallId, IdVec, LocalId, ValueId, VariableId};
use crate::lang::{DefinitionKind, ExpressionForm, SuperForm, WordSort};
use crate::tree::Node;
use std::ops::Range;

/// Maximum number of directories in which shared fixtures are searched for.
pub(super) const MAX_LEVELS: usize = 16;

impl<'a, 't> Values<'a, 't> {
    /// Reads all recorded nodes as values.
    pub fn finish(mut self, definitions: &mut IdVec<LocalId, Definition>) -> ValueFlow {
        self.find_opened_values();
        self.declare_name_starts(definitions);
        let (mut has_shared_fixtures, mut operators) = (false, Vec::new());
        for pending in std::mem::take(&mut self.pending) {
            match pending {
                Pending::Call { call, scope, callee, on, arguments, last } => {
                    let value = self
                        .called_by_name((call, scope), callee, on)
                        .unwrap_or_else(|| self.callee(scope, call, callee));
                    self.read_call(call, scope, (callee, value), arguments, last)
                }
                Pending::Bind { scope, target, value, declared, parameter, is_variadic, extent } => {
                    self.assigned_extent = extent;
                    self.note_container(scope, target, value, declared);
                    let declared = self.read_binding(scope, target, value, declared, is_variadic);
                    self.assigned_extent = None;
                    if let Some(parameter) = parameter.and_then(|at| definitions[scope].parameters.get_mut(at)) {
                        parameter.declared = declared;
                    }
                }
                Pending::Operator { scope, object, calls } => operators.push((scope, object, calls)),
                Pending::Alias { scope, variable, old, object } => self.read_alias(scope, variable, old, object),
                Pending::Setter { call, scope, member, value } => self.read_setter(call, scope, member, value),
                Pending::Declare { scope, variable, declared } => {
                    let of_type = self.type_value(scope, declared);
                    let value = self.add(SymbolicValue::Instance(of_type));
                    self.flow.bindings.push(Binding { target: AssignmentTarget::Variable(variable), value });
                }
                Pending::Each { scope, target, container, extent } => {
                    let container = self.value(scope, container, 0);
                    let element = self.element_of(container);
                    self.assigned_extent = extent;
                    self.assign(scope, target, element, 0);
                    self.assigned_extent = None;
                }
                Pending::Tested { scope, name, of_type, variable } => self.read_test(scope, name, of_type, variable),
                Pending::Field { constructor, of_type, name } => self.pass_to_field(constructor, of_type, name),
                Pending::Prefix { scope, target, id } => {
                    let value = self.add(SymbolicValue::Definition(id));
                    self.assign(scope, target, value, 0);
                }
                Pending::Return { scope, value } => self.read_return(scope, value, definitions[scope].returns),
                Pending::Object { id, node } => self.read_object(id, node),
                Pending::Table { id, node } => self.read_table(id, node),
                Pending::Unpacked { scope, target, argument } => {
                    let value = self.add(SymbolicValue::Variable(argument));
                    self.assign(scope, target, value, 0);
                }
                Pending::Elements { scope, of_type } => {
                    definitions[scope].returns = Some(self.return_object_of(scope, of_type));
                }
                Pending::Handler { call, scope, handler } => {
                    let line = self.flow.calls[call].line;
                    self.flow.calls[call].callee = self.handler(scope, handler, line);
                }
                Pending::Fixture { call, scope, name } => has_shared_fixtures |= self.read_fixture(call, scope, name),
                Pending::Definition { scope, id, variable, is_stub, decorated } => {
                    let binds = !is_stub || !self.implemented.contains(&variable);
                    self.read_definition(scope, id, binds.then_some(variable), &decorated)
                }
                Pending::Bases { id, scope, bases, receiver, returns, name } => {
                    definitions[id].bases =
                        bases.into_iter().map(|(scope, base)| self.type_head(scope, base)).collect();
                    definitions[id].owner = match receiver[..] {
                        [] => name.map(|name| self.extended(id, scope, name)),
                        [one] => Some(self.type_head(scope, one)),
                        [first, ..] => Some(self.path(scope, first, &receiver[1..])),
                    };
                    if let Some(returns) = returns {
                        definitions[id].returns = Some(self.return_object_of(id, returns));
                    }
                }
            }
        }
        if has_shared_fixtures {
            self.import_shared_fixtures();
        }
        self.read_operands(operators);
        self.flow
    }

    fn read_return(&mut self, scope: LocalId, value: Node<'t>, declared: Option<ValueId>) {
        let value = match (self.record_of(value), declared) {
            (Some(record), Some(of_type)) => self.returned_record(scope, record, of_type),
            _ => self.value(scope, value, 0),
        };
        self.note_result(scope, value);
    }

    /// Reads the objects whose members operators call.
    fn read_operands(&mut self, operators: Vec<(LocalId, Node<'t>, Range<usize>)>) {
        for (scope, object, calls) in operators {
            let object = match self.is_container(scope, object) {
                true => self.add(SymbolicValue::Foreign),
                false => self.value(scope, object, 0),
            };
            self.flow.operators[calls].iter_mut().for_each(|call| call.object = object);
        }
    }

    /// Assigns the entries of an object literal to its members.
    fn read_object(&mut self, id: LocalId, node: Node<'t>) {
        let object = self.add(SymbolicValue::Definition(id));
        for (name, value) in self.object_entries(id, node) {
            self.flow.bindings.push(Binding { target: AssignmentTarget::Member(object, name), value });
            self.assign_any(object, value);
        }
        self.read_declared_members(id, object, node);
    }

    /// Assigns the entries of an object literal that is a definition with members to the member that
    /// a computed name refers to.
    fn read_table(&mut self, id: LocalId, node: Node<'t>) {
        let object = self.add(SymbolicValue::Definition(id));
        for (_, value) in self.object_entries(id, node) {
            self.assign_any(object, value);
        }
    }

    fn assign_any(&mut self, object: ValueId, value: ValueId) {
        let of_value = &self.flow.values[value];
        if !matches!(of_value, SymbolicValue::Unknown | SymbolicValue::Foreign | SymbolicValue::Literal(_)) {
            let target = AssignmentTarget::Member(object, symbol(ANY_MEMBER));
            self.flow.bindings.push(Binding { target, value });
        }
    }

    /// Returns the names and values of the entries in an object literal.
    fn object_entries(&mut self, id: LocalId, node: Node<'t>) -> Vec<(Symbol, ValueId)> {
        let mut entries = Vec::new();
        for child in node.named_children() {
            let meaning = self.language.meaning(child.kind());
            entries.extend(match (meaning.entry, self.definitions_by_node.get(&child.number())) {
                (Some((name, value)), _) => name.child_of(child).zip(value.child_of(child)).map(|(name, value)| {
                    (symbol(self.text(name).trim_matches(['\'', '"', '`'])), self.value(id, value, 0))
                }),
                (None, Some(&method)) => {
                    self.scopes.get(method).map(|scope| scope.name).map(|name| (name, self.value(id, child, 0)))
                }
                (None, None) if meaning.shorthand => Some((symbol(self.text(child)), self.value(id, child, 0))),
                (None, None) => None,
            });
        }
        entries
    }

    /// Binds the members that the type of an object declares, which are variables of its scope.
    fn read_declared_members(&mut self, id: LocalId, object: ValueId, node: Node<'t>) {
        for child in node.named_children() {
            let names =
                child.named_children().filter(|name| self.language.meaning(name.kind()).form == ExpressionForm::Name);
            let declared: Vec<_> = names
                .map(|name| symbol(self.text(name)))
                .filter_map(|name| Some((name, *self.by_name.get(&(id, name))?)))
                .collect();
            for (name, variable) in declared {
                let value = self.add(SymbolicValue::Variable(variable));
                self.flow.bindings.push(Binding { target: AssignmentTarget::Member(object, name), value });
            }
        }
    }

    /// Makes an object of a declared type a result of a definition. Returns the type.
    fn return_object_of(&mut self, definition: LocalId, of_type: Node<'t>) -> ValueId {
        let of_type = self.type_value(definition, of_type);
        let value = self.add(SymbolicValue::Instance(of_type));
        self.note_result(definition, value);
        of_type
    }

    /// Records a result of a definition, which is also the value of a property.
    fn note_result(&mut self, definition: LocalId, value: ValueId) {
        self.flow.returns.push(Return { definition, value });
        if let Some(&property) = self.properties.get(&definition) {
            self.flow.bindings.push(Binding { target: AssignmentTarget::Variable(property), value });
        }
    }

    /// Binds a parameter to the result of the fixture with its name. Returns true if the file does
    /// not bind that name.
    fn read_fixture(&mut self, call: CallId, scope: LocalId, name: Node<'t>) -> bool {
        let text = self.text(name);
        let around = self.scopes.get(scope).map_or(LocalId::FILE, |scope| scope.parent);
        let callee = self.name(around, name);
        let is_shared = matches!(callee, SymbolicValue::Free { .. });
        self.flow.calls[call].callee = self.add(callee);
        let value = self.add(SymbolicValue::Call(call));
        if let Some(&variable) = self.by_name.get(&(scope, symbol(text))) {
            self.flow.bindings.push(Binding { target: AssignmentTarget::Variable(variable), value });
        }
        is_shared
    }

    /// Imports all names of the files with shared fixtures, in the directory of the file and above
    /// it, closest first.
    fn import_shared_fixtures(&mut self) {
        let levels = self.path.matches('/').count().saturating_add(1).min(MAX_LEVELS) as u8;
        for (level, stem) in
            (1..=levels).flat_map(|level| self.language.spec.tests.shared_files.iter().map(move |stem| (level, stem)))
        {
            self.flow.imports.push(Import {
                path: vec![stem.clone()],
                level,
                name: None,
                variable: None,
                is_shared: false,
                line: 0,
            });
        }
    }

    fn read_call(
        &mut self,
        call: CallId,
        scope: LocalId,
        // In some grammars, the callee and the arguments are children of the same node.
        (called, callee): (Node<'t>, ValueId),
        arguments: Option<Node<'t>>,
        last: Option<Node<'t>>,
    ) {
        let mut values = Vec::new();
        if let Some(group) = arguments.filter(|&node| self.is_group(node)) {
            values.extend(self.token_arguments(scope, group).into_iter().map(|value| (None, value)));
        } else if let Some(arguments) = arguments {
            let is_argument = |node: &Node<'t>| {
                let meaning = self.language.meaning(node.kind());
                meaning.words != Some(WordSort::Comment)
                    && !meaning.separator
                    && *node != called
                    && !self.is_before_arguments(arguments, *node)
            };
            let nodes: Vec<_> = arguments.named_children().filter(is_argument).collect();
            for argument in nodes {
                values.push(self.argument(scope, argument));
            }
        }
        if let Some(other) = last {
            let is_first = arguments.is_some_and(|arguments| other.start() < arguments.start());
            let value = self.argument(scope, other);
            values.insert(if is_first { 0 } else { values.len() }, value);
        }
        let call = &mut self.flow.calls[call];
        (call.callee, call.arguments) = (callee, values);
    }

    /// Returns the callee of a call. If a single node is both the call and its callee
    /// (`object.member(...)`), the name or the member inside it is read.
    pub(super) fn callee(&mut self, scope: LocalId, call: CallId, callee: Node<'t>) -> ValueId {
        if let Some(group) = callee.parent().filter(|&node| self.is_group(node)) {
            let value = match self.called_token(scope, group, callee) {
                SymbolicValue::Variable(local) => SymbolicValue::Variable(self.called_item(scope, local)),
                value => value,
            };
            return self.add(value);
        }
        if self.flow.calls[call].creates {
            return self.created_type(scope, callee);
        }
        if self.calls_by_node.get(&callee.number()) != Some(&call) {
            if self.is_library_function(scope, callee) {
                return self.add(SymbolicValue::Foreign);
            }
            if let SymbolicValue::Variable(local) = self.name_or_unknown(scope, callee) {
                let value = match self.function_named(scope, callee) {
                    Some(function) => function,
                    None => self.called_value(self.called_item(scope, local)),
                };
                return self.add(value);
            }
            return self.value(scope, callee, 0);
        }
        if self.language.spec.scopes.super_form == SuperForm::Method
            && self.language.spec.scopes.supers.iter().any(|s| self.text(self.called(callee)) == s)
        {
            let object = self.add(SymbolicValue::Super(scope));
            let value =
                self.method_around(scope).map_or(SymbolicValue::Unknown, |name| SymbolicValue::Access(object, name));
            return self.add(value);
        }
        let value = match self.language.meaning(callee.kind()).form {
            ExpressionForm::Access(..) if self.called(callee) != callee => self.name(scope, self.called(callee)),
            _ if self.bare_variable(scope, callee).is_some() => SymbolicValue::Unknown,
            _ => self.read_form(scope, callee, 0),
        };
        self.add(value)
    }

    /// Checks whether a callee is the plain name of a function of the language's library.
    fn is_library_function(&self, scope: LocalId, callee: Node<'t>) -> bool {
        let library = &self.language.spec.scopes.library_functions;
        !library.is_empty()
            && self.language.meaning(callee.kind()).form == ExpressionForm::Name
            && library.iter().any(|name| name == self.text(callee))
            && self.plain_variable(scope, callee).is_none_or(|variable| !self.is_local(variable))
    }

    /// Returns the variable that a call of `local` refers to: the definition or import with the
    /// same name around the function, if the language skips values and `local` is one.
    fn called_item(&self, scope: LocalId, local: VariableId) -> VariableId {
        let is_value = self.is_local(local) && !self.defined.contains(&local) && !self.parameters.contains(&local);
        if self.language.spec.scopes.calls_skip_values && is_value { self.item(scope, local) } else { local }
    }

    /// Returns what a call of a variable may refer to: also the definition or import of the file with
    /// the same name, if the language lets it and the variable is a value.
    fn called_value(&mut self, called: VariableId) -> SymbolicValue {
        let name = self.flow.variables[called].symbol;
        let sees_items = self.language.spec.scopes.calls_see_items && !self.defined.contains(&called);
        match self.by_name.get(&(LocalId::FILE, name)) {
            Some(&item) if sees_items && item != called => {
                SymbolicValue::Any([called, item].map(|one| self.add(SymbolicValue::Variable(one))).to_vec())
            }
            _ => SymbolicValue::Variable(called),
        }
    }

    /// Returns the function that a callee names, if the language has a namespace of its own for
    /// functions and a local variable hides the function.
    fn function_named(&self, scope: LocalId, callee: Node<'t>) -> Option<SymbolicValue> {
        let variable = self.plain_variable(scope, callee).filter(|_| self.language.spec.scopes.functions_apart)?;
        let hiding = self.flow.variables[variable];
        let is_receiver = self.language.spec.scopes.receivers.iter().any(|name| name == self.text(callee));
        if is_receiver || !self.is_local(variable) || self.defined.contains(&variable) {
            return None;
        }
        let outside = self.scopes.get(hiding.scope)?.parent;
        Some(
            self.look_up(outside, hiding.symbol, callee.number())
                .map_or(SymbolicValue::Free { symbol: hiding.symbol, scope: outside }, SymbolicValue::Variable),
        )
    }

    /// Returns the name in a node that is both a call and its callee. If the node has a member,
    /// this is the member's name.
    pub(super) fn called(&self, callee: Node<'t>) -> Node<'t> {
        match self.language.meaning(callee.kind()).form {
            ExpressionForm::Access(object, member) if object.child_of(callee).is_none() => {
                member.child_of(callee).unwrap_or(callee)
            }
            _ => callee,
        }
    }

    /// Returns the name of the method that contains a scope.
    fn method_around(&self, mut scope: LocalId) -> Option<Symbol> {
        loop {
            let &NameScope { parent, kind, name } = self.scopes.get(scope)?;
            if kind == DefinitionKind::Method {
                return Some(name);
            }
            if scope == LocalId::FILE {
                return None;
            }
            scope = parent;
        }
    }

    pub(super) fn argument(&mut self, scope: LocalId, argument: Node<'t>) -> (Option<Symbol>, ValueId) {
        if let Some((name, value)) = self.language.meaning(argument.kind()).keyword {
            // In a language where every argument is such a node, one without a name is positional.
            let name = name.child_of(argument).map(|n| symbol(self.text(n).trim_matches([':', ' '])));
            let value = value.child_of(argument).map(|v| self.value(scope, v, 0));
            return (name, value.unwrap_or_else(|| self.add(SymbolicValue::Unknown)));
        }
        (None, self.value(scope, argument, 0))
    }

    /// Reads the decorators of a definition, and binds it to `variable`.
    fn read_definition(
        &mut self,
        scope: LocalId,
        id: LocalId,
        variable: Option<VariableId>,
        decorated: &[(CallId, Node<'t>)],
    ) {
        let mut value = self.add(SymbolicValue::Definition(id));
        let bind = |value| variable.map(|own| Binding { target: AssignmentTarget::Variable(own), value });
        self.flow.bindings.extend(bind(value));
        for &(call, callee) in decorated {
            let callee = self.value(scope, callee, 0);
            self.flow.calls[call].callee = callee;
            self.flow.calls[call].arguments = vec![(None, value)];
            value = self.add(SymbolicValue::Call(call));
        }
        if !decorated.is_empty() {
            self.flow.bindings.extend(bind(value));
        }
    }

    /// Lets the field that a parameter of a constructor names hold the argument. Where types are
    /// declared, only a field for functions does: the type determines the objects of any other.
    fn pass_to_field(&mut self, constructor: LocalId, of_type: LocalId, name: Node<'t>) {
        // The name of the parameter may have a sign that the field does not have (`$clock`).
        let whole = name.parent().filter(|around| self.language.meaning(around.kind()).form == ExpressionForm::Name);
        let parameter = self.by_name.get(&(constructor, symbol(self.text(whole.unwrap_or(name))))).copied();
        let field = (of_type, symbol(self.text(name)));
        let is_open = !self.language.spec.scopes.declared_types || self.function_fields.contains(&field);
        if let Some(parameter) = parameter.filter(|_| is_open && constructor != of_type) {
            let target = AssignmentTarget::Variable(self.declare(of_type, self.text(name)));
            let value = self.add(SymbolicValue::Variable(parameter));
            self.flow.bindings.push(Binding { target, value });
        }
    }
}
