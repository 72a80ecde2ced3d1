//! Row types of the tables of [`super::file_facts`], in their on-disk layout.

use bytemuck::{Pod, Zeroable};
use whichfn_syntax::ids::{LocalId, ValueId, VariableId};

/// Separator between the parts of a module path.
pub(super) const BETWEEN: char = '\u{1f}';
/// Number that encodes `None`.
pub(super) const NONE: u32 = u32::MAX;

/// A definition. The table ends with one extra row, which marks the end of the lists of the last
/// definition.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct DefinitionFacts {
    pub name: u32,
    pub qualified_name: u32,
    pub parent: LocalId,
    pub receiver: u32,
    pub owner: u32,
    pub returns: u32,
    pub first_parameter: u32,
    pub first_base: u32,
    pub kind: u8,
    pub receiver_is_parameter: u8,
    pub receives_type: u8,
    /// A sum of [`TEST`], [`PRIVATE`] and [`PROPERTY`].
    pub marks: u8,
}

/// Marks of [`DefinitionFacts`].
pub(super) const TEST: u8 = 1;
pub(super) const PRIVATE: u8 = 2;
pub(super) const PROPERTY: u8 = 4;

/// A parameter.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct ParameterFacts {
    pub variable: VariableId,
    pub name: u32,
    /// Value that refers to the declared type, or [`NONE`].
    pub declared: u32,
    /// A sum of [`OPTIONAL`], [`VARIADIC`] and [`EXTENDED`].
    pub flags: u32,
}

/// Flags of [`ParameterFacts`].
pub(super) const OPTIONAL: u32 = 1;
pub(super) const VARIADIC: u32 = 2;
pub(super) const EXTENDED: u32 = 4;

/// A name in a scope.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct VariableFacts {
    pub scope: LocalId,
    pub name: u32,
}

/// A value: a tag and two numbers, whose meaning depends on the tag. The lower [`TAG_BITS`] bits of
/// `what` contain the tag, the upper 28 bits the first number.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct ValueFacts {
    pub what: u32,
    pub other: u32,
}

/// An assignment: to `object.name`, or to the variable `object` if `name` is [`NONE`].
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct BindingFacts {
    pub object: u32,
    pub name: u32,
    pub value: ValueId,
}

/// A call. The table ends with one extra row, which marks the end of the arguments of the last
/// call.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct CallFacts {
    pub scope: LocalId,
    pub callee: ValueId,
    pub first_argument: u32,
    /// Bit 0: the call creates an object; bit 1: only a name or member is written; bit 2: the
    /// callee is a symbol or text.
    pub flags: u32,
}

/// A method that is called without the form of a call.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct OperatorFacts {
    pub scope: LocalId,
    pub object: ValueId,
    pub name: u32,
    /// 1 if the member with the name is read, otherwise 0.
    pub is_read: u32,
}

/// The position of a call, in a table of its own because linking does not read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct CallPlace {
    /// Number of the call's node in the file's syntax tree.
    pub node: u32,
    /// Number of named nodes around that node.
    pub depth: u32,
    /// The line it starts on, from 1.
    pub line: u32,
}

/// An argument.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct ArgumentFacts {
    pub name: u32,
    pub value: ValueId,
}

/// A value that a definition returns.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct ReturnFacts {
    pub definition: LocalId,
    pub value: ValueId,
}

/// Bit of [`ImportFacts::level`] for an import that other files share.
pub(super) const SHARED: u32 = 1 << 8;

/// An import. The text table contains its path followed by its name. `path` and `full_path` are the
/// symbols of the path and of the path with the name.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct ImportFacts {
    pub first_byte: u32,
    pub path_bytes: u32,
    pub name_bytes: u32,
    pub parts: u32,
    pub path: u32,
    pub full_path: u32,
    pub name: u32,
    pub variable: u32,
    pub level: u32,
}

/// Number of rows in each table, in storage order. Symbols come first because they take eight
/// bytes; text is last.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct TableLengths {
    pub symbols: u32,
    pub definitions: u32,
    pub parameters: u32,
    pub bases: u32,
    pub variables: u32,
    pub values: u32,
    pub alternatives: u32,
    pub bindings: u32,
    pub calls: u32,
    pub arguments: u32,
    pub returns: u32,
    pub imports: u32,
    pub places: u32,
    pub text: u32,
    /// Length in bytes of the declared package of the file's directory, at the start of the text.
    pub package: u32,
    pub operators: u32,
}

impl TableLengths {
    /// Returns the size of each table, in storage order: the number of rows, and the bytes of a row.
    /// The text is left out.
    pub fn tables(&self) -> [(usize, usize); 14] {
        fn table<T>(rows: u32) -> (usize, usize) {
            (rows as usize, size_of::<T>())
        }
        [
            table::<u64>(self.symbols),
            table::<DefinitionFacts>(self.definitions),
            table::<ParameterFacts>(self.parameters),
            table::<ValueId>(self.bases),
            table::<VariableFacts>(self.variables),
            table::<ValueFacts>(self.values),
            table::<ValueId>(self.alternatives),
            table::<BindingFacts>(self.bindings),
            table::<CallFacts>(self.calls),
            table::<ArgumentFacts>(self.arguments),
            table::<OperatorFacts>(self.operators),
            table::<ReturnFacts>(self.returns),
            table::<ImportFacts>(self.imports),
            table::<CallPlace>(self.places),
        ]
    }
}

/// Width of the tag in [`ValueFacts::what`]. The tags follow.
pub(super) const TAG_BITS: u32 = 4;
pub(super) const UNKNOWN: u32 = 0;
pub(super) const FOREIGN: u32 = 1;
pub(super) const VARIABLE: u32 = 2;
pub(super) const FREE: u32 = 3;
pub(super) const ACCESS: u32 = 4;
pub(super) const CALL: u32 = 5;
pub(super) const DEFINITION: u32 = 6;
pub(super) const ANY: u32 = 7;
pub(super) const INSTANCE: u32 = 8;
pub(super) const SUPER: u32 = 9;
pub(super) const SELF_TYPE: u32 = 10;
pub(super) const LITERAL: u32 = 11;
pub(super) const OPERATION: u32 = 12;
pub(super) const ELEMENT: u32 = 13;
