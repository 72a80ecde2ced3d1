//! The rows of the graph's tables, in their on-disk format.

use bytemuck::{Pod, Zeroable};
use whichfn_graph::{CallPlace, CallReason};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;

/// A range of the string section: the offset of the first byte, and the length in bytes.
pub(super) type Str = [u32; 2];

/// A file in the graph.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct FileRow {
    pub(super) path: Str,
    /// Number of the file's language plus one, or 0 for plain text.
    pub(super) language: u32,
    /// First definition of the file, which represents the file itself.
    pub first_definition: DefinitionId,
    /// Number of lines in the file.
    pub lines: u32,
    /// Number of the file's first ten-line block. Blocks are numbered across all files.
    pub first_block: u32,
    /// Number of functions in the file.
    pub functions: u32,
    /// Number of named syntax nodes in the file.
    pub nodes: u32,
}

/// The position of one of the whole graph's files in its piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Place {
    /// 1 if the file is in the overlay, 0 if it is in the base.
    pub(super) in_overlay: u32,
    /// Number of the file in its piece.
    pub(super) number: u32,
    /// First definition of the file, numbered in the whole graph.
    pub(super) first_definition: DefinitionId,
    /// Number of the same definition in the piece.
    pub(super) definition_there: u32,
    /// First block of the file, numbered in the whole graph.
    pub(super) first_block: u32,
}

/// A definition in the graph.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct DefinitionRow {
    /// File that contains the definition.
    pub file: FileId,
    /// Enclosing definition. For the definition of a file, this is the definition itself.
    pub parent: DefinitionId,
    pub(super) name: Str,
    pub(super) qualified_name: Str,
    pub(super) signature: Str,
    pub(super) doc: Str,
    /// Offset of the first byte of the definition in the file's text.
    pub start_byte: u32,
    /// Offset after the last byte of the definition.
    pub end_byte: u32,
    /// First line of the definition. Line numbers start at 1.
    pub start_line: u32,
    /// Last line of the definition.
    pub end_line: u32,
    /// Line of the definition's name.
    pub line: u32,
    /// Number of the definition's node in the file's syntax tree; 0 is the root.
    pub node: u32,
    /// Number of named syntax nodes that enclose that node.
    pub depth: u32,
    pub(super) kind: u8,
    pub(super) is_test: u8,
    pub(super) parameters: u8,
    pub(super) spare: u8,
}

impl DefinitionRow {
    /// Returns the definition's kind, such as function or type.
    pub fn kind(&self) -> DefinitionKind {
        DefinitionKind::from_number(self.kind).unwrap_or(DefinitionKind::Text)
    }

    /// Checks whether the definition is a test.
    pub fn is_test(&self) -> bool {
        self.is_test != 0
    }

    /// Returns the number of parameters without the receiver. The value 255 means that many or
    /// more.
    pub fn parameters(&self) -> u8 {
        self.parameters
    }
}

/// The properties of a definition that a ranking checks for each candidate, packed into one byte.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub struct DefinitionTraits(u8);

impl DefinitionTraits {
    /// Bit that is set for a test. No kind number uses this bit.
    const TEST: u8 = 1 << 7;

    /// Packs the properties of a definition's row.
    pub(super) fn of(row: &DefinitionRow) -> Self {
        Self(row.kind | if row.is_test() { Self::TEST } else { 0 })
    }

    /// Returns the definition's kind, such as function or type.
    pub fn kind(self) -> DefinitionKind {
        DefinitionKind::from_number(self.0 & !Self::TEST).unwrap_or(DefinitionKind::Text)
    }

    /// Checks whether the definition is a test.
    pub fn is_test(self) -> bool {
        self.0 & Self::TEST != 0
    }
}

/// A call, stored with its caller.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct CallRow {
    /// Definition that is called.
    pub callee: DefinitionId,
    /// Number of the call site's node in the syntax tree of the caller's file.
    pub site: u32,
    /// Line of the call site. Line numbers start at 1.
    pub line: u32,
    /// Number of named syntax nodes that enclose the call site's node. The value 65,535 means that
    /// many or more.
    pub(super) depth: u16,
    pub(super) reason: u16,
}

impl CallRow {
    /// Returns the position of the call in the caller's file.
    pub fn place(&self) -> CallPlace {
        CallPlace { node: self.site, depth: self.depth.into(), line: self.line }
    }

    /// Returns the same call with another callee.
    pub fn redirected(self, callee: DefinitionId, reason: CallReason) -> Self {
        Self { callee, reason: reason as u16, ..self }
    }

    /// Returns the reason why the caller and the callee were linked.
    pub fn reason(&self) -> CallReason {
        CallReason::from_number(self.reason as u8).unwrap_or(CallReason::Name)
    }
}
