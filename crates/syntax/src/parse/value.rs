//! The values in one file: what its names, members, calls and returns refer to, to the extent that
//! the file itself determines it.
//!
//! The walk only records nodes, because a name may be bound later in the file. [`Values::finish`]
//! then reads each node as a [`SymbolicValue`], with names resolved in the file's scopes.

use super::blocks::Extent;
use super::built_names::ReadByName;
use super::container_values::ContainerValues;
use super::entries::Handler;
use super::facts::{
    ANY_MEMBER, ARRAY, AssignmentTarget, Binding, Call, Definition, FUNCTION, Import, NULLABLE, OperatorCall, Return,
    Span, Symbol, SymbolicValue, ValueFlow, Variable, symbol,
};
use super::import::OpenedValue;
use super::matches::{CalledOn, DefinitionMatch};
use super::narrowing::Narrowed;
use crate::ids::{CallId, IdVec, LocalId, ValueId, VariableId};
use crate::lang::{DefinitionKind, ExpressionForm, FlowKind, Language, PlainMembers, Scopes, SuperForm, WordSort};
use crate::tree::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use std::num::NonZeroU16;
use std::ops::Range;
use std::rc::Rc;

/// Maximum nesting depth of expressions that are followed. In real code, the depth is below 20.
pub(super) const MAX_DEPTH: usize = 48;

/// Maximum number of directories in which shared fixtures are searched for.
const MAX_LEVELS: usize = 16;
/// Maximum number of aliases with one name that are examined, those nearest to the use first.
const MAX_ALIASES: usize = 64;
/// Maximum length of the path that an alias stands for, in bytes.
const LONGEST_PATH: usize = 256;

/// Maximum number of types that are read in a type expression.
const MAX_TYPES: usize = 8;

/// Placeholder for the callee of a call that is still pending. [`Values::finish`] replaces it.
const UNRESOLVED: ValueId = ValueId(0);

/// A node that the walk recorded, to be read later.
pub(super) enum Pending<'a, 't> {
    Bind {
        scope: LocalId,
        target: Node<'t>,
        value: Option<Node<'t>>,
        declared: Option<Node<'t>>,
        /// Index of the parameter that the target is, among the parameters of `scope`.
        parameter: Option<usize>,
        is_variadic: bool,
        /// Nodes that see the names that the target declares; `None` for the whole scope.
        extent: Option<Extent>,
    },
    Declare {
        scope: LocalId,
        variable: VariableId,
        declared: Node<'t>,
    },
    Operator {
        scope: LocalId,
        object: Node<'t>,
        /// Indexes of the calls, which all have this object.
        calls: Range<usize>,
    },
    Each {
        scope: LocalId,
        target: Node<'t>,
        container: Node<'t>,
        /// Nodes that see the names that the target declares; `None` for the whole scope.
        extent: Option<Extent>,
    },
    /// A name that has a type where a test of it has succeeded.
    Tested {
        scope: LocalId,
        name: Node<'t>,
        of_type: Node<'t>,
        variable: VariableId,
    },
    /// A parameter of a constructor that also names a field.
    Field {
        constructor: LocalId,
        of_type: LocalId,
        name: Node<'t>,
    },
    /// A prefix that the target of an assignment has in addition to its value.
    Prefix {
        scope: LocalId,
        target: Node<'t>,
        id: LocalId,
    },
    Return {
        scope: LocalId,
        value: Node<'t>,
    },
    Object {
        id: LocalId,
        node: Node<'t>,
    },
    /// An object literal that is a definition with members.
    Table {
        id: LocalId,
        node: Node<'t>,
    },
    /// A parameter that is a pattern: the argument is taken apart.
    Unpacked {
        scope: LocalId,
        target: Node<'t>,
        argument: VariableId,
    },
    Elements {
        scope: LocalId,
        of_type: Node<'t>,
    },
    /// Another name of a function, or of a member of an object.
    Alias {
        scope: LocalId,
        variable: VariableId,
        old: Node<'t>,
        object: Option<Node<'t>>,
    },
    /// The call of the method that an assignment of a value to a member calls.
    Setter {
        call: CallId,
        scope: LocalId,
        member: Node<'t>,
        value: Option<Node<'t>>,
    },
    Call {
        call: CallId,
        scope: LocalId,
        callee: Node<'t>,
        on: Option<CalledOn<'t>>,
        arguments: Option<Node<'t>>,
        /// Argument after those in `arguments`.
        last: Option<Node<'t>>,
    },
    /// The handler of an entry.
    Handler {
        call: CallId,
        scope: LocalId,
        handler: Handler<'a, 't>,
    },
    /// A parameter for which a test runner passes the value of the fixture with its name.
    Fixture {
        call: CallId,
        scope: LocalId,
        name: Node<'t>,
    },
    Definition {
        scope: LocalId,
        id: LocalId,
        variable: VariableId,
        is_stub: bool,
        /// Calls of the definition's decorators with their callees, from innermost to outermost.
        decorated: Vec<(CallId, Node<'t>)>,
    },
    Bases {
        id: LocalId,
        scope: LocalId,
        /// Each with the scope of its name.
        bases: Vec<(LocalId, Node<'t>)>,
        /// Path of the type that an out-of-line definition belongs to.
        receiver: Vec<Node<'t>>,
        returns: Option<Node<'t>>,
        name: Option<Node<'t>>,
    },
}

/// The effect of an assignment on the names in its target.
#[derive(Debug, Clone, Copy)]
pub(super) enum Declares<'t> {
    /// The names are declared elsewhere.
    Nothing,
    /// The assignment declares the names, for the nodes in `within` if there is one.
    Names { within: Option<Node<'t>> },
}

/// A definition as a scope in which names are bound.
pub(super) struct NameScope {
    /// Enclosing definition. The file is its own parent.
    pub(super) parent: LocalId,
    pub(super) kind: DefinitionKind,
    /// Unqualified name of the definition; empty for the file.
    name: Symbol,
}

impl NameScope {
    pub fn new(value: &Definition) -> Self {
        Self { parent: value.parent, kind: value.kind, name: symbol(&value.name) }
    }
}

/// Another name of a module.
pub(super) struct Alias {
    /// Offset of the statement; the name is unknown before it.
    pub start: usize,
    /// Offset of the end of the block around the statement.
    pub end: usize,
    /// Path of the module.
    pub whole: String,
}

pub(super) struct Values<'a, 't> {
    pub(super) language: &'a Language,
    pub(super) path: &'a str,
    pub(super) source: &'a str,
    pub(super) scopes: IdVec<LocalId, NameScope>,
    pub(super) by_name: FxHashMap<(LocalId, Symbol), VariableId>,
    /// Variables that only a part of their scope sees.
    pub(super) in_blocks: FxHashMap<(LocalId, Symbol), Vec<(Extent, VariableId)>>,
    /// The places where a test of a name in a scope has succeeded.
    pub(super) narrowed: FxHashMap<(LocalId, Symbol), Vec<Narrowed>>,
    /// Fields that are declared to hold functions, with their types.
    pub(super) function_fields: FxHashSet<(LocalId, Symbol)>,
    /// Extent of the names that the current assignment declares.
    pub(super) assigned_extent: Option<Extent>,
    pub(super) calls_by_node: FxHashMap<usize, CallId>,
    /// Aliases of modules by their names, in the order of their positions.
    pub(super) aliases: FxHashMap<Symbol, Vec<Alias>>,
    /// Numbers of the members whose assignments call a method.
    pub(super) setters: FxHashSet<usize>,
    /// Reads of members by the values of their names, by node number.
    pub(super) reads: FxHashMap<usize, ReadByName<'t>>,
    /// Symbols of the members with the starts of the names that variables hold.
    pub(super) name_starts: FxHashMap<VariableId, Symbol>,
    /// Numbers of the nodes that a call calls.
    pub(super) callees: FxHashSet<usize>,
    pub(super) definitions_by_node: FxHashMap<usize, LocalId>,
    pub(super) values_by_node: FxHashMap<usize, ValueId>,
    /// The types of the file that have a field, and the place of the field among the others, by its name.
    pub(super) field_places: FxHashMap<Symbol, Vec<(LocalId, usize)>>,
    pub(super) pending: Vec<Pending<'a, 't>>,
    /// Variables of the definitions whose results are the values of their members.
    pub(super) properties: FxHashMap<LocalId, VariableId>,
    /// Variables that are bound to a definition in the file.
    pub(super) defined: FxHashSet<VariableId>,
    /// The last definition that was bound to each variable so far.
    pub(super) last_bound: FxHashMap<VariableId, LocalId>,
    /// Index of the import that fills each variable.
    pub(super) imported: FxHashMap<VariableId, usize>,
    /// Variables that are bound to a type.
    pub(super) types: FxHashSet<VariableId>,
    /// Variables that are type parameters. The whole body of a type sees those of the type.
    pub(super) type_parameters: FxHashSet<VariableId>,
    /// Variables that are parameters.
    pub(super) parameters: FxHashSet<VariableId>,
    /// Tokens of each group that was read, by node number.
    pub(super) groups: FxHashMap<usize, Rc<[Node<'t>]>>,
    /// Variables that are bound to a definition which is not a stub.
    pub(super) implemented: FxHashSet<VariableId>,
    pub(super) container_values: ContainerValues,
    /// Imports of all names in something, until [`Values::find_opened_values`].
    pub(super) opened: Vec<OpenedValue>,
    /// Values whose members are imported: the start and the end of the text that sees them, and the
    /// value, sorted by start.
    pub(super) opened_values: Vec<(usize, usize, ValueId)>,
    pub(super) flow: ValueFlow,
}

/// Returns a call whose callee and arguments are still to be read, given the number and the depth of
/// its syntax node.
fn pending_call(scope: LocalId, (node, depth): (u32, u32), line: u32) -> Call {
    let (callee, arguments) = (UNRESOLVED, Vec::new());
    Call { scope, callee, creates: false, is_access: false, is_quoted: false, arguments, node, depth, line }
}

impl<'a, 't> Values<'a, 't> {
    pub fn new(language: &'a Language, path: &'a str, source: &'a str) -> Self {
        Self {
            language,
            path,
            source,
            scopes: IdVec::from(vec![NameScope::new(&Definition::new(DefinitionKind::Module, Span::default()))]),
            by_name: FxHashMap::default(),
            in_blocks: FxHashMap::default(),
            narrowed: FxHashMap::default(),
            function_fields: FxHashSet::default(),
            assigned_extent: None,
            calls_by_node: FxHashMap::default(),
            aliases: FxHashMap::default(),
            setters: FxHashSet::default(),
            reads: FxHashMap::default(),
            name_starts: FxHashMap::default(),
            callees: FxHashSet::default(),
            definitions_by_node: FxHashMap::default(),
            values_by_node: FxHashMap::default(),
            field_places: FxHashMap::default(),
            pending: Vec::new(),
            properties: FxHashMap::default(),
            defined: FxHashSet::default(),
            last_bound: FxHashMap::default(),
            imported: FxHashMap::default(),
            types: FxHashSet::default(),
            type_parameters: FxHashSet::default(),
            parameters: FxHashSet::default(),
            groups: FxHashMap::default(),
            implemented: FxHashSet::default(),
            container_values: ContainerValues::default(),
            opened: Vec::new(),
            opened_values: Vec::new(),
            flow: ValueFlow::default(),
        }
    }

    /// Returns the variable with the given name in a scope, and creates it if necessary.
    pub fn declare(&mut self, scope: LocalId, name: &str) -> VariableId {
        let symbol = symbol(name);
        *self.by_name.entry((scope, symbol)).or_insert_with(|| self.flow.variables.push(Variable { scope, symbol }))
    }

    /// Removes the name of a variable from a scope.
    pub fn undeclare(&mut self, scope: LocalId, variable: VariableId) {
        self.by_name.remove(&(scope, self.flow.variables[variable].symbol));
    }

    /// Creates a variable for a method that is defined outside its type. No unqualified name refers
    /// to it.
    pub fn declare_unseen(&mut self, scope: LocalId, name: &str) -> VariableId {
        self.flow.variables.push(Variable { scope, symbol: symbol(name) })
    }

    /// Records that a node is a definition.
    pub fn define(&mut self, node: Node<'t>, id: LocalId) {
        self.definitions_by_node.insert(node.number(), id);
    }

    /// Binds a definition to the variable with its name. Each decorator becomes a call at its own
    /// location, from innermost to outermost. A stub describes one way to call the function with
    /// the same name in the same scope, and is bound only if there is no such function.
    pub fn bind_definition(
        &mut self,
        id: LocalId,
        definition: &Definition,
        variable: VariableId,
        decorators: &[Node<'t>],
        is_stub: bool,
    ) {
        self.defined.insert(variable);
        self.last_bound.insert(variable, id);
        if definition.kind.is_type() {
            self.types.insert(variable);
        }
        if !is_stub {
            self.implemented.insert(variable);
        }
        if definition.kind.is_type() {
            self.types.insert(variable);
        }
        let &Definition { parent: scope, node, depth, line, .. } = definition;
        let mut decorated = Vec::new();
        for decorator in decorators.iter().rev() {
            let call = self.flow.calls.push(pending_call(scope, (node, depth), line));
            decorated.push((call, *decorator));
        }
        self.pending.push(Pending::Definition { scope, id, variable, is_stub, decorated });
    }

    /// Records the base types, the owner and the declared result of a definition.
    pub fn note_bases(&mut self, id: LocalId, scope: LocalId, found: &DefinitionMatch<'t>, receiver: Vec<Node<'t>>) {
        let reopens = self.language.spec.scopes.messages && found.kind.is_some_and(DefinitionKind::is_type);
        let adds = found.is_partial || reopens || found.kind == Some(DefinitionKind::Extension);
        let name = found.name.filter(|_| adds);
        // A mixin is named inside the type, a base outside.
        let mixins = found.mixins.iter().map(|&mixin| (id, mixin));
        let bases: Vec<_> = mixins.chain(found.bases.iter().map(|&base| (scope, base))).collect();
        let returns = found.returns;
        if !bases.is_empty() || !receiver.is_empty() || returns.is_some() || name.is_some() {
            self.pending.push(Pending::Bases { id, scope, bases, receiver, returns, name });
        }
    }

    /// Records a call, with the number and depth of its syntax node.
    pub fn call(
        &mut self,
        scope: LocalId,
        node: Node<'t>,
        (callee, on, arguments, last): (Node<'t>, Option<CalledOn<'t>>, Option<Node<'t>>, Option<Node<'t>>),
        place: (u32, u32),
    ) {
        let is_group = self.is_group(node);
        if let Some(&known) = self.calls_by_node.get(&node.number()) {
            if let Some(Pending::Call { call, last: known_last, .. }) = self.pending.last_mut()
                && *call == known
            {
                *known_last = known_last.or(last);
            }
            return;
        }
        if is_group && !self.are_arguments(callee, node) {
            return;
        }
        self.callees.insert(callee.number());
        let line = node.first_line() as u32 + 1;
        let creates = self.language.meaning(node.kind()).creation;
        let call = self.flow.calls.push(Call { creates, ..pending_call(scope, place, line) });
        self.calls_by_node.insert(node.number(), call);
        self.pending.push(Pending::Call { call, scope, callee, on, arguments, last });
    }

    /// Records a name or member that is a call if it names a function without parameters, unless a
    /// call calls it.
    pub fn access(&mut self, scope: LocalId, node: Node<'t>, place: (u32, u32)) {
        if !self.is_callee(node) {
            self.call(scope, node, (node, None, None, None), place);
            if let Some(call) = self.calls_by_node.get(&node.number()) {
                self.flow.calls[*call].is_access = true;
            }
        }
    }

    /// Checks whether a node is what a call calls.
    pub fn is_callee(&self, node: Node<'t>) -> bool {
        self.callees.contains(&node.number()) || self.calls_by_node.contains_key(&node.number())
    }

    /// Records an assignment to a member that calls a method with the value.
    pub fn setter(&mut self, scope: LocalId, node: Node<'t>, value: Option<Node<'t>>, place: (u32, u32)) {
        if self.setters.insert(node.number()) {
            let call = self.flow.calls.push(pending_call(scope, place, node.first_line() as u32 + 1));
            self.pending.push(Pending::Setter { call, scope, member: node, value });
        }
    }

    /// Records the methods of an object that an operator, a statement or (`is_read`) a read of a
    /// member calls, if they exist.
    pub fn operator(
        &mut self,
        scope: LocalId,
        (node, object): (Node<'t>, Node<'t>),
        (names, is_read): (&[&str], bool),
        place: (u32, u32),
    ) {
        let line = node.first_line() as u32 + 1;
        let first = self.flow.operators.len();
        self.flow.operators.extend(names.iter().map(|name| OperatorCall {
            scope,
            object: UNRESOLVED,
            name: symbol(name),
            is_read,
            node: place.0,
            depth: place.1,
            line,
        }));
        self.pending.push(Pending::Operator { scope, object, calls: first..self.flow.operators.len() });
    }

    /// Records a parameter whose value is the value of the fixture with its name, as if the
    /// function called the fixture. `place` is the number and the depth of the parameter's node.
    pub fn fixture(&mut self, scope: LocalId, name: Node<'t>, place: (u32, u32)) {
        let line = name.first_line() as u32 + 1;
        let call = self.flow.calls.push(pending_call(scope, place, line));
        self.pending.push(Pending::Fixture { call, scope, name });
    }

    /// Records the call by which an entry runs its handler. Names in the handler are looked up in
    /// `scope`.
    pub fn entry_handler(
        &mut self,
        entry: LocalId,
        scope: LocalId,
        place: (u32, u32),
        handler: Handler<'a, 't>,
        line: u32,
    ) {
        let call = self.flow.calls.push(pending_call(entry, place, line));
        self.pending.push(Pending::Handler { call, scope, handler });
    }

    /// Returns the value of a handler.
    fn handler(&mut self, scope: LocalId, handler: Handler<'a, 't>, line: u32) -> ValueId {
        match handler {
            Handler::Definition(id) => self.add(SymbolicValue::Definition(id)),
            Handler::Object(name) => {
                let value = self.imported_object(scope, name).map_or(SymbolicValue::Unknown, SymbolicValue::Variable);
                self.add(value)
            }
            Handler::Module(path) => {
                let variable = self.import_module(&path, line);
                self.add(SymbolicValue::Variable(variable))
            }
            Handler::Value(node) => self.value(scope, node, 0),
            Handler::Path(text) => self.path_value(scope, &text),
            Handler::Member { owner, name } => {
                let mut parts = owner.split("::");
                let first = symbol(parts.next().unwrap_or_default());
                let bound = self.look_up(scope, first, 0).map(SymbolicValue::Variable);
                let mut owner = self.add(bound.unwrap_or(SymbolicValue::Free { symbol: first, scope }));
                for part in parts {
                    owner = self.add(SymbolicValue::Access(owner, symbol(part)));
                }
                self.member_of_object(owner, &name)
            }
            Handler::MemberOf { owner, name } => {
                let owner = self.value(scope, owner, 0);
                self.member_of_object(owner, &name)
            }
        }
    }

    /// Returns the value of a path of names.
    pub(super) fn path_value(&mut self, scope: LocalId, text: &str) -> ValueId {
        let mut parts = self.language.spec.modules.split(text).into_iter().map(symbol);
        let first = parts.next().unwrap_or_else(|| symbol(""));
        let bound = self.look_up(scope, first, 0).map(SymbolicValue::Variable);
        let first = self.add(bound.unwrap_or(SymbolicValue::Free { symbol: first, scope }));
        parts.fold(first, |object, part| self.add(SymbolicValue::Access(object, part)))
    }

    /// Checks whether a name refers to an import.
    pub fn is_imported(&self, scope: LocalId, name: &str) -> bool {
        self.imported_object(scope, name).is_some()
    }

    fn imported_object(&self, scope: LocalId, name: &str) -> Option<VariableId> {
        self.look_up(scope, symbol(name), 0).filter(|variable| self.imported.contains_key(variable))
    }

    /// Binds a variable to an entry or a prefix, in addition to its value. `visible` is the number of a
    /// node that sees the variable.
    pub fn bind_entry(&mut self, scope: LocalId, name: &str, visible: usize, id: LocalId) {
        if let Some(variable) = self.look_up(scope, symbol(name), visible) {
            let value = self.add(SymbolicValue::Definition(id));
            self.flow.bindings.push(Binding { target: AssignmentTarget::Variable(variable), value });
        }
    }

    /// Binds the target of an assignment (`this.router`) to a prefix, in addition to its value.
    pub fn bind_target(&mut self, scope: LocalId, target: Node<'t>, id: LocalId) {
        self.pending.push(Pending::Prefix { scope, target, id });
    }

    fn member_of_object(&mut self, of_type: ValueId, name: &str) -> ValueId {
        let object = self.add(SymbolicValue::Instance(of_type));
        // A type outside the repository is known, so the member is not guessed by its name.
        let library = self.add(SymbolicValue::Foreign);
        let object = self.add(SymbolicValue::Any(vec![object, library]));
        self.add(SymbolicValue::Access(object, symbol(name)))
    }

    /// Records an assignment. Names in a declaring target are declared immediately, so that later
    /// look-ups find them.
    pub fn bind(
        &mut self,
        scope: LocalId,
        target: Node<'t>,
        declares: Declares<'t>,
        value: Option<Node<'t>>,
        declared: Option<Node<'t>>,
    ) {
        if self.is_type(scope) && declared.is_some_and(|declared| self.holds_functions(declared)) {
            self.function_fields.insert((scope, symbol(self.text(target))));
        }
        let extent = match declares {
            Declares::Nothing => None,
            Declares::Names { within } => {
                let extent = self.extent(scope, target, value, within);
                self.declare_all(scope, extent, target, 0);
                extent
            }
        };
        self.pending.push(Pending::Bind {
            scope,
            target,
            value,
            declared,
            parameter: None,
            is_variadic: false,
            extent,
        });
    }

    /// Records that a target takes the elements of a container in turn, and declares its names.
    pub fn each(&mut self, scope: LocalId, target: Node<'t>, container: Node<'t>) {
        let extent = self.extent(scope, target, Some(container), None);
        self.declare_all(scope, extent, target, 0);
        self.pending.push(Pending::Each { scope, target, container, extent });
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

    /// Records that a parameter of a constructor also names a field of the type around it.
    pub fn note_field(&mut self, constructor: LocalId, of_type: LocalId, name: Node<'t>, declared: Option<Node<'t>>) {
        self.bind(of_type, name, Declares::Names { within: None }, None, declared);
        self.pending.push(Pending::Field { constructor, of_type, name });
    }

    /// Records a parameter with its default value and its declared type.
    pub fn parameter(
        &mut self,
        scope: LocalId,
        (index, is_variadic): (usize, bool),
        target: Node<'t>,
        default: Option<Node<'t>>,
        declared: Option<Node<'t>>,
    ) {
        self.declare_all(scope, None, target, 0);
        let (value, parameter) = (default, Some(index));
        self.pending.push(Pending::Bind { scope, target, value, declared, parameter, is_variadic, extent: None });
    }

    /// Declares a type parameter, with a type that limits it.
    pub fn type_parameter(&mut self, scope: LocalId, name: Node<'t>, bound: Option<Node<'t>>) {
        let variable = self.declare(scope, self.text(name));
        self.type_parameters.insert(variable);
        if bound.is_some() {
            self.bind(scope, name, Declares::Nothing, bound, None);
        }
    }

    /// Declares a name that is not in the source text, with its type.
    pub fn declare_typed(&mut self, scope: LocalId, name: &str, declared: Node<'t>) {
        let variable = self.declare(scope, name);
        self.pending.push(Pending::Declare { scope, variable, declared });
    }

    fn declare_all(&mut self, scope: LocalId, extent: Option<Extent>, target: Node<'t>, depth: usize) {
        let meaning = self.language.meaning(target.kind());
        if let Some(fields) = meaning.pattern.filter(|_| depth < MAX_DEPTH) {
            for target in self.targets(target, fields) {
                self.declare_all(scope, extent, target, depth + 1);
            }
            return;
        }
        if let Some(inner) = meaning.target_in(target).filter(|_| depth < MAX_DEPTH) {
            return self.declare_all(scope, extent, inner, depth + 1);
        }
        match meaning.form {
            ExpressionForm::Name => drop(self.declare_in(scope, self.text(target), extent)),
            // `object.member = ...` and `list[0] = ...` declare nothing.
            ExpressionForm::Member => {}
            ExpressionForm::Access(..) | ExpressionForm::Field(_) if !self.language.meaning(target.kind()).list => {}
            _ if depth < MAX_DEPTH => {
                for child in target.named_children() {
                    self.declare_all(scope, extent, child, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// Records a value that a definition returns.
    pub fn note_return(&mut self, scope: LocalId, value: Node<'t>) {
        self.pending.push(Pending::Return { scope, value });
    }

    /// Records an object literal.
    pub fn note_object(&mut self, id: LocalId, node: Node<'t>) {
        self.pending.push(Pending::Object { id, node });
    }

    /// Records an object literal that is a definition with members.
    pub fn note_table(&mut self, id: LocalId, node: Node<'t>) {
        self.pending.push(Pending::Table { id, node });
    }

    /// Records that a parameter is a pattern. `argument` is the variable of the whole parameter.
    pub fn note_unpacked(&mut self, scope: LocalId, target: Node<'t>, argument: VariableId) {
        if self.language.meaning(target.kind()).form != ExpressionForm::Name {
            self.pending.push(Pending::Unpacked { scope, target, argument });
        }
    }

    /// Records the type of the objects that a container type contains. An object of the container
    /// type also represents its elements.
    pub fn note_elements(&mut self, scope: LocalId, of_type: Node<'t>) {
        self.pending.push(Pending::Elements { scope, of_type });
    }

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
                Pending::Return { scope, value } => {
                    let value = match (self.record_of(value), definitions[scope].returns) {
                        (Some(record), Some(of_type)) => self.returned_record(scope, record, of_type),
                        _ => self.value(scope, value, 0),
                    };
                    self.note_result(scope, value);
                }
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
                    let bases = bases.into_iter().map(|(scope, base)| self.type_head(scope, base)).collect();
                    definitions[id].bases = bases;
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
        for (scope, object, calls) in operators {
            let object = match self.is_container(scope, object) {
                true => self.add(SymbolicValue::Foreign),
                false => self.value(scope, object, 0),
            };
            self.flow.operators[calls].iter_mut().for_each(|call| call.object = object);
        }
        self.flow
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

    pub(super) fn read_call(
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

    /// Returns the value of an unqualified name; unknown for any other node.
    pub(super) fn name_or_unknown(&self, scope: LocalId, node: Node<'t>) -> SymbolicValue {
        match self.language.meaning(node.kind()).form {
            ExpressionForm::Name => self.name(scope, node),
            _ => SymbolicValue::Unknown,
        }
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

    /// Returns the definition or import around the function that has the name of a local value;
    /// `local` if there is none.
    pub(super) fn item(&self, scope: LocalId, local: VariableId) -> VariableId {
        if !self.is_local(local) || self.defined.contains(&local) || self.type_parameters.contains(&local) {
            return local;
        }
        let name = self.flow.variables[local].symbol;
        let mut at = scope;
        while at != LocalId::FILE {
            at = self.scopes.get(at).map_or(LocalId::FILE, |scope| scope.parent);
            let kind = self.scopes.get(at).map(|scope| scope.kind);
            if kind.is_some_and(|kind| !kind.has_members())
                && let Some(&item) = self.by_name.get(&(at, name))
                && item != local
            {
                return item;
            }
        }
        local
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
    pub(super) fn method_around(&self, mut scope: LocalId) -> Option<Symbol> {
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
    pub(super) fn read_definition(
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
    fn path_members(&self, path: Node<'t>) -> impl Iterator<Item = Node<'t>> + use<'a, 't> {
        let language = self.language;
        path.named_children().skip(1).filter(|name| language.meaning(name.kind()).form == ExpressionForm::Name)
    }

    /// Returns the value of an element of a container, or of the members of an object whose names start
    /// like the one that the code builds.
    fn element(&mut self, scope: LocalId, node: Node<'t>, container: Node<'t>, depth: usize) -> SymbolicValue {
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
    fn is_element(&self, node: Node<'t>) -> bool {
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
    fn operation(&mut self, scope: LocalId, node: Node<'t>, depth: usize) -> SymbolicValue {
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
    fn path(&mut self, scope: LocalId, first: Node<'t>, members: &[Node<'t>]) -> ValueId {
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

    pub(super) fn read_child(&mut self, scope: LocalId, node: Node<'t>, depth: usize) -> SymbolicValue {
        let value = self.value(scope, node, depth + 1);
        self.flow.values[value].clone()
    }

    pub(super) fn read_call_value(
        &mut self,
        scope: LocalId,
        node: Node<'t>,
        call: CallId,
        depth: usize,
    ) -> SymbolicValue {
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
    fn is_partial(&self, node: Node<'t>) -> bool {
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
    fn allocated(&self, scope: LocalId, node: Node<'t>) -> Option<Node<'t>> {
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

    /// Returns the variable that an unqualified name refers to. Returns `None` if the name is bound
    /// to a definition at the top of a type or file and the language allows an unqualified name to
    /// be a call (Ruby), because the name is then a call.
    pub(super) fn plain_variable(&self, scope: LocalId, node: Node<'t>) -> Option<VariableId> {
        if self.language.meaning(node.kind()).form != ExpressionForm::Name {
            return None;
        }
        match self.name(scope, node) {
            SymbolicValue::Variable(variable) if !self.defined.contains(&variable) || self.is_local(variable) => {
                Some(variable)
            }
            _ => None,
        }
    }

    /// Returns the variable that a bare name refers to. Returns `None` if the name is that of a definition,
    /// which the bare name calls, even inside a block (`describe Row do def row = Row.new; row.size end`).
    fn bare_variable(&self, scope: LocalId, node: Node<'t>) -> Option<VariableId> {
        self.plain_variable(scope, node).filter(|variable| !self.defined.contains(variable))
    }

    pub(super) fn is_type(&self, scope: LocalId) -> bool {
        self.scopes.get(scope).is_some_and(|scope| scope.kind.has_members())
    }

    pub(super) fn is_local(&self, variable: VariableId) -> bool {
        let scope = self.flow.variables[variable].scope;
        self.scopes.get(scope).is_some_and(|value| value.kind.is_function() || value.kind == DefinitionKind::Anonymous)
    }

    pub(super) fn name(&self, scope: LocalId, node: Node<'t>) -> SymbolicValue {
        if self.language.meaning(node.kind()).path_name {
            let path = self.whole_path(node);
            return self.name_at(scope, &path, node.number());
        }
        let addresses = self.language.spec.expressions.addresses.as_ref();
        let name = match addresses.filter(|_| self.language.meaning(node.kind()).address) {
            Some(addresses) => addresses.first(&self.source[node.start()..]),
            None => self.text(node).trim_matches(&self.language.spec.expressions.name_quotes[..]),
        };
        self.name_at(scope, name, node.number())
    }

    /// Returns the path of a module with the path for which its first part is an alias at this
    /// place.
    pub(super) fn whole_path(&self, node: Node<'t>) -> String {
        let (path, qualifier) = (self.text(node), &self.language.spec.head.qualifier);
        let (first, rest) =
            path.split_once(qualifier.as_str()).map_or((path, None), |(first, rest)| (first, Some(rest)));
        let aliases = self.aliases.get(&symbol(first)).map_or(&[][..], Vec::as_slice);
        let before = &aliases[..aliases.partition_point(|alias| alias.start <= node.start())];
        // The last one in a block around the place is in the innermost block.
        let mut last = before.iter().rev().take(MAX_ALIASES);
        let whole = last.find(|alias| node.start() < alias.end).map_or(first, |alias| alias.whole.as_str());
        // A chain of aliases could double the length each time.
        let whole = whichfn_text::prefix(whole, LONGEST_PATH);
        rest.map_or_else(|| whole.to_owned(), |rest| format!("{whole}{qualifier}{rest}"))
    }

    /// Returns the value of a name that the node with the given number contains.
    pub(super) fn name_at(&self, scope: LocalId, name: &str, node: usize) -> SymbolicValue {
        let scopes = &self.language.spec.scopes;
        if scopes.receivers.iter().any(|r| r == name) {
            let first = scopes.receivers.first().map_or(name, |first| first.as_str());
            let in_type = scopes.messages && self.scopes.get(scope).is_some_and(|scope| scope.kind.is_type());
            let other = if in_type { SymbolicValue::SelfType(scope) } else { SymbolicValue::Unknown };
            return self.look_up(scope, symbol(first), node).map_or(other, SymbolicValue::Variable);
        }
        if scopes.self_types.iter().any(|s| s == name) {
            return SymbolicValue::SelfType(scope);
        }
        if scopes.super_form != SuperForm::Function && scopes.supers.iter().any(|s| s == name) {
            return SymbolicValue::Super(scope);
        }
        let symbol = symbol(name);
        self.look_up(self.innermost_scope(scope), symbol, node)
            .map_or(SymbolicValue::Free { symbol, scope }, SymbolicValue::Variable)
    }

    /// Returns the innermost scope whose names are visible in the code of `scope`. The body of a
    /// type is one only if the language specifies it.
    fn innermost_scope(&self, mut scope: LocalId) -> LocalId {
        let scopes = &self.language.spec.scopes;
        let is_hidden = |at: &NameScope| {
            at.kind.has_members() && !matches!(scopes.plain_members, PlainMembers::Methods | PlainMembers::Body)
        };
        while let Some(at) = self.scopes.get(scope).filter(|at| is_hidden(at)) {
            scope = at.parent;
        }
        scope
    }

    /// Returns the value of the first name of a path, which never refers to a local value or to the
    /// receiver (`self::name`).
    pub(super) fn path_front(&self, scope: LocalId, node: Node<'t>) -> SymbolicValue {
        let name = self.text(node);
        if self.language.spec.modules.current.iter().any(|word| word == name) {
            return SymbolicValue::Free { symbol: symbol(name), scope };
        }
        match self.name(scope, node) {
            SymbolicValue::Variable(local) => SymbolicValue::Variable(self.item(scope, local)),
            value => value,
        }
    }

    /// Looks up the name of the node with the given number in the enclosing scopes, from innermost
    /// to outermost. Names in a type are not visible in its methods, unless the language specifies
    /// it.
    pub(super) fn look_up(&self, scope: LocalId, name: Symbol, node: usize) -> Option<VariableId> {
        let scopes = &self.language.spec.scopes;
        // Inside a type, its name refers to the type, not to the constructor with the same name.
        let named_as_type = scopes.names_constructors_like_types();
        let mut at = scope;
        loop {
            let &NameScope { parent, kind, name: own_name } = self.scopes.get(at)?;
            let is_seen = !kind.has_members()
                || ((at == scope && scopes.plain_members != PlainMembers::Nowhere || scopes.implicit_members())
                    && !(named_as_type && own_name == name));
            if let Some(variable) = self.bound_at(at, name, node)
                && (is_seen || self.type_parameters.contains(&variable))
            {
                return Some(variable);
            }
            if at == LocalId::FILE {
                return None;
            }
            at = parent;
        }
    }

    /// Returns a value that may be any of the first eight types in a type expression:
    /// `Option<Arc<Index>>` may be any of its three types. Linking drops types that are defined
    /// outside the repository. Each dimension of an array counts as a type named [`ARRAY`], before
    /// the type of the elements.
    pub(super) fn type_value(&mut self, scope: LocalId, node: Node<'t>) -> ValueId {
        let mut types = Vec::new();
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            if self.language.meaning(node.kind()).function_type {
                types.push(self.add(SymbolicValue::Free { symbol: symbol(FUNCTION), scope }));
                continue;
            }
            if types.len() >= MAX_TYPES {
                break;
            }
            if self.language.meaning(node.kind()).array {
                let array = self.add(SymbolicValue::Free { symbol: symbol(ARRAY), scope });
                let dimensions = node.children().last().map_or(1, |last| self.text(last).matches('[').count().max(1));
                types.extend(std::iter::repeat_n(array, dimensions.min(MAX_TYPES)));
            }
            if self.language.meaning(node.kind()).nullable
                && let Some(inner) = node.named_children().next()
                && self.language.meaning(inner.kind()).form == ExpressionForm::Name
            {
                let null = SymbolicValue::Free { symbol: symbol(NULLABLE), scope };
                types.extend([self.type_name(scope, inner), self.add(null)]);
                continue;
            }
            if let Some(written) = self.language.meaning(node.kind()).written_type {
                self.read_written_types(scope, node, written, &mut types);
                continue;
            }
            match self.language.meaning(node.kind()).form {
                _ if self.definitions_by_node.contains_key(&node.number()) => types.push(self.value(scope, node, 0)),
                ExpressionForm::Name => types.push(self.type_name(scope, node)),
                ExpressionForm::Path if self.path_members(node).next().is_some() => {
                    types.push(self.value(scope, node, 0));
                    let at = todo.len();
                    todo.extend(node.named_children().skip(1).filter(|child| self.is_choice(*child)));
                    todo[at..].reverse();
                }
                ExpressionForm::Access(_, member) => {
                    types.push(self.value(scope, node, 0));
                    let at = todo.len();
                    todo.extend(self.type_arguments(member.child_of(node)));
                    todo[at..].reverse();
                }
                ExpressionForm::Literal => {}
                _ => {
                    let at = todo.len();
                    todo.extend(node.named_children());
                    todo[at..].reverse();
                }
            }
        }
        match types[..] {
            [one] => one,
            _ => self.add(SymbolicValue::Any(types)),
        }
    }

    /// Checks whether a type expression is the type of a function, with brackets or other signs
    /// around it.
    pub(super) fn is_function_type(&self, mut node: Node<'t>) -> bool {
        for _ in 0..MAX_DEPTH {
            let mut children = node.named_children();
            match (children.next(), children.next()) {
                _ if self.language.meaning(node.kind()).function_type => return true,
                (Some(only), None) => node = only,
                _ => return false,
            }
        }
        false
    }

    /// Checks whether a declared type is that of a function, or has the name of such a type.
    fn holds_functions(&self, declared: Node<'t>) -> bool {
        let functions = &self.language.spec.types.functions;
        self.is_function_type(declared) || functions.iter().any(|name| name == self.text(declared))
    }

    /// Checks whether a node may have the value of any of its children.
    fn is_choice(&self, node: Node<'t>) -> bool {
        self.language.meaning(node.kind()).form == ExpressionForm::Choice
    }

    /// Returns the declared type in the text of a node, if the node contains one in this way.
    pub(super) fn written_type_text(&self, node: Node<'t>) -> Option<&'a str> {
        let index = self.language.meaning(node.kind()).written_type?;
        let rule = self.language.spec.expressions.written_types.get(usize::from(index))?;
        if rule.after.is_empty() {
            return Some(self.text(node));
        }
        let rest = self.text(node).split_once(&rule.after).map_or("", |(_, rest)| rest);
        rest.split_whitespace().next()
    }

    /// Adds the types that the text of a node names, each with its path (`list["models.Session"]`).
    fn read_written_types(&mut self, scope: LocalId, node: Node<'t>, written: u8, types: &mut Vec<ValueId>) {
        let Some(rule) = self.language.spec.expressions.written_types.get(usize::from(written)) else { return };
        let text = self.written_type_text(node).unwrap_or_default();
        let modules = &self.language.spec.modules;
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || modules.separators.iter().any(|s| s.contains(c));
        // `self::KIND_*` names constants of a type.
        let qualifier = self.language.spec.head.qualifier.as_str();
        let after = |word: &str| &text[word.as_ptr() as usize + word.len() - text.as_ptr() as usize..];
        let is_owner = |word: &&str| after(word).starts_with(qualifier);
        let words = text.split(|c| !is_part(c)).filter(|word| !is_owner(word));
        let words = words.filter(|word| !rule.builtin.iter().any(|builtin| builtin == word));
        let paths = words.map(|path| modules.split(path)).filter(|path| !path.is_empty());
        for path in paths.take(MAX_TYPES) {
            let front = self.name_at(scope, path[0], node.number());
            let front = self.add(front);
            let members = path[1..].iter();
            types.push(members.fold(front, |object, part| self.add(SymbolicValue::Access(object, symbol(part)))));
        }
    }

    /// Returns the type whose name `node` is.
    fn type_name(&mut self, scope: LocalId, node: Node<'t>) -> ValueId {
        if !self.language.spec.scopes.types_apart || self.values_by_node.contains_key(&node.number()) {
            return self.value(scope, node, 0);
        }
        let is_path = self.language.meaning(node.kind()).path_name;
        let name = if is_path { symbol(&self.whole_path(node)) } else { symbol(self.text(node)) };
        let (symbol, mut at, mut outside) = (name, scope, scope);
        let value = loop {
            match self.look_up(at, symbol, node.number()) {
                None => break SymbolicValue::Free { symbol, scope: outside },
                Some(found) if self.names_type(found) => break SymbolicValue::Variable(found),
                Some(other) => {
                    // A function or variable with that name does not hide a type around it.
                    let around = self.flow.variables[other].scope;
                    outside = self.scopes.get(around).map_or(LocalId::FILE, |scope| scope.parent);
                    if around == LocalId::FILE {
                        break SymbolicValue::Free { symbol, scope: LocalId::FILE };
                    }
                    at = outside;
                }
            }
        };
        let id = self.add(value);
        self.values_by_node.insert(node.number(), id);
        id
    }

    fn names_type(&self, variable: VariableId) -> bool {
        self.imported.contains_key(&variable)
            || [&self.types, &self.type_parameters].iter().any(|known| known.contains(&variable))
    }

    /// Returns the type that a creation (`new`) names.
    fn created_type(&mut self, scope: LocalId, mut callee: Node<'t>) -> ValueId {
        let of_type = callee;
        while self.language.meaning(callee.kind()).form == ExpressionForm::First
            && let Some(inner) = callee.named_children().next()
        {
            callee = inner;
        }
        match self.language.meaning(callee.kind()).form {
            ExpressionForm::Name => self.type_name(scope, callee),
            _ => self.value(scope, of_type, 0),
        }
    }

    /// Returns the type that a type expression names, without its type arguments: a type that
    /// extends `From<Graph>` does not extend `Graph`.
    fn type_head(&mut self, scope: LocalId, node: Node<'t>) -> ValueId {
        let all = self.type_value(scope, node);
        match &self.flow.values[all] {
            SymbolicValue::Any(types) => types.first().copied().unwrap_or(all),
            _ => all,
        }
    }

    /// Returns the type that an extension adds members to: one of its own type parameters
    /// (`impl<T: Read> Source for T`), or a type that is visible in `scope`.
    fn extended(&mut self, id: LocalId, scope: LocalId, name: Node<'t>) -> ValueId {
        let own = self.by_name.get(&(id, symbol(self.text(name)))).copied();
        match own.filter(|own| self.type_parameters.contains(own)) {
            Some(parameter) => self.add(SymbolicValue::Variable(parameter)),
            None => self.type_head(scope, name),
        }
    }

    /// Returns the type arguments of a member: `T` in `std::vector<T>`.
    pub(super) fn type_arguments(&self, mut member: Option<Node<'t>>) -> Vec<Node<'t>> {
        while let Some(node) = member {
            match self.language.meaning(node.kind()).form {
                ExpressionForm::Access(_, inner) => member = inner.child_of(node),
                _ => return node.named_children().skip(1).collect(),
            }
        }
        Vec::new()
    }

    /// Returns an element of a container. An unknown container has unknown elements.
    pub(super) fn element_of(&mut self, container: ValueId) -> ValueId {
        match self.flow.values[container] {
            SymbolicValue::Unknown => container,
            _ => self.add(SymbolicValue::Element(container)),
        }
    }

    pub(super) fn add(&mut self, value: SymbolicValue) -> ValueId {
        self.flow.values.push(value)
    }

    pub(super) fn text(&self, node: Node<'t>) -> &'a str {
        self.source.get(node.bytes()).unwrap_or_default()
    }
}
