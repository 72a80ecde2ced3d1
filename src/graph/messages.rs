//! What one file tells another while calls are solved: an object for one of its pointers, or a constraint on one.
//!
//! While solving, pointers and definitions have the numbers of the whole repository. Kept, a message has those of each file
//! ([`PointerName`], [`DefinitionName`]), which no edit of another file shifts.

use super::names::Names;
use super::objects::{AbstractObject, MemberName};
use super::offsets::PointerKind;
use crate::ids::{DefinitionId, FileId, LocalId, PointerId};
use crate::parse::Symbol;

/// A message to a file about one of its pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Message<P = PointerId, D = DefinitionId> {
    pub receiver: FileId,
    pub sender: FileId,
    pub pointer: P,
    pub told: Told<P, D>,
}

/// What is said of the pointer: see [`super::objects::Constraint`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told<P = PointerId, D = DefinitionId> {
    Object(AbstractObject<D>),
    Copy { to: P },
    Bind { to: P, receiver: AbstractObject<D> },
    Load { name: MemberName, to: P },
    Store { name: MemberName, from: P },
}

/// A definition by its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DefinitionName {
    pub file: FileId,
    pub local: LocalId,
}

/// A pointer by its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PointerName {
    /// One of the file's own, by its number among those of its kind.
    Own { file: FileId, kind: PointerKind, number: u32 },
    /// A member that no declaration names.
    Made { of: DefinitionName, name: Symbol },
}

/// A message as it is kept, and the round in which it arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeptMessage {
    pub round: u32,
    pub message: Message<PointerName, DefinitionName>,
}

/// Names pointers and definitions otherwise.
pub(super) trait Renaming<P, D, Q, E> {
    fn pointer(&mut self, pointer: P) -> Option<Q>;
    fn definition(&mut self, id: D) -> Option<E>;
}

impl<P, D> Message<P, D> {
    /// The same message with all names otherwise; none if something in it has no such name.
    pub fn renamed<Q, E>(self, names: &mut impl Renaming<P, D, Q, E>) -> Option<Message<Q, E>> {
        let told = match self.told {
            Told::Object(object) => Told::Object(object.renamed(|id| names.definition(id))?),
            Told::Copy { to } => Told::Copy { to: names.pointer(to)? },
            Told::Bind { to, receiver } => {
                Told::Bind { to: names.pointer(to)?, receiver: receiver.renamed(|id| names.definition(id))? }
            }
            Told::Load { name, to } => Told::Load { name, to: names.pointer(to)? },
            Told::Store { name, from } => Told::Store { name, from: names.pointer(from)? },
        };
        let pointer = names.pointer(self.pointer)?;
        Some(Message { receiver: self.receiver, sender: self.sender, pointer, told })
    }
}

/// From numbers of the whole repository to those of each file.
pub(super) struct ByFile<'n, 'a> {
    names: &'n Names<'a>,
    /// Whose pointers it mostly is about: others are searched for.
    near: [FileId; 2],
}

impl Renaming<PointerId, DefinitionId, PointerName, DefinitionName> for ByFile<'_, '_> {
    fn pointer(&mut self, pointer: PointerId) -> Option<PointerName> {
        if let Some((of, name)) = self.names.made.get(pointer) {
            return Some(PointerName::Made { of: self.definition(of)?, name });
        }
        let near = self.near.into_iter().find(|&file| self.names.offsets(file).has(pointer));
        let file = near.unwrap_or_else(|| self.names.file_of_pointer(pointer));
        let (kind, number) = self.names.offsets(file).kind_of(pointer);
        Some(PointerName::Own { file, kind, number })
    }

    fn definition(&mut self, id: DefinitionId) -> Option<DefinitionName> {
        let (file, local) = self.names.local(id);
        Some(DefinitionName { file, local })
    }
}

impl<P> Message<P, DefinitionName> {
    /// Whether one of these definitions is an object that it tells of.
    pub fn object_is(&self, of: &impl Fn(FileId, LocalId) -> bool) -> bool {
        let object = match self.told {
            Told::Object(object) | Told::Bind { receiver: object, .. } => object,
            _ => return false,
        };
        object.definition().is_some_and(|id| of(id.file, id.local))
    }
}

impl KeptMessage {
    /// A message that arrives.
    pub fn new(names: &Names<'_>, (round, message): &(u32, Message)) -> Option<Self> {
        Some(Self {
            round: *round,
            message: message.renamed(&mut ByFile { names, near: [message.receiver, message.sender] })?,
        })
    }
}

/// From numbers of each file to those of the whole repository.
pub(super) struct Whole<'n, 'a>(pub &'n mut Names<'a>);

impl Renaming<PointerName, DefinitionName, PointerId, DefinitionId> for Whole<'_, '_> {
    fn pointer(&mut self, pointer: PointerName) -> Option<PointerId> {
        match pointer {
            PointerName::Own { file, kind, number } => self.0.offsets(file).pointer(kind, number),
            PointerName::Made { of, name } => {
                let of = self.definition(of)?;
                Some(self.0.made.member(of, name))
            }
        }
    }

    fn definition(&mut self, id: DefinitionName) -> Option<DefinitionId> {
        let is_there = id.local.index() < self.0.facts(id.file).definition_count();
        is_there.then(|| self.0.offsets(id.file).definition(id.local))
    }
}
