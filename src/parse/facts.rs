//! What is known of one file by itself: plain data, stored by content, read again when the repository is linked.

use super::words::Field;
use crate::ids::{CallId, IdVec, LocalId, ValueId, VariableId};
use crate::lang::DefinitionKind;
use serde::{Deserialize, Serialize};

/// A name, as its 64-bit hash: facts of different files are compared without a shared table of strings.
/// Two names of one repository share a hash with probability below 1e-9; a false call edge would be the harm.
pub type Symbol = u64;

/// The symbol of a name.
pub fn symbol(name: &str) -> Symbol {
    xxhash_rust::xxh3::xxh3_64(name.as_bytes())
}

/// A stretch of a file. Bytes are of the decoded text; lines start at 1, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start_byte: u32,
    /// Byte after the last.
    pub end_byte: u32,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

/// A named unit of code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// What it is.
    pub kind: DefinitionKind,
    /// Its own name; empty for modules that are files, text and anonymous functions.
    pub name: String,
    /// Its name with those around it: `Session.renew`.
    pub qualified_name: String,
    /// Its head on one line, without the body.
    pub signature: String,
    /// The first paragraph of its documentation.
    pub doc: String,
    /// The definition around it; its own number for the file itself.
    pub parent: LocalId,
    /// All of it, with decorators, attributes and the doc comment before it.
    pub span: Span,
    /// The line of its name.
    pub line: u32,
    /// Its syntax node.
    pub node: u32,
    /// It is a test.
    pub is_test: bool,
    /// How many words each [`Field`] holds.
    pub lengths: [u32; Field::COUNT],
    /// The variable that holds the object it is called on.
    pub receiver: Option<VariableId>,
    /// That object is written as a first parameter, and so given as a first argument when the method is called as a
    /// plain function.
    pub receiver_is_parameter: bool,
    /// That object is the type itself.
    pub receives_type: bool,
    /// Its parameters, without the receiver.
    pub parameters: Vec<Parameter>,
    /// Its base types, as values.
    pub bases: Vec<ValueId>,
    /// The type that it adds members to (extensions) or belongs to (out-of-line methods), as a value.
    pub owner: Option<ValueId>,
}

impl Definition {
    /// A definition of which only the kind and the place are known.
    pub fn new(kind: DefinitionKind, span: Span) -> Self {
        Self {
            kind,
            name: String::new(),
            qualified_name: String::new(),
            signature: String::new(),
            doc: String::new(),
            parent: LocalId::FILE,
            span,
            line: span.start_line,
            node: 0,
            is_test: false,
            lengths: [0; Field::COUNT],
            receiver: None,
            receiver_is_parameter: false,
            receives_type: false,
            parameters: Vec::new(),
            bases: Vec::new(),
            owner: None,
        }
    }
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// The variable that holds it.
    pub variable: VariableId,
    /// Its name.
    pub symbol: Symbol,
}

/// A name in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// The definition in which the name is bound.
    pub scope: LocalId,
    /// The name.
    pub symbol: Symbol,
}

/// How a value comes about. Numbers refer to this file's tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum SymbolicValue {
    /// What a name bound in this file holds.
    Variable(VariableId),
    /// What a name not bound in this file means, seen from a definition.
    Free {
        /// The name.
        symbol: Symbol,
        /// The definition in which it is used.
        scope: LocalId,
    },
    /// A member of a value.
    Access(ValueId, Symbol),
    /// What a call gives back.
    Call(CallId),
    /// A definition of this file.
    Definition(LocalId),
    /// Any of these values.
    Any(Vec<ValueId>),
    /// An object of the type that the value names.
    Instance(ValueId),
    /// The object, seen as the bases of the type around a definition.
    Super(LocalId),
    /// The type around a definition.
    SelfType(LocalId),
    /// Surely nothing of this repository.
    Foreign,
    /// Not known.
    Unknown,
}

/// What a value is assigned to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AssignmentTarget {
    /// A name of this file.
    Variable(VariableId),
    /// A member of a value.
    Member(ValueId, Symbol),
}

/// An assignment, a declared type, a default: `target` may hold `value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// Where to.
    pub target: AssignmentTarget,
    /// What.
    pub value: ValueId,
}

/// A call site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The definition that it stands in.
    pub scope: LocalId,
    /// What is called.
    pub callee: ValueId,
    /// Arguments in order, with their names if given by name.
    pub arguments: Vec<(Option<Symbol>, ValueId)>,
    /// Its syntax node.
    pub node: u32,
    /// Its line.
    pub line: u32,
}

/// A value that a definition gives back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Return {
    /// The definition.
    pub definition: LocalId,
    /// The value.
    pub value: ValueId,
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The parts of the module path.
    pub path: Vec<String>,
    /// How many directories up it starts, plus one; 0 for an absolute path.
    pub level: u8,
    /// The imported name; none when the module itself is imported.
    pub name: Option<String>,
    /// The variable that holds it; none when all names are imported.
    pub variable: Option<VariableId>,
}

/// How values move through one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueFlow {
    /// Names by scope.
    pub variables: IdVec<VariableId, Variable>,
    /// Values.
    pub values: IdVec<ValueId, SymbolicValue>,
    /// Assignments and declared types.
    pub bindings: Vec<Binding>,
    /// Call sites, in order of place.
    pub calls: IdVec<CallId, Call>,
    /// Values given back.
    pub returns: Vec<Return>,
    /// Imports.
    pub imports: Vec<Import>,
}

/// Everything known of one file by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Number of lines.
    pub lines: u32,
    /// Definitions in order of place; the first is the file itself.
    pub definitions: IdVec<LocalId, Definition>,
    /// How values move.
    pub flow: ValueFlow,
    /// The syntax tree, packed (see [`super::Syntax`]); stored beside the facts, because linking does not need it.
    #[serde(skip)]
    pub syntax: Vec<u8>,
    /// The parser met something that it could not read.
    pub has_errors: bool,
}

impl Facts {
    /// A digest of all that linking takes from a file: not lines, nodes, words or docs. A change that keeps it (a
    /// comment, a string, a number, the layout) keeps every call of the repository.
    pub fn link_digest(&self) -> u64 {
        let flow = &self.flow;
        let calls: Vec<_> = flow.calls.iter().map(|c| (c.scope, c.callee, &c.arguments)).collect();
        let definitions: Vec<_> = self
            .definitions
            .iter()
            .map(|d| {
                let names = (d.kind, &d.name, &d.qualified_name, d.parent);
                let receiver = (d.receiver, d.receiver_is_parameter, d.receives_type);
                (names, receiver, &d.parameters, &d.bases, d.owner)
            })
            .collect();
        let all = (&flow.variables, &flow.values, &flow.bindings, calls, &flow.returns, &flow.imports, definitions);
        // Plain data always serialises; were it not so, equal digests would have to mean nothing.
        postcard::to_allocvec(&all).map_or(0, |bytes| xxhash_rust::xxh3::xxh3_64(&bytes))
    }
}
