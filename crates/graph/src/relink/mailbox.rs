//! Storage format of the messages that a file received while calls were solved.
//!
//! ```text
//! number of files, each file
//! number of symbols, each symbol (8 bytes)
//! the messages, see [`super::message_columns`]
//! ```
//!
//! A message refers to files and symbols by their index in these two lists, so a reader can check
//! whether a file or a name occurs, and replace the numbers of files, without decoding the
//! messages. Messages are sorted by round, sender and order of sending.

use super::message_columns::{MessageColumns, read_messages};
use super::stored_message::{DefinitionName, PointerName, Renaming, StoredMessage};
use crate::indexed_list::IndexedList;
use crate::names::Names;
use crate::points_to::{ArrivingMessage, Message};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use whichfn_syntax::ids::FileId;
use whichfn_syntax::parse::Symbol;
use whichfn_syntax::varint;

/// Replaces files and symbols by their indexes in the lists of a mailbox, or the reverse.
struct Listing<F, S> {
    file: F,
    symbol: S,
}

impl<F, S> Renaming<PointerName, DefinitionName, PointerName, DefinitionName> for Listing<F, S>
where
    F: FnMut(FileId) -> Option<FileId>,
    S: FnMut(Symbol) -> Option<Symbol>,
{
    fn pointer(&mut self, pointer: PointerName) -> Option<PointerName> {
        Some(match pointer {
            PointerName::Own { file, kind, number } => PointerName::Own { file: self.file(file)?, kind, number },
            PointerName::Undeclared { owner, name } => {
                PointerName::Undeclared { owner: self.definition(owner)?, name: self.symbol(name)? }
            }
        })
    }

    fn definition(&mut self, id: DefinitionName) -> Option<DefinitionName> {
        Some(DefinitionName { file: self.file(id.file)?, ..id })
    }

    fn file(&mut self, file: FileId) -> Option<FileId> {
        (self.file)(file)
    }

    fn symbol(&mut self, symbol: Symbol) -> Option<Symbol> {
        (self.symbol)(symbol)
    }
}

/// Encodes the messages of one receiver.
#[derive(Default)]
struct MailboxWriter {
    files: IndexedList<FileId>,
    symbols: IndexedList<Symbol>,
    messages: MessageColumns,
}

impl MailboxWriter {
    /// Appends a message. Messages must arrive sorted by round and sender.
    fn add(&mut self, StoredMessage { round, message }: &StoredMessage) {
        let file = |file| Some(FileId(self.files.number(file).0));
        let symbol = |symbol| Some(self.symbols.number(symbol).0.into());
        // The receiver is the file whose mailbox this is.
        let sent = Message { receiver: message.sender, ..*message };
        if let Some(message) = sent.renamed(&mut Listing { file, symbol }) {
            self.messages.push(&StoredMessage { round: *round, message });
        }
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
        self.0.entry(stored.message.receiver).or_default().add(stored);
    }

    /// Returns the encoded messages of each of `files`; empty for a file that received none.
    pub fn into_mail(mut self, files: &[FileId]) -> Vec<(FileId, Vec<u8>)> {
        let mut mailbox = |file| self.0.remove(&file).unwrap_or_default();
        let written = |of: Box<MailboxWriter>| encoded(of.files.items(), of.symbols.items(), &of.messages.into_bytes());
        files.iter().map(|&file| (file, written(mailbox(file)))).collect()
    }
}

/// The messages that a file received.
pub(crate) struct Mailbox<'a> {
    receiver: FileId,
    /// Files that the messages mention, including all senders.
    pub files: Vec<FileId>,
    /// Symbols that the messages mention.
    pub symbols: Vec<Symbol>,
    messages: &'a [u8],
}

impl<'a> Mailbox<'a> {
    /// Reads the output of [`MessageLog::into_mail`]. Returns `None` if the bytes are invalid.
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
    /// `None` for one of them.
    pub fn with_files(&self, current: impl Fn(FileId) -> Option<FileId>) -> Option<Cow<'static, [u8]>> {
        let files = self.files.iter().map(|&file| current(file)).collect::<Option<Vec<_>>>()?;
        Some(Cow::Owned(encoded(&files, &self.symbols, self.messages)))
    }

    /// Decodes the messages, in stored order. Returns `None` if the bytes are truncated or invalid.
    pub fn messages(&self) -> Option<Vec<StoredMessage>> {
        let file = |file: FileId| self.files.get(file.index()).copied();
        let symbol = |symbol: Symbol| self.symbols.get(usize::try_from(symbol).ok()?).copied();
        let mut listing = Listing { file, symbol };
        let mut current = |StoredMessage { round, message }: StoredMessage| {
            let message = message.renamed(&mut listing)?;
            Some(StoredMessage { round, message: Message { receiver: self.receiver, ..message } })
        };
        // The receiver is not in the list; any file of the list replaces it until it is set.
        read_messages(FileId(0), self.messages)?.into_iter().map(&mut current).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::PointerKind;
    use crate::points_to::{AbstractObject, MessageContent};
    use proptest::prelude::*;
    use whichfn_syntax::ids::{DirectoryId, LocalId};

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
            Just(AbstractObject::Unknown),
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
            let mut log = MessageLog::default();
            messages.iter().for_each(|message| log.push(message));
            let (_, bytes) = log.into_mail(&[receiver]).remove(0);
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
