//! Facts about a single file, as plain data. Linking packs the part that it needs.

use super::field::Field;
use crate::ids::{CallId, IdVec, LocalId, ValueId, VariableId};
use crate::lang::DefinitionKind;

/// A name, as its 64-bit hash, so that facts of different files can be compared without a shared
/// table of strings. Two names of one repository share a hash with probability below 1e-9; the
/// consequence would be a wrong call edge.
pub type Symbol = u64;

/// Returns the symbol of a name.
pub fn symbol(name: &str) -> Symbol {
    xxhash_rust::xxh3::xxh3_64(name.as_bytes())
}

/// A range of a file. Bytes are offsets in the decoded text; lines start at 1, and both ends are
/// inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start_byte: u32,
    /// Offset of the byte after the last.
    pub end_byte: u32,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, from 1, inclusive.
    pub end_line: u32,
}

/// A named unit of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Kind of definition: function, class, module ...
    pub kind: DefinitionKind,
    /// Own name; empty for modules that are files, text and anonymous functions.
    pub name: String,
    /// Name with those of the enclosing definitions: `Session.renew`.
    pub qualified_name: String,
    /// Text up to the body, on one line of at most 240 bytes.
    pub signature: String,
    /// First paragraph of its documentation, on one line of at most 480 bytes; empty if it has
    /// none.
    pub doc: String,
    /// Enclosing definition; the file is its own parent.
    pub parent: LocalId,
    /// Range of its text, including decorators, attributes and the doc comment before it.
    pub span: Span,
    /// Line of its name, from 1.
    pub line: u32,
    /// Number of its syntax node in the file's tree; 0, the root, for the file.
    pub node: u32,
    /// Number of named nodes around that node.
    pub depth: u32,
    /// True for a test, or a definition inside one.
    pub is_test: bool,
    /// Number of words in each [`Field`].
    pub lengths: [u32; Field::COUNT],
    /// Variable of its receiver (`self`, `this`); `None` if it is not called on an object.
    pub receiver: Option<VariableId>,
    /// True if the receiver is written as the first parameter, so a call of the method as a plain
    /// function passes it as the first argument.
    pub receiver_is_parameter: bool,
    /// True if the receiver is the type itself, not an object of it (`@classmethod`).
    pub receives_type: bool,
    /// Parameters in order, without the receiver.
    pub parameters: Vec<Parameter>,
    /// Values that name its base types.
    pub bases: Vec<ValueId>,
    /// Value that names the type it adds members to (extensions) or belongs to (out-of-line
    /// methods).
    pub owner: Option<ValueId>,
}

impl Definition {
    /// Creates a definition of which only the kind and the range are known.
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

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Variable of the parameter in the function's scope.
    pub variable: VariableId,
    /// Name of the parameter, by which callers may pass arguments.
    pub symbol: Symbol,
}

/// A name in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Definition whose scope binds the name.
    pub scope: LocalId,
    /// Symbol of the name.
    pub symbol: Symbol,
}

/// The origin of a value, as far as its file determines it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SymbolicValue {
    /// The value of a name that this file binds.
    Variable(VariableId),
    /// The value of a name that this file does not bind.
    Free {
        /// Symbol of the name.
        symbol: Symbol,
        /// Definition that uses the name.
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
    /// The receiver as an object of the base types of the type around a definition (`super`).
    Super(LocalId),
    /// The type around a definition (`Self`).
    SelfType(LocalId),
    /// A value of a built-in type, and so from outside this repository.
    Foreign,
    /// An expression that the analysis does not follow.
    Unknown,
}

/// The target of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignmentTarget {
    /// `name = value`.
    Variable(VariableId),
    /// `object.name = value`.
    Member(ValueId, Symbol),
}

/// An assignment, a declared type, or a default: `value` may flow into `target`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// Variable or member that is assigned to.
    pub target: AssignmentTarget,
    /// Value that is assigned.
    pub value: ValueId,
}

/// A call site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Definition that contains the call.
    pub scope: LocalId,
    /// Value that is called.
    pub callee: ValueId,
    /// Arguments in order, each with its name if it is passed by name.
    pub arguments: Vec<(Option<Symbol>, ValueId)>,
    /// Number of its syntax node in the file's tree.
    pub node: u32,
    /// Number of named nodes around that node.
    pub depth: u32,
    /// Line it starts on, from 1.
    pub line: u32,
}

/// A value that a definition returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Return {
    /// Definition that returns the value.
    pub definition: LocalId,
    /// Value that is returned.
    pub value: ValueId,
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Parts of the module path, without leading dots.
    pub path: Vec<String>,
    /// Number of parent directories at the start of a relative path, plus one; 0 for an absolute
    /// path.
    pub level: u8,
    /// Imported name; `None` if the module itself, or all of its names, are imported.
    pub name: Option<String>,
    /// Variable that the import binds; `None` if all names are imported.
    pub variable: Option<VariableId>,
}

/// The flow of values through one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValueFlow {
    /// Names that the file binds, in the order of their first binding.
    pub variables: IdVec<VariableId, Variable>,
    /// Values of its expressions and declared types.
    pub values: IdVec<ValueId, SymbolicValue>,
    /// Assignments and declared types.
    pub bindings: Vec<Binding>,
    /// Call sites, in file order.
    pub calls: IdVec<CallId, Call>,
    /// Returned values.
    pub returns: Vec<Return>,
    /// Imports of the file.
    pub imports: Vec<Import>,
    /// Name that the file declares for its directory: the name of the package in source code, the
    /// import path in a manifest; empty if it declares neither.
    pub package: String,
}

/// All facts about one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Number of lines, including a last line without a line break.
    pub lines: u32,
    /// Number of named syntax nodes.
    pub nodes: u32,
    /// Definitions in file order; the first is the file itself.
    pub definitions: IdVec<LocalId, Definition>,
    /// Assignments, calls, returns and imports.
    pub flow: ValueFlow,
    /// Packed syntax tree (see [`super::Syntax`]), stored separately from the facts, because
    /// linking does not need it.
    pub syntax: Vec<u8>,
    /// True if the parser met text that it could not parse; the facts still include the code around
    /// it.
    pub has_errors: bool,
}
