//! Storage format of the messages that a file received while calls were solved.
//!
//! ```text
//! number of files, each file
//! number of symbols, each symbol (8 bytes)
//! for each message: tag, pointer, the rest
//! ```
//!
//! A message refers to files and symbols by their index in these two lists, so a reader can check
//! whether a file or a name occurs without decoding the messages. Numbers are packed
//! ([`whichfn_syntax::varint`]); a message takes about ten bytes. Messages are sorted by round,
//! sender and order of sending. A round and sender are written once, before the first message that
//! has them.

use super::stored_message::{DefinitionName, PointerName, StoredMessage};
use crate::indexed_list::IndexedList;
use crate::names::{Names, PointerKind};
use crate::points_to::{AbstractObject, ArrivingMessage, Message, MessageContent};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use whichfn_syntax::ids::{DirectoryId, FileId, LocalId};
use whichfn_syntax::parse::Symbol;
use whichfn_syntax::varint;

/// Tags of messages. [`FROM`] does not start a message: it sets the round and the sender of the
/// messages after it.
const OBJECT: u32 = 0;
const COPY: u32 = 1;
const BIND: u32 = 2;
const LOAD: u32 = 3;
const STORE: u32 = 4;
const FROM: u32 = 5;

/// Tag of an undeclared member, in the position of a [`PointerKind`].
const UNDECLARED: u32 = PointerKind::ALL.len() as u32;

/// Codes that are written instead of a file's index in the list. An index is written plus
/// [`FIRST_LISTED`].
const SENDER: u32 = 0;
const RECEIVER: u32 = 1;
const FIRST_LISTED: u32 = 2;

/// Encodes the messages of one receiver.
pub(crate) struct MailboxWriter {
    receiver: FileId,
    files: IndexedList<FileId>,
    symbols: IndexedList<Symbol>,
    messages: Vec<u8>,
    last: Option<(u32, FileId)>,
}

impl MailboxWriter {
    pub fn new(receiver: FileId) -> Self {
        Self {
            receiver,
            files: IndexedList::default(),
            symbols: IndexedList::default(),
            messages: Vec::new(),
            last: None,
        }
    }

    /// Appends a message. Messages must arrive sorted by round and sender.
    pub fn add(&mut self, stored: &StoredMessage) {
        let StoredMessage { round, message } = stored;
        if self.last != Some((*round, message.sender)) {
            self.last = Some((*round, message.sender));
            self.write(FROM);
            self.write(*round);
            let sender = self.files.number(message.sender).0;
            self.write(sender);
        }
        let file_of_content = match message.content {
            MessageContent::Object(_) => OBJECT,
            MessageContent::Copy { .. } => COPY,
            MessageContent::Bind { .. } => BIND,
            MessageContent::Load { .. } => LOAD,
            MessageContent::Store { .. } => STORE,
        };
        self.write(file_of_content);
        self.pointer(message.pointer);
        match message.content {
            MessageContent::Object(object) => self.object(object),
            MessageContent::Copy { to } => self.pointer(to),
            MessageContent::Bind { to, receiver } => {
                self.pointer(to);
                self.object(receiver);
            }
            MessageContent::Load { name, to: other } | MessageContent::Store { name, from: other } => {
                self.symbol(name.symbol());
                self.pointer(other);
            }
        }
    }

    fn write(&mut self, number: u32) {
        varint::write(&mut self.messages, number);
    }

    /// Writes a file. The receiver and the current sender have short codes, because they occur
    /// often.
    fn file(&mut self, file: FileId) {
        let number = match self.last {
            Some((_, sender)) if sender == file => SENDER,
            _ if self.receiver == file => RECEIVER,
            _ => FIRST_LISTED + self.files.number(file).0,
        };
        self.write(number);
    }

    fn symbol(&mut self, symbol: Symbol) {
        let number = self.symbols.number(symbol).0;
        self.write(number);
    }

    fn pointer(&mut self, pointer: PointerName) {
        match pointer {
            PointerName::Own { file, kind, number } => {
                self.write(kind as u32);
                self.file(file);
                self.write(number);
            }
            PointerName::Undeclared { owner, name } => {
                self.write(UNDECLARED);
                self.definition(owner);
                self.symbol(name);
            }
        }
    }

    fn definition(&mut self, id: DefinitionName) {
        self.file(id.file);
        self.write(id.local.0);
    }

    fn object(&mut self, object: AbstractObject<DefinitionName>) {
        let (tag, owner) = match object {
            AbstractObject::Foreign => (0, None),
            AbstractObject::Directory(directory) => {
                self.write(1);
                return self.write(directory.0);
            }
            AbstractObject::Definition(id) => (2, Some(id)),
            AbstractObject::BoundMethod(id) => (3, Some(id)),
            AbstractObject::Instance(id) => (4, Some(id)),
            AbstractObject::Super(id) => (5, Some(id)),
        };
        self.write(tag);
        owner.into_iter().for_each(|id| self.definition(id));
    }

    /// Returns the encoded messages; empty if there are none.
    pub fn finish(&self) -> Vec<u8> {
        encoded(self.files.items(), self.symbols.items(), &self.messages)
    }
}

/// Returns the stored form of a mailbox; empty if it has no messages.
fn encoded(files: &[FileId], symbols: &[Symbol], messages: &[u8]) -> Vec<u8> {
    if messages.is_empty() {
        return Vec::new();
    }
    let mut bytes = Vec::with_capacity(8 + 3 * files.len() + 8 * symbols.len() + messages.len());
    varint::write(&mut bytes, files.len() as u32);
    files.iter().for_each(|file| varint::write(&mut bytes, file.0));
    varint::write(&mut bytes, symbols.len() as u32);
    symbols.iter().for_each(|symbol| bytes.extend(symbol.to_le_bytes()));
    bytes.extend(messages);
    bytes
}

/// The messages of a run, encoded for each receiver. Messages must arrive sorted by round and
/// sender.
#[derive(Default)]
pub(crate) struct MessageLog(FxHashMap<FileId, Box<MailboxWriter>>);

impl MessageLog {
    /// Appends a message that arrives while files are solved.
    pub fn record(&mut self, names: &Names<'_>, arriving: &ArrivingMessage) {
        if let Some(stored) = StoredMessage::new(names, arriving) {
            self.push(&stored);
        }
    }

    /// Appends a message.
    pub fn push(&mut self, stored: &StoredMessage) {
        let receiver = stored.message.receiver;
        self.0.entry(receiver).or_insert_with(|| Box::new(MailboxWriter::new(receiver))).add(stored);
    }

    /// Returns the encoded messages of each of `files`; empty for a file that received none.
    pub fn into_mail(mut self, files: &[FileId]) -> Vec<(FileId, Vec<u8>)> {
        files.iter().map(|&file| (file, self.0.remove(&file).map_or_else(Vec::new, |writer| writer.finish()))).collect()
    }
}

/// The messages that a file received.
pub(crate) struct Mailbox<'a> {
    receiver: FileId,
    /// Files that the messages mention, possibly without the receiver.
    pub files: Vec<FileId>,
    /// Symbols that the messages mention.
    pub symbols: Vec<Symbol>,
    messages: &'a [u8],
}

impl<'a> Mailbox<'a> {
    /// Reads the output of [`MailboxWriter::finish`]. Returns `None` if the bytes are invalid.
    pub fn read(receiver: FileId, bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes;
        let (mut files, mut symbols) = (Vec::new(), Vec::new());
        if !rest.is_empty() {
            for _ in 0..varint::read(&mut rest)? {
                files.push(FileId(varint::read(&mut rest)?));
            }
            for _ in 0..varint::read(&mut rest)? {
                let (symbol, after) = rest.split_first_chunk()?;
                symbols.push(Symbol::from_le_bytes(*symbol));
                rest = after;
            }
        }
        Some(Self { receiver, files, symbols, messages: rest })
    }

    /// Returns the mailbox in stored form, with other numbers of files; `None` if `current` returns
    /// `None` for one of them. The messages refer to files by index and stay as they are.
    pub fn with_files(&self, current: impl Fn(FileId) -> Option<FileId>) -> Option<Cow<'static, [u8]>> {
        let files = self.files.iter().map(|&file| current(file)).collect::<Option<Vec<_>>>()?;
        Some(Cow::Owned(encoded(&files, &self.symbols, self.messages)))
    }

    /// Decodes the messages, in stored order. Returns `None` if the bytes are truncated or invalid.
    pub fn messages(&self) -> Option<Vec<StoredMessage>> {
        let mut reader = MailboxReader { mailbox: self, sender: self.receiver, rest: self.messages };
        let (mut all, mut from) = (Vec::new(), None);
        while !reader.rest.is_empty() {
            let what = reader.number()?;
            if what == FROM {
                let round = reader.number()?;
                let sender = *self.files.get(reader.number()? as usize)?;
                (reader.sender, from) = (sender, Some((round, sender)));
                continue;
            }
            let (round, sender) = from?;
            let (receiver, pointer, content) = (self.receiver, reader.pointer()?, reader.content(what)?);
            all.push(StoredMessage { round, message: Message { receiver, sender, pointer, content } });
        }
        Some(all)
    }
}

struct MailboxReader<'m, 'a> {
    mailbox: &'m Mailbox<'a>,
    sender: FileId,
    rest: &'a [u8],
}

impl MailboxReader<'_, '_> {
    fn number(&mut self) -> Option<u32> {
        varint::read(&mut self.rest)
    }

    fn file(&mut self) -> Option<FileId> {
        match self.number()? {
            SENDER => Some(self.sender),
            RECEIVER => Some(self.mailbox.receiver),
            number => self.mailbox.files.get((number - FIRST_LISTED) as usize).copied(),
        }
    }

    fn symbol(&mut self) -> Option<Symbol> {
        let number = self.number()?;
        self.mailbox.symbols.get(number as usize).copied()
    }

    fn content(&mut self, what: u32) -> Option<MessageContent<PointerName, DefinitionName>> {
        Some(match what {
            OBJECT => MessageContent::Object(self.object()?),
            COPY => MessageContent::Copy { to: self.pointer()? },
            BIND => MessageContent::Bind { to: self.pointer()?, receiver: self.object()? },
            LOAD => MessageContent::Load { name: self.symbol()?.into(), to: self.pointer()? },
            STORE => MessageContent::Store { name: self.symbol()?.into(), from: self.pointer()? },
            _ => return None,
        })
    }

    fn pointer(&mut self) -> Option<PointerName> {
        Some(match self.number()? {
            UNDECLARED => PointerName::Undeclared { owner: self.definition()?, name: self.symbol()? },
            kind => {
                let kind = *PointerKind::ALL.get(kind as usize)?;
                PointerName::Own { file: self.file()?, kind, number: self.number()? }
            }
        })
    }

    fn definition(&mut self) -> Option<DefinitionName> {
        Some(DefinitionName { file: self.file()?, local: LocalId(self.number()?) })
    }

    fn object(&mut self) -> Option<AbstractObject<DefinitionName>> {
        Some(match self.number()? {
            0 => AbstractObject::Foreign,
            1 => AbstractObject::Directory(DirectoryId(self.number()?)),
            2 => AbstractObject::Definition(self.definition()?),
            3 => AbstractObject::BoundMethod(self.definition()?),
            4 => AbstractObject::Instance(self.definition()?),
            _ => AbstractObject::Super(self.definition()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn definition() -> impl Strategy<Value = DefinitionName> {
        (0..5u32, 0..300u32).prop_map(|(file, local)| DefinitionName { file: FileId(file), local: LocalId(local) })
    }

    fn pointer() -> impl Strategy<Value = PointerName> {
        prop_oneof![
            (0..5u32, prop::sample::select(&PointerKind::ALL[..]), any::<u32>())
                .prop_map(|(file, kind, number)| PointerName::Own { file: FileId(file), kind, number }),
            (definition(), 0..4u64).prop_map(|(owner, name)| PointerName::Undeclared { owner, name }),
        ]
    }

    fn object() -> impl Strategy<Value = AbstractObject<DefinitionName>> {
        prop_oneof![
            definition().prop_map(AbstractObject::Definition),
            definition().prop_map(AbstractObject::BoundMethod),
            definition().prop_map(AbstractObject::Instance),
            definition().prop_map(AbstractObject::Super),
            any::<u32>().prop_map(|id| AbstractObject::Directory(DirectoryId(id))),
            Just(AbstractObject::Foreign),
        ]
    }

    fn content() -> impl Strategy<Value = MessageContent<PointerName, DefinitionName>> {
        prop_oneof![
            object().prop_map(MessageContent::Object),
            pointer().prop_map(|to| MessageContent::Copy { to }),
            (pointer(), object()).prop_map(|(to, receiver)| MessageContent::Bind { to, receiver }),
            (any::<u64>(), pointer()).prop_map(|(name, to)| MessageContent::Load { name: name.into(), to }),
            (any::<u64>(), pointer()).prop_map(|(name, from)| MessageContent::Store { name: name.into(), from }),
        ]
    }

    proptest! {
        #[test]
        fn messages_round_trip(
            messages in prop::collection::vec((0..3u32, 0..5u32, pointer(), content()), 0..20),
            torn in any::<prop::sample::Index>(),
        ) {
            let receiver = FileId(2);
            let stored = |(round, sender, pointer, content)| {
                StoredMessage { round, message: Message { receiver, sender: FileId(sender), pointer, content } }
            };
            let messages: Vec<StoredMessage> = messages.into_iter().map(stored).collect();
            let mut writer = MailboxWriter::new(receiver);
            messages.iter().for_each(|message| writer.add(message));
            let bytes = writer.finish();
            let mailbox = Mailbox::read(receiver, &bytes).expect("a mailbox");
            prop_assert_eq!(mailbox.messages(), Some(messages.clone()));
            prop_assert!(messages.iter().all(|stored| mailbox.files.contains(&stored.message.sender)));
            // Truncated bytes decode to a prefix of the messages or fail.
            let torn = &bytes[..torn.index(bytes.len() + 1)];
            let rest = Mailbox::read(receiver, torn).and_then(|mailbox| mailbox.messages());
            prop_assert!(rest.is_none_or(|rest| messages.starts_with(&rest)));
        }
    }
}
