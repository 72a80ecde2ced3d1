//! The edges of the structure graph and their weights: the only table of weights.
//!
//! Source: FragRel, appendix B.2 (syntax 0.5, directory 0.3); the edge from a file to its syntax root costs nothing;
//! a call counts 0.8, because caller and callee are about the same thing more often than two neighbours in a tree.

/// A kind of edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum EdgeKind {
    /// A syntax node and a node right inside it.
    Syntax,
    /// A directory and a directory or file right inside it.
    Directory,
    /// A file and the root of its syntax tree.
    Root,
    /// A call site and the definition that it calls.
    Call,
}

impl EdgeKind {
    /// The weight of an edge, in (0, 1].
    pub fn weight(self) -> f64 {
        match self {
            Self::Syntax => 0.5,
            Self::Directory => 0.3,
            Self::Root => 1.0,
            Self::Call => 0.8,
        }
    }

    /// The word that JSON prints.
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Directory => "directory",
            Self::Root => "root",
            Self::Call => "call",
        }
    }
}

/// Why a call site is linked to a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CallReason {
    /// The name is bound in the same file.
    Scope,
    /// It is a member of the object itself or its type.
    Receiver,
    /// It is a member of a base type.
    Base,
    /// The name was imported.
    Import,
    /// The object is known to be of the type that has the member.
    Type,
    /// The function was passed, stored or returned before it was called.
    Flow,
    /// The name is seen without an import: same directory, or the whole repository.
    Visible,
    /// Only one definition, or only a few near by, have the name.
    Name,
}

impl CallReason {
    /// Every reason, in the order of its number.
    pub const ALL: [Self; 8] =
        [Self::Scope, Self::Receiver, Self::Base, Self::Import, Self::Type, Self::Flow, Self::Visible, Self::Name];

    /// The reason of a stored number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// What it says, in a few words for people.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Scope => "in scope",
            Self::Receiver => "own member",
            Self::Base => "base type",
            Self::Import => "imported",
            Self::Type => "known type",
            Self::Flow => "passed on",
            Self::Visible => "visible",
            Self::Name => "by name only",
        }
    }

    /// The word that people and JSON read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Receiver => "receiver",
            Self::Base => "base",
            Self::Import => "import",
            Self::Type => "type",
            Self::Flow => "flow",
            Self::Visible => "visible",
            Self::Name => "name",
        }
    }
}
