//! The values in one file: what its names, members, calls and returns refer to, to the extent that
//! the file itself determines it.
//!
//! The walk only records nodes, because a name may be bound later in the file. [`Values::finish`]
//! (`pending.rs`) then reads each node as a [`SymbolicValue`] (`expression.rs`, `written_types.rs`), with names
//! resolved in the file's scopes (`names.rs`).

use super::blocks::Extent;
use super::built_names::ReadByName;
use super::container_values::ContainerValues;
use super::entries::Handler;
use super::facts::{Call, Definition, OperatorCall, Span, Symbol, SymbolicValue, ValueFlow, Variable, symbol};
use super::import::OpenedValue;
use super::matches::{CalledOn, DefinitionMatch};
use super::narrowing::Narrowed;
use crate::ids::{CallId, IdVec, LocalId, ValueId, VariableId};
use crate::lang::{DefinitionKind, ExpressionForm, Language};
use crate::tree::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::rc::Rc;

/// Maximum nesting depth of expressions that are followed. In real code, the depth is below 20.
pub(super) const MAX_DEPTH: usize = 48;

/// Placeholder for the callee of a call that is still pending. [`Values::finish`] replaces it.
pub(super) const UNRESOLVED: ValueId = ValueId(0);

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
    pub(super) name: Symbol,
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
pub(super) fn pending_call(scope: LocalId, (node, depth): (u32, u32), line: u32) -> Call {
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

    /// Binds the target of an assignment (`this.router`) to a prefix, in addition to its value.
    pub fn bind_target(&mut self, scope: LocalId, target: Node<'t>, id: LocalId) {
        self.pending.push(Pending::Prefix { scope, target, id });
    }

    pub(super) fn member_of_object(&mut self, of_type: ValueId, name: &str) -> ValueId {
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

    pub(super) fn add(&mut self, value: SymbolicValue) -> ValueId {
        self.flow.values.push(value)
    }

    pub(super) fn text(&self, node: Node<'t>) -> &'a str {
        self.source.get(node.bytes()).unwrap_or_default()
    }
}
