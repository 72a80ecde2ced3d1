//! Rows of the tables of the graph, as they lie on disk.

use crate::graph::{CallPlace, CallReason};
use crate::ids::{DefinitionId, FileId};
use crate::lang::DefinitionKind;
use bytemuck::{Pod, Zeroable};

/// A piece of the string section: first byte, length in bytes.
pub(super) type Str = [u32; 2];

/// A file.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct FileRow {
    pub(super) path: Str,
    /// Language number plus one; 0 for none.
    pub(super) language: u32,
    /// Its first definition: the file itself.
    pub first_definition: DefinitionId,
    /// Number of lines.
    pub lines: u32,
    /// Its first block of ten lines, counted over all files.
    pub first_block: u32,
    /// How many functions it has.
    pub functions: u32,
    /// How many named syntax nodes it has.
    pub nodes: u32,
}

/// Where a file of the whole lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Place {
    /// 1 if it is in the overlay, 0 if in the base.
    pub(super) in_overlay: u32,
    /// Its number there.
    pub(super) number: u32,
    /// Its first definition in the whole.
    pub(super) first_definition: DefinitionId,
    /// The same definition's number there.
    pub(super) definition_there: u32,
    /// Its first block in the whole.
    pub(super) first_block: u32,
}

/// A definition.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct DefinitionRow {
    /// Its file.
    pub file: FileId,
    /// The definition around it; itself for a file.
    pub parent: DefinitionId,
    pub(super) name: Str,
    pub(super) qualified_name: Str,
    pub(super) signature: Str,
    pub(super) doc: Str,
    /// First byte of its span, in the file's text from 0.
    pub start_byte: u32,
    /// Byte after its span.
    pub end_byte: u32,
    /// First line of its span, from 1.
    pub start_line: u32,
    /// Last line of its span, from 1.
    pub end_line: u32,
    /// The line of its name, from 1.
    pub line: u32,
    /// Its syntax node, in its file's syntax tree from 0, which is the root.
    pub node: u32,
    /// How many named nodes are around that node.
    pub depth: u32,
    pub(super) kind: u8,
    pub(super) is_test: u8,
    pub(super) parameters: u8,
    pub(super) spare: u8,
}

impl DefinitionRow {
    /// What it is: function, type, ...
    pub fn kind(&self) -> DefinitionKind {
        DefinitionKind::from_number(self.kind).unwrap_or(DefinitionKind::Text)
    }

    /// Whether it is a test.
    pub fn is_test(&self) -> bool {
        self.is_test != 0
    }

    /// How many parameters it has, the receiver not counted; 255 stands for more.
    pub fn parameters(&self) -> u8 {
        self.parameters
    }
}

/// What a ranking asks of every definition that it meets, in a byte.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub struct DefinitionTraits(u8);

impl DefinitionTraits {
    /// In a kind's number no bit is this.
    const TEST: u8 = 1 << 7;

    /// Those of a row.
    pub(super) fn of(row: &DefinitionRow) -> Self {
        Self(row.kind | if row.is_test() { Self::TEST } else { 0 })
    }

    /// What it is: function, type, ...
    pub fn kind(self) -> DefinitionKind {
        DefinitionKind::from_number(self.0 & !Self::TEST).unwrap_or(DefinitionKind::Text)
    }

    /// Whether it is a test.
    pub fn is_test(self) -> bool {
        self.0 & Self::TEST != 0
    }
}

/// A call, seen from its caller.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct CallRow {
    /// What is called.
    pub callee: DefinitionId,
    /// The call site's syntax node, in the syntax tree of the caller's file.
    pub site: u32,
    /// The line of the call site, from 1.
    pub line: u32,
    /// How many named syntax nodes are around the call site; 65,535 stands for more.
    pub(super) depth: u16,
    pub(super) reason: u16,
}

impl CallRow {
    /// Where the call stands.
    pub fn place(&self) -> CallPlace {
        CallPlace { node: self.site, depth: self.depth.into(), line: self.line }
    }

    /// Why the two are linked.
    pub fn reason(&self) -> CallReason {
        CallReason::from_number(self.reason as u8).unwrap_or(CallReason::Name)
    }
}
