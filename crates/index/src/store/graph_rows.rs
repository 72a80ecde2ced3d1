//! Rows of the tables of the graph, in their on-disk layout.

use bytemuck::{Pod, Zeroable};
use whichfn_graph::{CallPlace, CallReason};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;

/// A part of the string section: first byte, length in bytes.
pub(super) type Str = [u32; 2];

/// A file.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct FileRow {
    pub(super) path: Str,
    /// Language number plus one; 0 for none.
    pub(super) language: u32,
    /// The first definition of the file, which is the file itself.
    pub first_definition: DefinitionId,
    /// Number of lines.
    pub lines: u32,
    /// The first block of ten lines, counted over all files.
    pub first_block: u32,
    /// Number of functions.
    pub functions: u32,
    /// Number of named syntax nodes.
    pub nodes: u32,
}

/// The location of a file of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Place {
    /// 1 if the file is in the overlay, 0 if in the base.
    pub(super) in_overlay: u32,
    /// Number of the file in its piece.
    pub(super) number: u32,
    /// Its first definition in the whole.
    pub(super) first_definition: DefinitionId,
    /// Number of that definition in the piece.
    pub(super) definition_there: u32,
    /// Its first block in the whole.
    pub(super) first_block: u32,
}

/// A definition.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct DefinitionRow {
    /// The file of the definition.
    pub file: FileId,
    /// The enclosing definition; for a file, the file itself.
    pub parent: DefinitionId,
    pub(super) name: Str,
    pub(super) qualified_name: Str,
    pub(super) signature: Str,
    pub(super) doc: Str,
    /// Offset of the first byte of its span in the text of the file.
    pub start_byte: u32,
    /// Offset of the byte after its span.
    pub end_byte: u32,
    /// First line of its span, from 1.
    pub start_line: u32,
    /// Last line of its span, from 1.
    pub end_line: u32,
    /// The line of its name, from 1.
    pub line: u32,
    /// Number of its syntax node in the syntax tree of the file; 0 is the root.
    pub node: u32,
    /// Number of named ancestors of that node.
    pub depth: u32,
    pub(super) kind: u8,
    pub(super) is_test: u8,
    pub(super) parameters: u8,
    pub(super) spare: u8,
}

impl DefinitionRow {
    /// Returns the kind: function, type, and so on.
    pub fn kind(&self) -> DefinitionKind {
        DefinitionKind::from_number(self.kind).unwrap_or(DefinitionKind::Text)
    }

    /// Checks whether the definition is a test.
    pub fn is_test(&self) -> bool {
        self.is_test != 0
    }

    /// Returns the number of parameters, without the receiver; 255 means that many or more.
    pub fn parameters(&self) -> u8 {
        self.parameters
    }
}

/// The traits of a definition that a ranking checks for every definition it meets, packed into one
/// byte.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub struct DefinitionTraits(u8);

impl DefinitionTraits {
    /// Bit that marks a test. No kind number uses this bit.
    const TEST: u8 = 1 << 7;

    /// Packs the traits of a row.
    pub(super) fn of(row: &DefinitionRow) -> Self {
        Self(row.kind | if row.is_test() { Self::TEST } else { 0 })
    }

    /// Returns the kind: function, type, and so on.
    pub fn kind(self) -> DefinitionKind {
        DefinitionKind::from_number(self.0 & !Self::TEST).unwrap_or(DefinitionKind::Text)
    }

    /// Checks whether the definition is a test.
    pub fn is_test(self) -> bool {
        self.0 & Self::TEST != 0
    }
}

/// A call, as a row of its caller.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct CallRow {
    /// The called definition.
    pub callee: DefinitionId,
    /// Number of the call site's syntax node in the syntax tree of the caller's file.
    pub site: u32,
    /// The line of the call site, from 1.
    pub line: u32,
    /// Number of named ancestors of the call site's syntax node; 65,535 means that many or more.
    pub(super) depth: u16,
    pub(super) reason: u16,
}

impl CallRow {
    /// Returns the location of the call.
    pub fn place(&self) -> CallPlace {
        CallPlace { node: self.site, depth: self.depth.into(), line: self.line }
    }

    /// Returns the reason why caller and callee are linked.
    pub fn reason(&self) -> CallReason {
        CallReason::from_number(self.reason as u8).unwrap_or(CallReason::Name)
    }
}
