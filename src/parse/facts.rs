//! What is known of one file by itself: plain data, of which linking packs what it takes.

use super::field::Field;
use crate::ids::{CallId, IdVec, LocalId, ValueId, VariableId};
use crate::lang::DefinitionKind;

/// A name, as its 64-bit hash: facts of different files are compared without a shared table of strings.
/// Two names of one repository share a hash with probability below 1e-9; a false call edge would be the harm.
pub type Symbol = u64;

/// The symbol of a name.
pub fn symbol(name: &str) -> Symbol {
    xxhash_rust::xxh3::xxh3_64(name.as_bytes())
}

/// A stretch of a file. Bytes are of the decoded text; lines start at 1, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First byte, from 0.
    pub start_byte: u32,
    /// Byte after the last.
    pub end_byte: u32,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, from 1; it belongs to the span.
    pub end_line: u32,
}

/// A named unit of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Function, class, module ...
    pub kind: DefinitionKind,
    /// Its own name; empty for modules that are files, text and anonymous functions.
    pub name: String,
    /// Its name with those around it: `Session.renew`.
    pub qualified_name: String,
    /// Its text up to the body, on one line of at most 240 bytes.
    pub signature: String,
    /// The first paragraph of its documentation, on one line of at most 480 bytes; empty if it has none.
    pub doc: String,
    /// The definition around it; the file is its own parent.
    pub parent: LocalId,
    /// Its text, with decorators, attributes and the doc comment before it.
    pub span: Span,
    /// The line of its name, from 1.
    pub line: u32,
    /// Its syntax node, by the number in the file's tree; 0, the root, for the file.
    pub node: u32,
    /// How many named nodes are around that node.
    pub depth: u32,
    /// Whether it is a test, or inside one.
    pub is_test: bool,
    /// The number of words in each [`Field`].
    pub lengths: [u32; Field::COUNT],
    /// The variable of its receiver (`self`, `this`); none for what is called on no object.
    pub receiver: Option<VariableId>,
    /// The receiver is written as the first parameter, so a call of the method as a plain function passes it as the
    /// first argument.
    pub receiver_is_parameter: bool,
    /// The receiver is the type itself, not an object of it (`@classmethod`).
    pub receives_type: bool,
    /// Its parameters in order, without the receiver.
    pub parameters: Vec<Parameter>,
    /// The values that name its base types.
    pub bases: Vec<ValueId>,
    /// The value that names the type it adds members to (extensions) or belongs to (out-of-line methods).
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
            depth: 0,
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its variable in the function's scope.
    pub variable: VariableId,
    /// Its name, by which arguments may be passed.
    pub symbol: Symbol,
}

/// A name in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// The definition whose scope binds the name.
    pub scope: LocalId,
    /// The name.
    pub symbol: Symbol,
}

/// How a value comes about, as far as its file alone can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SymbolicValue {
    /// The value of a name that this file binds.
    Variable(VariableId),
    /// The value of a name that this file does not bind.
    Free {
        /// The name.
        symbol: Symbol,
        /// The definition in which it is used.
        scope: LocalId,
    },
    /// A member of a value: `object.name`.
    Access(ValueId, Symbol),
    /// The result of a call.
    Call(CallId),
    /// A definition of this file.
    Definition(LocalId),
    /// Any of these values: branches of a conditional, items of a container.
    Any(Vec<ValueId>),
    /// An object of the type that the value names.
    Instance(ValueId),
    /// The receiver, seen as an object of the bases of the type around a definition (`super`).
    Super(LocalId),
    /// The type around a definition (`Self`).
    SelfType(LocalId),
    /// Surely of a built-in type: nothing of this repository.
    Foreign,
    /// An expression that the analysis does not follow.
    Unknown,
}

/// What a value is assigned to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignmentTarget {
    /// `name = value`.
    Variable(VariableId),
    /// `object.name = value`.
    Member(ValueId, Symbol),
}

/// An assignment, a declared type, a default: `value` may flow into `target`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// The variable or member that is assigned to.
    pub target: AssignmentTarget,
    /// The value that is assigned.
    pub value: ValueId,
}

/// A call site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The definition around it.
    pub scope: LocalId,
    /// The value that is called.
    pub callee: ValueId,
    /// Arguments in order; with a name, those that are passed by name.
    pub arguments: Vec<(Option<Symbol>, ValueId)>,
    /// Its syntax node, by the number in the file's tree.
    pub node: u32,
    /// How many named nodes are around that node.
    pub depth: u32,
    /// The line it starts on, from 1.
    pub line: u32,
}

/// A value that a definition returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Return {
    /// The definition that returns it.
    pub definition: LocalId,
    /// The value returned.
    pub value: ValueId,
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The parts of the module path, without leading dots.
    pub path: Vec<String>,
    /// How many directories up it starts, plus one; 0 for an absolute path.
    pub level: u8,
    /// The imported name; none when the module itself, or all of its names, are imported.
    pub name: Option<String>,
    /// The variable that it is bound to; none when all names are imported.
    pub variable: Option<VariableId>,
}

/// How values move through one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValueFlow {
    /// The names that the file binds, in order of their first binding.
    pub variables: IdVec<VariableId, Variable>,
    /// The values of its expressions and declared types.
    pub values: IdVec<ValueId, SymbolicValue>,
    /// Assignments and declared types.
    pub bindings: Vec<Binding>,
    /// Call sites, in order of place.
    pub calls: IdVec<CallId, Call>,
    /// Values returned.
    pub returns: Vec<Return>,
    /// Imports.
    pub imports: Vec<Import>,
    /// What the file declares its directory to be: the name of the package in source code, its import path in a
    /// manifest; empty if it declares neither.
    pub package: String,
}

/// Everything known of one file by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The number of lines; the last counts without a line break too.
    pub lines: u32,
    /// The number of named syntax nodes.
    pub nodes: u32,
    /// Definitions in order of place; the first is the file itself.
    pub definitions: IdVec<LocalId, Definition>,
    /// Assignments, calls, returns and imports.
    pub flow: ValueFlow,
    /// The syntax tree, packed (see [`super::Syntax`]); stored beside the facts, because linking does not need it.
    pub syntax: Vec<u8>,
    /// The parser met text that it could not read; what lies around it is here nevertheless.
    pub has_errors: bool,
}
