//! The edges of the structure graph and the only table of their weights.
//!
//! - **Implements:** FragRel, appendix B.2 (syntax 0.5, directory 0.3). The edge from a file to its
//!   syntax root costs nothing. A call counts 0.8, because caller and callee deal with the same
//!   topic more often than two neighbours in a tree.

use whichfn_syntax::ids::NodeId;

/// An edge of a structure graph: one edge of the whole graph, or a chain of edges merged into one.
pub trait Edge: Copy + PartialEq {
    /// Returns the weight, in (0, 1]: the product of the merged weights.
    fn weight(self) -> f64;

    /// Returns the edge as seen from its other end.
    fn reversed(self) -> Self {
        self
    }

    /// Checks whether the edge leads from the first of two nodes to the second. An edge without a
    /// direction leads from the smaller number to the larger.
    fn leads(self, from: NodeId, to: NodeId) -> bool {
        from < to
    }
}

impl Edge for EdgeKind {
    fn weight(self) -> f64 {
        Self::weight(self)
    }
}

/// A chain of edges merged into one: at most one edge of another kind, and syntax edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergedEdge {
    /// Kind of the other edge; `Syntax` if there is none.
    pub kind: EdgeKind,
    /// Number of syntax edges.
    pub steps: u16,
}

impl Edge for MergedEdge {
    #[inline]
    fn weight(self) -> f64 {
        let other = if self.kind == EdgeKind::Syntax { 1.0 } else { self.kind.weight() };
        // A syntax edge halves the weight, which only changes the exponent of the float.
        let exponent = 1023 - u64::from(self.steps.min(1022));
        other * f64::from_bits(exponent << 52)
    }
}

/// A kind of edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum EdgeKind {
    /// Connects a syntax node and its direct child.
    Syntax,
    /// Connects a directory and a directory or file directly in it.
    Directory,
    /// Connects a file and the root of its syntax tree.
    Root,
    /// Connects a call site and the definition that it calls.
    Call,
}

impl EdgeKind {
    /// Returns the weight of an edge, in (0, 1].
    pub fn weight(self) -> f64 {
        match self {
            Self::Syntax => 0.5,
            Self::Directory => 0.3,
            Self::Root => 1.0,
            Self::Call => 0.8,
        }
    }

    /// Returns an edge of this kind, merged with a number of syntax edges.
    pub fn with_steps(self, steps: u32) -> MergedEdge {
        MergedEdge { kind: self, steps: steps.min(u32::from(u16::MAX)) as u16 }
    }

    /// Returns the name that is printed in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Directory => "directory",
            Self::Root => "root",
            Self::Call => "call",
        }
    }
}

/// The reason why a call site is linked to a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CallReason {
    /// The name is bound in the same file.
    Scope,
    /// The definition is a member of the object itself or of its type.
    Receiver,
    /// The definition is a member of a base type.
    Base,
    /// The name was imported.
    Import,
    /// The object is known to have the type that declares the member.
    Type,
    /// The function was passed, stored or returned before it was called.
    Flow,
    /// The name is visible without an import: in the same directory, or in the whole repository.
    Visible,
    /// An operator or a statement calls it without its name, on an object that is known to have the
    /// type that declares it.
    Operator,
    /// Reading a member calls the definition: a getter, on an object that is known to have the type
    /// that declares it.
    Property,
    /// The function is passed to code outside the repository, which may call it.
    Passed,
    /// Only one definition, or only a few in the vicinity, have the name.
    Name,
    /// The definition overrides or implements the method that is called, and runs if the object has
    /// its type.
    Dispatch,
}

impl CallReason {
    /// Every reason, sorted by discriminant.
    pub const ALL: [Self; 12] = [
        Self::Scope,
        Self::Receiver,
        Self::Base,
        Self::Import,
        Self::Type,
        Self::Flow,
        Self::Visible,
        Self::Operator,
        Self::Property,
        Self::Passed,
        Self::Name,
        Self::Dispatch,
    ];

    /// Returns the reason with a stored number; `None` if the number is out of range.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// Checks whether a call that was linked for this reason may run an override of its callee. An
    /// operator that is written for one type seldom runs those of other types, of which there are many.
    pub fn may_dispatch(self) -> bool {
        !matches!(self, Self::Dispatch | Self::Name | Self::Operator)
    }

    /// Checks whether the language or a library makes the call, so that the line does not have the
    /// form of a call.
    pub fn is_implied(self) -> bool {
        matches!(self, Self::Operator | Self::Property | Self::Passed)
    }

    /// Returns a description in one to three words, for people.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Scope => "in scope",
            Self::Receiver => "own member",
            Self::Base => "base type",
            Self::Import => "imported",
            Self::Type => "known type",
            Self::Flow => "passed on",
            Self::Visible => "visible",
            Self::Operator => "operator",
            Self::Property => "property",
            Self::Passed => "passed to a library",
            Self::Name => "by name only",
            Self::Dispatch => "may dispatch to",
        }
    }

    /// Returns the name that is printed in text and JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Receiver => "receiver",
            Self::Base => "base",
            Self::Import => "import",
            Self::Type => "type",
            Self::Flow => "flow",
            Self::Visible => "visible",
            Self::Operator => "operator",
            Self::Property => "property",
            Self::Passed => "passed",
            Self::Name => "name",
            Self::Dispatch => "dispatch",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merged_edge_weighs_the_product() {
        assert_eq!(EdgeKind::Syntax.with_steps(3).weight(), 0.125);
        assert_eq!(EdgeKind::Call.with_steps(2).weight(), 0.8 * 0.25);
        for kind in [EdgeKind::Directory, EdgeKind::Root, EdgeKind::Call] {
            assert_eq!(kind.with_steps(0).weight(), kind.weight());
        }
        assert!(EdgeKind::Root.with_steps(u32::MAX).weight() > 0.0);
    }
}
