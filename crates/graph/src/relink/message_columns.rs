//! The numbers of messages, arranged by their role in a message: all rounds, all senders, all files
//! of pointers, and so on.
//!
//! - **Invariant:** a message writes and reads the same columns in the same order, which its tags
//!   determine. A column stores the difference from its last number.
//! - **Cost:** about 8 bytes for each message. Messages in a row are alike in most roles, so LZ4
//!   leaves 1.2 bytes of these; of messages that are written one after another, it leaves 5.

use super::stored_message::{DefinitionName, PointerName, StoredMessage};
use crate::names::PointerKind;
use crate::points_to::{AbstractObject, Message, MessageContent};
use whichfn_syntax::ids::{DirectoryId, FileId, LocalId};
use whichfn_syntax::packed::{pack, unpack};
use whichfn_syntax::varint;

// The first column of each part of a message.
const ROUND: usize = 0;
const SENDER: usize = 1;
const CONTENT: usize = 2;
const NAME: usize = 3;
const POINTER: usize = 4;
const OTHER_POINTER: usize = POINTER + POINTER_COLUMNS;
const OBJECT: usize = OTHER_POINTER + POINTER_COLUMNS;
const COLUMNS: usize = OBJECT + 3;

/// Columns of a pointer: tag, file, definition, symbol, and the numbers of each [`PointerKind`].
const POINTER_COLUMNS: usize = 4 + PointerKind::ALL.len();
/// Tag of a member that no declaration names; lower tags are kinds of pointers.
const UNDECLARED: u32 = PointerKind::ALL.len() as u32;

/// Messages in columns. Symbols are below 2^32, because they are indexes in a list.
#[derive(Debug, Default)]
pub(super) struct MessageColumns {
    columns: [Vec<u8>; COLUMNS],
    last: [u32; COLUMNS],
    count: u32,
}

impl MessageColumns {
    /// Appends a message. The receiver is not stored.
    pub fn push(&mut self, StoredMessage { round, message }: &StoredMessage) {
        self.count += 1;
        self.put(ROUND, *round);
        self.put(SENDER, message.sender.0);
        self.put_pointer(POINTER, message.pointer);
        match message.content {
            MessageContent::Object(object) => {
                self.put(CONTENT, 0);
                self.put_object(object);
            }
            MessageContent::Copy { to } => {
                self.put(CONTENT, 1);
                self.put_pointer(OTHER_POINTER, to);
            }
            MessageContent::Bind { to, receiver } => {
                self.put(CONTENT, 2);
                self.put_pointer(OTHER_POINTER, to);
                self.put_object(receiver);
            }
            MessageContent::Load { name, to } => {
                self.put(CONTENT, 3);
                self.put(NAME, name.symbol() as u32);
                self.put_pointer(OTHER_POINTER, to);
            }
            MessageContent::Store { name, from } => {
                self.put(CONTENT, 4);
                self.put(NAME, name.symbol() as u32);
                self.put_pointer(OTHER_POINTER, from);
            }
        }
    }

    fn put(&mut self, column: usize, number: u32) {
        let difference = number.wrapping_sub(self.last[column]) as i32;
        self.last[column] = number;
        // Small differences of either sign become small numbers.
        varint::write(&mut self.columns[column], (difference << 1 ^ difference >> 31) as u32);
    }

    fn put_pointer(&mut self, first: usize, pointer: PointerName) {
        match pointer {
            PointerName::Own { file, kind, number } => {
                self.put(first, kind as u32);
                self.put(first + 1, file.0);
                self.put(first + 4 + kind as usize, number);
            }
            PointerName::Undeclared { owner, name } => {
                self.put(first, UNDECLARED);
                self.put_definition(first + 1, owner);
                self.put(first + 3, name as u32);
            }
        }
    }

    fn put_definition(&mut self, first: usize, id: DefinitionName) {
        self.put(first, id.file.0);
        self.put(first + 1, id.local.0);
    }

    fn put_object(&mut self, object: AbstractObject<DefinitionName>) {
        let (tag, id) = match object {
            AbstractObject::Definition(id) => (0, Some(id)),
            AbstractObject::BoundMethod(id) => (1, Some(id)),
            AbstractObject::Instance(id) => (2, Some(id)),
            AbstractObject::Super(id) => (3, Some(id)),
            AbstractObject::Directory(_) => (4, None),
            AbstractObject::Foreign => (5, None),
            AbstractObject::Unknown => (6, None),
        };
        self.put(OBJECT, tag);
        id.into_iter().for_each(|id| self.put_definition(OBJECT + 1, id));
        if let AbstractObject::Directory(directory) = object {
            self.put(OBJECT + 2, directory.0);
        }
    }

    /// Returns the messages in stored form; empty if there are none.
    pub fn into_bytes(self) -> Vec<u8> {
        if self.count == 0 {
            return Vec::new();
        }
        let mut bytes = Vec::new();
        varint::write(&mut bytes, self.count);
        self.columns.iter().for_each(|column| varint::write(&mut bytes, column.len() as u32));
        self.columns.iter().for_each(|column| bytes.extend(column));
        pack(&bytes)
    }
}

/// Returns the messages to `receiver` that [`MessageColumns::into_bytes`] stored, in order. Returns
/// `None` if the bytes are invalid.
pub(super) fn read_messages(receiver: FileId, bytes: &[u8]) -> Option<Vec<StoredMessage>> {
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    let bytes = unpack(bytes)?;
    let mut rest = &bytes[..];
    let count = varint::read(&mut rest)?;
    let mut columns = [&[][..]; COLUMNS];
    let lengths = columns.iter().map(|_| varint::read(&mut rest)).collect::<Option<Vec<_>>>()?;
    for (column, length) in columns.iter_mut().zip(lengths) {
        (*column, rest) = rest.split_at_checked(length as usize)?;
    }
    let mut reader = ColumnReader { columns, last: [0; COLUMNS] };
    // Each message takes a byte of the first column, which bounds what a false count allocates.
    let mut messages = Vec::with_capacity((count as usize).min(reader.columns[ROUND].len()));
    for _ in 0..count {
        messages.push(reader.message(receiver)?);
    }
    Some(messages)
}

/// Reads messages from their columns. Each method returns `None` if the bytes are invalid.
struct ColumnReader<'a> {
    columns: [&'a [u8]; COLUMNS],
    last: [u32; COLUMNS],
}

impl ColumnReader<'_> {
    fn message(&mut self, receiver: FileId) -> Option<StoredMessage> {
        let (round, sender) = (self.number(ROUND)?, FileId(self.number(SENDER)?));
        let pointer = self.pointer(POINTER)?;
        let content = match self.number(CONTENT)? {
            0 => MessageContent::Object(self.object()?),
            1 => MessageContent::Copy { to: self.pointer(OTHER_POINTER)? },
            2 => MessageContent::Bind { to: self.pointer(OTHER_POINTER)?, receiver: self.object()? },
            3 => MessageContent::Load { name: self.symbol(NAME)?.into(), to: self.pointer(OTHER_POINTER)? },
            4 => MessageContent::Store { name: self.symbol(NAME)?.into(), from: self.pointer(OTHER_POINTER)? },
            _ => return None,
        };
        Some(StoredMessage { round, message: Message { receiver, sender, pointer, content } })
    }

    fn number(&mut self, column: usize) -> Option<u32> {
        let stored = varint::read(&mut self.columns[column])?;
        let difference = (stored >> 1) ^ (stored & 1).wrapping_neg();
        self.last[column] = self.last[column].wrapping_add(difference);
        Some(self.last[column])
    }

    fn symbol(&mut self, column: usize) -> Option<u64> {
        self.number(column).map(u64::from)
    }

    fn pointer(&mut self, first: usize) -> Option<PointerName> {
        let tag = self.number(first)?;
        if tag == UNDECLARED {
            return Some(PointerName::Undeclared { owner: self.definition(first + 1)?, name: self.symbol(first + 3)? });
        }
        let kind = *PointerKind::ALL.get(tag as usize)?;
        Some(PointerName::Own {
            file: FileId(self.number(first + 1)?),
            kind,
            number: self.number(first + 4 + kind as usize)?,
        })
    }

    fn definition(&mut self, first: usize) -> Option<DefinitionName> {
        Some(DefinitionName { file: FileId(self.number(first)?), local: LocalId(self.number(first + 1)?) })
    }

    fn object(&mut self) -> Option<AbstractObject<DefinitionName>> {
        Some(match self.number(OBJECT)? {
            0 => AbstractObject::Definition(self.definition(OBJECT + 1)?),
            1 => AbstractObject::BoundMethod(self.definition(OBJECT + 1)?),
            2 => AbstractObject::Instance(self.definition(OBJECT + 1)?),
            3 => AbstractObject::Super(self.definition(OBJECT + 1)?),
            4 => AbstractObject::Directory(DirectoryId(self.number(OBJECT + 2)?)),
            5 => AbstractObject::Foreign,
            6 => AbstractObject::Unknown,
            _ => return None,
        })
    }
}
