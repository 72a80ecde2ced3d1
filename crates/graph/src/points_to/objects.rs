//! Abstract objects that pointers may point to, and the constraints between pointers.

use std::num::NonZeroU32;
use whichfn_syntax::ids::{CallId, DefinitionId, DirectoryId, SlotId};
use whichfn_syntax::parse::Symbol;

/// Maximum number of known objects in a points-to set. A set that would need more also contains
/// [`AbstractObject::Unknown`].
pub(crate) const LARGEST_SET: usize = 12;

/// The same maximum for functions and types themselves: programs list dozens of them in a table. It does
/// not apply to parameters and to sets that contain [`AbstractObject::Unknown`].
pub(crate) const LARGEST_TABLE: usize = 128;

/// An object that a pointer may point to. `D` identifies a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AbstractObject<D = DefinitionId> {
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
    /// An object from outside this repository.
    Foreign,
    /// More objects than a set contains. The others in the set are an arbitrary part of these, so
    /// they say nothing about a call.
    Unknown,
}

/// The symbol of a member, split into two halves so that it needs only 4-byte alignment. There are
/// millions of values that contain one, and 8-byte alignment would pad each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MemberName([u32; 2]);

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

/// A rule that applies to each object that a pointer points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Constraint {
    /// `to = pointer`.
    Copy { to: SlotId },
    /// `to` is an element of the pointer, if that is a container.
    Element { to: SlotId },
    /// `to = receiver.member`, where the pointer is the member. Like `Copy`, but a method becomes
    /// bound to the receiver.
    Bind { to: SlotId, receiver: AbstractObject },
    /// `to = pointer.name`.
    Load { name: MemberName, to: SlotId },
    /// `pointer.name = from`.
    Store { name: MemberName, from: SlotId },
    /// `pointer(...)`: copies arguments to parameters, and returned values to the call's result.
    Call { call: CallId },
    /// `to` is an object of each type that the pointer points to.
    Instantiate { to: SlotId },
    /// Each object literal that the pointer points to implements a type.
    Implement { of_type: DefinitionId },
    /// `pointer.name(...)`, where `name` is a member of library containers: passes the elements on.
    Hold { call: CallId },
    /// `pointer.name(...)`, where `name` is the name of an extension function.
    Extend { call: CallId },
}

impl<D> AbstractObject<D> {
    /// Checks whether the object may be a function or a library's container of functions, as far as
    /// its kind tells.
    pub fn may_be_function(&self) -> bool {
        matches!(self, Self::Definition(_) | Self::BoundMethod(_) | Self::Foreign)
    }

    /// Returns the definition of the object; `None` for a directory and a foreign object.
    pub fn definition(self) -> Option<D> {
        match self {
            Self::Definition(id) | Self::BoundMethod(id) | Self::Instance(id) | Self::Super(id) => Some(id),
            Self::Directory(_) | Self::Foreign | Self::Unknown => None,
        }
    }
}

/// An object in the form in which points-to sets store it: its number times eight, plus a number
/// from 1 to 7 for its kind. This takes 4 bytes instead of 8, and an empty set needs no more.
///
/// The numbers of definitions and directories are below 2^29: the rows of so many definitions would
/// take 38 GB in an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedObject(NonZeroU32);

const KIND_BITS: u32 = 3;

impl From<AbstractObject> for PackedObject {
    #[inline]
    fn from(object: AbstractObject) -> Self {
        let (number, kind) = match object {
            AbstractObject::Definition(id) => (id.0, 1),
            AbstractObject::BoundMethod(id) => (id.0, 2),
            AbstractObject::Instance(id) => (id.0, 3),
            AbstractObject::Directory(id) => (id.0, 4),
            AbstractObject::Super(id) => (id.0, 5),
            AbstractObject::Foreign => (0, 6),
            AbstractObject::Unknown => (0, 7),
        };
        debug_assert!(number < 1 << (u32::BITS - KIND_BITS));
        // Kinds are above 0, so `MIN`, which is 1, is never used.
        Self(NonZeroU32::new(number << KIND_BITS | kind).unwrap_or(NonZeroU32::MIN))
    }
}

impl From<PackedObject> for AbstractObject {
    #[inline]
    fn from(packed: PackedObject) -> Self {
        let number = packed.0.get() >> KIND_BITS;
        match packed.0.get() & ((1 << KIND_BITS) - 1) {
            1 => Self::Definition(DefinitionId(number)),
            2 => Self::BoundMethod(DefinitionId(number)),
            3 => Self::Instance(DefinitionId(number)),
            4 => Self::Directory(DirectoryId(number)),
            5 => Self::Super(DefinitionId(number)),
            6 => Self::Foreign,
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_objects_take_four_bytes_and_unpack_to_the_same() {
        assert_eq!(size_of::<Option<PackedObject>>(), 4);
        for number in [0, 1, 7, 8, (1 << 29) - 1] {
            let (id, directory) = (DefinitionId(number), DirectoryId(number));
            for object in [
                AbstractObject::Definition(id),
                AbstractObject::BoundMethod(id),
                AbstractObject::Instance(id),
                AbstractObject::Directory(directory),
                AbstractObject::Super(id),
                AbstractObject::Foreign,
                AbstractObject::Unknown,
            ] {
                assert_eq!(AbstractObject::from(PackedObject::from(object)), object);
            }
        }
    }
}
