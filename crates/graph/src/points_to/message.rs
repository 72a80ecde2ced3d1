//! Messages that files exchange while calls are solved: an object for a pointer of the receiver, or
//! a constraint on one.

use super::objects::{AbstractObject, MemberName};
use whichfn_syntax::ids::{DefinitionId, FileId, PointerId};

/// A message to a file about one of its pointers. `P` identifies a pointer and `D` a definition;
/// while solving, both have repository-wide numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Message<P = PointerId, D = DefinitionId> {
    pub receiver: FileId,
    pub sender: FileId,
    pub pointer: P,
    pub content: MessageContent<P, D>,
}

/// The content of a message: an object to add to the pointer, or one of the constraints of
/// [`super::objects::Constraint`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MessageContent<P = PointerId, D = DefinitionId> {
    Object(AbstractObject<D>),
    Copy { to: P },
    Bind { to: P, receiver: AbstractObject<D> },
    Load { name: MemberName, to: P },
    Store { name: MemberName, from: P },
}

/// A message, after the number of the round in which it arrives.
pub(crate) type ArrivingMessage = (u32, Message);
