//! The form in which messages are stored. Pointers and definitions have numbers within their file,
//! which an edit of another file does not shift.

use crate::names::{Names, PointerKind};
use crate::points_to::{AbstractObject, ArrivingMessage, Message, MessageContent};
use whichfn_syntax::ids::{DefinitionId, DirectoryId, FileId, LocalId, PointerId};
use whichfn_syntax::parse::Symbol;

/// A definition, identified by its file and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DefinitionName {
    pub file: FileId,
    pub local: LocalId,
}

/// A pointer, identified by its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PointerName {
    /// A pointer of the file itself, by its number among the pointers of that kind.
    Own { file: FileId, kind: PointerKind, number: u32 },
    /// A member that no declaration names.
    Undeclared { owner: DefinitionName, name: Symbol },
}

/// A message as it is stored, with the round in which it arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StoredMessage {
    pub round: u32,
    pub message: Message<PointerName, DefinitionName>,
}

/// Translates the parts of a message from one numbering to another. A method returns `None` if the
/// target numbering has no such item.
pub(crate) trait Renaming<P, D, Q, E> {
    fn pointer(&mut self, pointer: P) -> Option<Q>;
    fn definition(&mut self, id: D) -> Option<E>;
    fn file(&mut self, file: FileId) -> Option<FileId> {
        Some(file)
    }
    fn directory(&mut self, directory: DirectoryId) -> Option<DirectoryId> {
        Some(directory)
    }
    fn symbol(&mut self, symbol: Symbol) -> Option<Symbol> {
        Some(symbol)
    }
}

impl<P, D> Message<P, D> {
    /// Translates all parts of the message. Returns `None` if one of them has no counterpart.
    pub fn renamed<Q, E>(self, names: &mut impl Renaming<P, D, Q, E>) -> Option<Message<Q, E>> {
        let content = match self.content {
            MessageContent::Object(object) => MessageContent::Object(object.renamed(names)?),
            MessageContent::Copy { to } => MessageContent::Copy { to: names.pointer(to)? },
            MessageContent::Bind { to, receiver } => {
                MessageContent::Bind { to: names.pointer(to)?, receiver: receiver.renamed(names)? }
            }
            MessageContent::Load { name, to } => {
                MessageContent::Load { name: names.symbol(name.symbol())?.into(), to: names.pointer(to)? }
            }
            MessageContent::Store { name, from } => {
                MessageContent::Store { name: names.symbol(name.symbol())?.into(), from: names.pointer(from)? }
            }
        };
        let (receiver, sender) = (names.file(self.receiver)?, names.file(self.sender)?);
        Some(Message { receiver, sender, pointer: names.pointer(self.pointer)?, content })
    }
}

/// Translates repository-wide numbers to numbers within a file.
pub(crate) struct FileNumbers<'n, 'a> {
    names: &'n Names<'a>,
    /// The receiver and the sender, which own most of the pointers in the message. Other files need
    /// a search.
    recent: [FileId; 2],
}

impl Renaming<PointerId, DefinitionId, PointerName, DefinitionName> for FileNumbers<'_, '_> {
    fn pointer(&mut self, pointer: PointerId) -> Option<PointerName> {
        if let Some((owner, name)) = self.names.undeclared.get(pointer) {
            return Some(PointerName::Undeclared { owner: self.definition(owner)?, name });
        }
        let recent = self.recent.into_iter().find(|&file| self.names.offsets(file).has(pointer));
        let file = recent.unwrap_or_else(|| self.names.file_of_pointer(pointer));
        let (kind, number) = self.names.offsets(file).kind_of(pointer);
        Some(PointerName::Own { file, kind, number })
    }

    fn definition(&mut self, id: DefinitionId) -> Option<DefinitionName> {
        let (file, local) = self.names.local(id);
        Some(DefinitionName { file, local })
    }
}

impl<P> Message<P, DefinitionName> {
    /// Checks whether the message carries an object of a definition for which `owner` returns true.
    pub fn is_about(&self, is_match: &impl Fn(FileId, LocalId) -> bool) -> bool {
        let object = match self.content {
            MessageContent::Object(object) | MessageContent::Bind { receiver: object, .. } => object,
            _ => return false,
        };
        object.definition().is_some_and(|id| is_match(id.file, id.local))
    }
}

impl StoredMessage {
    /// Converts an arriving message to its stored form.
    pub fn new(names: &Names<'_>, (round, message): &ArrivingMessage) -> Option<Self> {
        Some(Self {
            round: *round,
            message: message.renamed(&mut FileNumbers { names, recent: [message.receiver, message.sender] })?,
        })
    }
}

/// Translates numbers within a file to repository-wide numbers.
pub(crate) struct RepositoryNumbers<'n, 'a>(pub &'n mut Names<'a>);

impl Renaming<PointerName, DefinitionName, PointerId, DefinitionId> for RepositoryNumbers<'_, '_> {
    fn pointer(&mut self, pointer: PointerName) -> Option<PointerId> {
        match pointer {
            PointerName::Own { file, kind, number } => self.0.offsets(file).pointer(kind, number),
            PointerName::Undeclared { owner, name } => {
                let owner = self.definition(owner)?;
                Some(self.0.undeclared.member(owner, name))
            }
        }
    }

    fn definition(&mut self, id: DefinitionName) -> Option<DefinitionId> {
        let is_there = id.local.index() < self.0.facts(id.file).definition_count();
        is_there.then(|| self.0.offsets(id.file).definition(id.local))
    }

    fn directory(&mut self, directory: DirectoryId) -> Option<DirectoryId> {
        // Another program may have written the message.
        (directory.index() < self.0.paths.directories().len()).then_some(directory)
    }
}

impl<D> AbstractObject<D> {
    /// Translates the definition or directory of the object. Returns `None` if it has no
    /// counterpart.
    fn renamed<P, Q, E>(self, names: &mut impl Renaming<P, D, Q, E>) -> Option<AbstractObject<E>> {
        Some(match self {
            Self::Definition(id) => AbstractObject::Definition(names.definition(id)?),
            Self::BoundMethod(id) => AbstractObject::BoundMethod(names.definition(id)?),
            Self::Instance(id) => AbstractObject::Instance(names.definition(id)?),
            Self::Super(id) => AbstractObject::Super(names.definition(id)?),
            Self::Directory(directory) => AbstractObject::Directory(names.directory(directory)?),
            Self::Foreign => AbstractObject::Foreign,
            Self::Unknown => AbstractObject::Unknown,
        })
    }
}
