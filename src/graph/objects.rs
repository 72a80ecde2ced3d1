//! What pointers point to, and what follows from that for others.

use crate::ids::{CallId, DefinitionId, DirectoryId, SlotId};
use crate::parse::Symbol;

/// How many objects a points-to set may hold. A call that may reach more says little about any of them.
pub(super) const LARGEST_SET: usize = 12;

/// Something that a pointer may point to; `D` names a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AbstractObject<D = DefinitionId> {
    /// A function, type or file itself.
    Definition(D),
    /// A method taken from an object: a call passes that object as its receiver.
    BoundMethod(D),
    /// An object of a type.
    Instance(D),
    /// A directory: a package or namespace.
    Directory(DirectoryId),
    /// An object of a type, seen as its bases (`super`).
    Super(D),
    /// Something that is not of this repository.
    Foreign,
}

/// The symbol of a member in two halves: what holds it, and there are millions, needs no room to begin at a multiple of eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MemberName([u32; 2]);

impl From<Symbol> for MemberName {
    fn from(symbol: Symbol) -> Self {
        Self([symbol as u32, (symbol >> u32::BITS) as u32])
    }
}

impl MemberName {
    pub fn symbol(self) -> Symbol {
        Symbol::from(self.0[0]) | Symbol::from(self.0[1]) << u32::BITS
    }
}

/// What follows for other pointers from each object that a pointer points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Constraint {
    /// `to = pointer`.
    Copy { to: SlotId },
    /// `to = receiver.member`, where the pointer is the member: as `Copy`, but a method becomes bound to the receiver.
    Bind { to: SlotId, receiver: AbstractObject },
    /// `to = pointer.name`.
    Load { name: MemberName, to: SlotId },
    /// `pointer.name = from`.
    Store { name: MemberName, from: SlotId },
    /// `pointer(...)`: arguments to parameters, and what is returned to the call's result.
    Call { call: CallId },
}

impl<D> AbstractObject<D> {
    /// The definition that it is of.
    pub fn definition(self) -> Option<D> {
        match self {
            Self::Definition(id) | Self::BoundMethod(id) | Self::Instance(id) | Self::Super(id) => Some(id),
            Self::Directory(_) | Self::Foreign => None,
        }
    }

    /// The same object with its definition named otherwise, if that has such a name.
    pub fn renamed<E>(self, rename: impl FnOnce(D) -> Option<E>) -> Option<AbstractObject<E>> {
        Some(match self {
            Self::Definition(id) => AbstractObject::Definition(rename(id)?),
            Self::BoundMethod(id) => AbstractObject::BoundMethod(rename(id)?),
            Self::Instance(id) => AbstractObject::Instance(rename(id)?),
            Self::Super(id) => AbstractObject::Super(rename(id)?),
            Self::Directory(directory) => AbstractObject::Directory(directory),
            Self::Foreign => AbstractObject::Foreign,
        })
    }
}
