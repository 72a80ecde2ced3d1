//! Rows of the tables of [`super::file_facts`], as they lie on disk.

use crate::ids::{LocalId, ValueId, VariableId};
use bytemuck::{Pod, Zeroable};

/// Stands between the parts of a module path.
pub(super) const BETWEEN: char = '\u{1f}';
/// The number that stands for none.
pub(super) const NONE: u32 = u32::MAX;

/// A definition. A last row, of no definition, says where the lists of the one before it end.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct DefinitionFacts {
    pub name: u32,
    pub qualified_name: u32,
    pub parent: LocalId,
    pub receiver: u32,
    pub owner: u32,
    pub first_parameter: u32,
    pub first_base: u32,
    pub kind: u8,
    pub receiver_is_parameter: u8,
    pub receives_type: u8,
    pub spare: u8,
}

/// A parameter.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct ParameterFacts {
    pub variable: VariableId,
    pub name: u32,
}

/// A name in a scope.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct VariableFacts {
    pub scope: LocalId,
    pub name: u32,
}

/// A value: what it is, and two numbers that mean what that says. The upper 28 bits of `what` are the first of them.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct ValueFacts {
    pub what: u32,
    pub other: u32,
}

/// An assignment: to `object.name`, or to the variable `object` if the name is none.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct BindingFacts {
    pub object: u32,
    pub name: u32,
    pub value: ValueId,
}

/// A call. A last row, of no call, says where the arguments of the one before it end.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct CallFacts {
    pub scope: LocalId,
    pub callee: ValueId,
    pub first_argument: u32,
}

/// The place of a call: kept apart, because linking does not look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct CallPlace {
    /// Its syntax node, by the number in the file's tree.
    pub node: u32,
    /// How many named nodes are around that node.
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

/// An import. Its path, then its name are text; `path` and `whole` are the symbols of the path and of the path with the name.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct ImportFacts {
    pub first_byte: u32,
    pub path_bytes: u32,
    pub name_bytes: u32,
    pub parts: u32,
    pub path: u32,
    pub whole: u32,
    pub name: u32,
    pub variable: u32,
    pub level: u32,
}

/// How many rows each table has, in the order in which they lie; symbols are eight bytes and come first, text comes last.
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
    /// How many bytes of the text, at its start, are what the file declares its directory to be.
    pub package: u32,
    /// Keeps the tables at multiples of eight bytes.
    pub spare: u32,
}

/// How many bits of [`ValueFacts::what`] say which of these a value is.
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
