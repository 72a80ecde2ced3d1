//! The facts about a single file, as plain data. For linking, only part of them is packed.

use super::field::Field;
use crate::ids::{CallId, IdVec, LocalId, ValueId, VariableId};
use crate::lang::DefinitionKind;

/// A name, represented by its 64-bit hash, so that facts from different files can be compared
/// without a shared string table. The probability that two names in a repository share a hash is
/// below 1e-9; the result would be an incorrect call edge.
pub type Symbol = u64;

/// Returns the symbol of a name.
pub fn symbol(name: &str) -> Symbol {
    xxhash_rust::xxh3::xxh3_64(name.as_bytes())
}

/// Name of the member of an object literal that stands for all its members with names that code may
/// compute (`handlers[name]`).
pub const ANY_MEMBER: &str = "[*]";

/// Returns the name of the member that holds the setter of a member, in languages in which another
/// method of the same name reads the member.
pub(super) fn setter_member(name: &str) -> String {
    format!("{name}=")
}

/// Name of the type that represents one dimension of an array.
pub const ARRAY: &str = "[]";

/// Name of the type of a function that is written without a name (`(Session) -> Unit`).
pub const FUNCTION: &str = "";

/// Name of a type that stands after another one whose objects may also be null (`int?` in C#).
pub const NULLABLE: &str = "?";

/// A range of a file. Byte offsets refer to the decoded text. Lines start at 1, and both the first
/// and the last line are included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start_byte: u32,
    /// Offset after the last byte.
    pub end_byte: u32,
    /// First line, starting at 1.
    pub start_line: u32,
    /// Last line, which is included.
    pub end_line: u32,
}

/// A named unit of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Kind of the definition, such as function, class or module.
    pub kind: DefinitionKind,
    /// Unqualified name of the definition; empty for files, text and anonymous functions.
    pub name: String,
    /// Name of the definition, qualified by the names of the enclosing definitions:
    /// `Session.renew`.
    pub qualified_name: String,
    /// Text up to the body, on one line and limited to 240 bytes.
    pub signature: String,
    /// First paragraph of the documentation, on one line and limited to 480 bytes; empty if there
    /// is none.
    pub doc: String,
    /// Enclosing definition. The file is its own parent.
    pub parent: LocalId,
    /// Range of the definition's text, including decorators, attributes and the doc comment before
    /// it.
    pub span: Span,
    /// Line of the definition's name, starting at 1.
    pub line: u32,
    /// Number of the definition's node in the file's syntax tree. For the file, this is the root,
    /// 0.
    pub node: u32,
    /// Number of named nodes that enclose that node.
    pub depth: u32,
    /// True if the definition is a test or inside a test.
    pub is_test: bool,
    /// True if only its own file, or the type around it, can use the definition: a word before its
    /// name says so (`private`), or it is an argument with this name.
    pub is_private: bool,
    /// True if reading the member with its name, or assigning to it, calls the definition.
    pub is_property: bool,
    /// Number of the definition's words in each [`Field`].
    pub lengths: [u32; Field::COUNT],
    /// Variable of the receiver (`self`, `this`), or `None` if the definition is not called on an
    /// object.
    pub receiver: Option<VariableId>,
    /// True if the receiver is written as the first parameter. A call of the method as a plain
    /// function then passes the receiver as the first argument.
    pub receiver_is_parameter: bool,
    /// True if the receiver is the type itself and not an object of that type (`@classmethod`). For
    /// an anonymous definition, true if it is an object literal and not a function.
    pub receives_type: bool,
    /// Parameters of the definition in order, without the receiver.
    pub parameters: Vec<Parameter>,
    /// Values that refer to the base types.
    pub bases: Vec<ValueId>,
    /// Value that refers to the declared type of the result; `None` if there is none.
    pub returns: Option<ValueId>,
    /// Value that refers to the type that an extension adds members to, or that an out-of-line
    /// method belongs to.
    pub owner: Option<ValueId>,
}

impl Definition {
    /// Creates a definition with only its kind and its range.
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
            is_private: false,
            is_property: false,
            lengths: [0; Field::COUNT],
            receiver: None,
            receiver_is_parameter: false,
            receives_type: false,
            parameters: Vec::new(),
            bases: Vec::new(),
            returns: None,
            owner: None,
        }
    }
}

/// A constant, a variable at the top level of a file or namespace, a field, or an enum variant. It
/// has a name, but no code that could be searched for, and therefore is not a [`Definition`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedValue {
    /// Name of the value.
    pub name: String,
    /// Definition that the value belongs to: a type for a member, otherwise the file or a
    /// namespace.
    pub parent: LocalId,
    /// Range of the declaration.
    pub span: Span,
    /// Offset of the first byte of the name.
    pub name_start: u32,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Variable of the parameter in the scope of the function.
    pub variable: VariableId,
    /// Symbol of the parameter's name, by which callers may pass an argument.
    pub symbol: Symbol,
    /// Value that refers to the declared type; `None` if there is none.
    pub declared: Option<ValueId>,
    /// True if a call may omit the parameter, because it has a default value.
    pub is_optional: bool,
    /// True if the parameter takes any number of arguments.
    pub is_variadic: bool,
    /// True for the first parameter of a function that calls may write like a member of its object
    /// (`this` in C#).
    pub is_extended: bool,
}

/// A name that is bound in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Definition in whose scope the name is bound.
    pub scope: LocalId,
    /// Symbol of the name.
    pub symbol: Symbol,
}

/// The origin of a value, to the extent that its file determines it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SymbolicValue {
    /// The value of a name that is bound in this file.
    Variable(VariableId),
    /// The value of a name that is not bound in this file.
    Free {
        /// Symbol of the name.
        symbol: Symbol,
        /// Definition in which the name is used.
        scope: LocalId,
    },
    /// A member of a value, such as `object.name`.
    Access(ValueId, Symbol),
    /// The result of a call.
    Call(CallId),
    /// A definition in this file.
    Definition(LocalId),
    /// Any of several values, such as the branches of a conditional or the items in a container.
    Any(Vec<ValueId>),
    /// An object of the type that a value refers to.
    Instance(ValueId),
    /// The receiver as an object of the base types of the type around a definition (`super`).
    Super(LocalId),
    /// The type that encloses a definition (`Self`).
    SelfType(LocalId),
    /// A value of a built-in type, which is therefore defined outside the repository.
    Foreign,
    /// A literal of the built-in type with this name.
    Literal(Symbol),
    /// The result of an arithmetic operation on two values of built-in types.
    Operation(ValueId, ValueId),
    /// An element of an array.
    Element(ValueId),
    /// The value of an expression that the analysis does not follow.
    Unknown,
}

/// The target of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignmentTarget {
    /// A variable: `name = value`.
    Variable(VariableId),
    /// A member: `object.name = value`.
    Member(ValueId, Symbol),
}

/// An assignment, a declared type or a default value. `value` may flow into `target`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// Variable or member to which the value is assigned.
    pub target: AssignmentTarget,
    /// Value that is assigned.
    pub value: ValueId,
}

/// A call site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Definition that contains the call site.
    pub scope: LocalId,
    /// Value that is called.
    pub callee: ValueId,
    /// True if the call creates an object of the type that is called (`new`).
    pub creates: bool,
    /// True if only a name or member is written, which is a call if it names a function without
    /// parameters.
    pub is_access: bool,
    /// True if the callee is a symbol or text that names a function.
    pub is_quoted: bool,
    /// Arguments in order, with the name of each argument that is passed by name.
    pub arguments: Vec<(Option<Symbol>, ValueId)>,
    /// Number of the call's node in the file's syntax tree.
    pub node: u32,
    /// Number of named nodes that enclose that node.
    pub depth: u32,
    /// Line on which the call starts, starting at 1.
    pub line: u32,
}

/// A method that is called without the form of a call: `__add__` in `a + b`, or a getter where the
/// member with its name is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperatorCall {
    /// Definition that contains the operator.
    pub scope: LocalId,
    /// Value whose method is called, if its type has one.
    pub object: ValueId,
    /// Name of the method.
    pub name: Symbol,
    /// True if the member with this name is read, so that only a property is called.
    pub is_read: bool,
    /// Number of the operator's node in the file's syntax tree.
    pub node: u32,
    /// Number of named nodes that enclose that node.
    pub depth: u32,
    /// Line on which the operator starts, starting at 1.
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
    /// For a relative path, the number of parent directories at the start plus one; 0 for an
    /// absolute path.
    pub level: u8,
    /// Name that is imported, or `None` if the module itself or all of its names are imported.
    pub name: Option<String>,
    /// Variable that the import binds, or `None` if all names are imported.
    pub variable: Option<VariableId>,
    /// True if other files see what is imported, in a language in which they usually do not.
    pub is_shared: bool,
    /// Line of the imported name, or of the path if all of it is imported; 0 if neither is written.
    pub line: u32,
}

/// The flow of values within one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValueFlow {
    /// Names that are bound in the file, in the order of their first binding.
    pub variables: IdVec<VariableId, Variable>,
    /// Values of expressions and declared types in the file.
    pub values: IdVec<ValueId, SymbolicValue>,
    /// Assignments and declared types in the file.
    pub bindings: Vec<Binding>,
    /// Call sites, in the order of their positions in the file.
    pub calls: IdVec<CallId, Call>,
    /// Methods that operators, statements and reads of members call.
    pub operators: Vec<OperatorCall>,
    /// Values that definitions return.
    pub returns: Vec<Return>,
    /// Imports in the file.
    pub imports: Vec<Import>,
    /// Name that the file declares for its directory: the name of the package in source code, or
    /// the import paths in a manifest ([`crate::lang::declarations`]). Empty if the file declares
    /// neither.
    pub package: String,
}

/// The names that a file lists for other files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exports {
    /// The names, in the order of the file.
    pub names: Vec<String>,
    /// True if the file also exports names that it does not list: `module.exports = build()`.
    pub has_others: bool,
}

/// All facts about a single file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Number of lines in the file. The last line counts even if it has no line break.
    pub lines: u32,
    /// Number of named syntax nodes in the file.
    pub nodes: u32,
    /// Definitions in the order of their positions. The first one is the file itself.
    pub definitions: IdVec<LocalId, Definition>,
    /// Constants, variables, fields and enum variants, in the order of their declarations. Of
    /// several with the same name and parent, only the first is listed.
    pub named_values: Vec<NamedValue>,
    /// Assignments, calls, returns and imports in the file.
    pub flow: ValueFlow,
    /// Names that other files can import from the file. It is not stored.
    pub exports: Exports,
    /// Packed syntax tree (see [`super::Syntax`]). It is stored separately from the other facts,
    /// because linking does not need it.
    pub syntax: Vec<u8>,
    /// True if the parser found text that it could not parse. The facts still include the code
    /// around that text.
    pub has_errors: bool,
    /// True if the file registers more entries than are found ([`super::MAX_ENTRIES`]).
    pub lacks_entries: bool,
}
