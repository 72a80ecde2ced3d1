//! Links the affected files of one group of languages.

use super::PreviousLink;
use super::edit::Edit;
use super::mailbox::{Mailbox, MessageLog};
use super::stored_message::{RepositoryNumbers, StoredMessage};
use crate::link::{Linked, Unreached, edges_with_repository_numbers};
use crate::names::{Names, Source};
use crate::points_to::{ArrivingMessage, PointsTo};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use whichfn_syntax::ids::{FileId, LocalId};
use whichfn_syntax::lang::LangId;

/// One in `SHARE` files of a group may be solved again, and at least [`FEW`] in any repository.
const SHARE: usize = 10;
const FEW: usize = 8;
/// Maximum number of times that more files may join.
const MAX_ROUNDS: usize = 12;

/// A group of languages whose files are linked together.
pub(super) struct Group<'g, 'm> {
    pub edit: &'g Edit<'g>,
    pub language: LangId,
    /// The files after the edit.
    pub files: &'g [FileId],
    /// Stored messages of each file, in the order of `files`, with numbers before the edit.
    pub mail: Vec<Mailbox<'m>>,
    /// Definitions that other files observe as changed, with numbers before the edit.
    pub changed_definitions: FxHashMap<FileId, &'g FxHashSet<LocalId>>,
    /// Steps taken since the last full link.
    steps: u64,
    /// Number of call sites without an edge, by language, if the last link reached its step limit.
    left_out: BTreeMap<LangId, u32>,
}

/// The result of solving some files.
struct SolveResult<'a, 'n> {
    points_to: PointsTo<'a, 'n>,
    /// All messages to these files and from them.
    messages: Vec<StoredMessage>,
    /// True if a message to these files refers to a removed item.
    has_dangling_message: bool,
}

impl<'g, 'm> Group<'g, 'm> {
    /// Reads the stored messages. Returns `None` if they are missing or invalid.
    pub fn new(edit: &'g Edit<'g>, language: LangId, files: &'g [FileId], previous: &PreviousLink<'m>) -> Option<Self> {
        let mailbox = |&file: &FileId| match edit.renumbering.previous(file) {
            Some(before) => Mailbox::read(before, (previous.mail)(before)),
            None => Mailbox::read(file, &[]),
        };
        let mail = files.iter().map(mailbox).collect::<Option<Vec<_>>>()?;
        // Another program may have written the messages.
        let is_known = |file: &FileId| file.index() < edit.old.len();
        let changed = edit.changed.iter().filter(|file| !file.changes.definitions.is_empty());
        let changed_definitions = changed.filter_map(|file| Some((file.old?, &file.changes.definitions))).collect();
        let steps = *previous.steps.get(&language)?;
        let is_sound = mail.iter().all(|mailbox| mailbox.files.iter().all(is_known));
        let is_own = |&(&other, _): &(&LangId, &u32)| edit.group_of(other) == language;
        let left_out = previous.left_out.iter().filter(is_own).map(|(&other, &count)| (other, count)).collect();
        is_sound.then_some(Self { edit, language, files, mail, changed_definitions, steps, left_out })
    }

    pub fn source(&self, file: FileId) -> &'g Source<'g> {
        &self.edit.new[file.index()]
    }

    /// Links the affected files. Returns the result and these files, or `None` if everything must
    /// be linked.
    pub fn relink(self) -> Option<(Linked, BTreeSet<FileId>)> {
        let max_affected = (self.files.len() / SHARE).max(FEW);
        let mut affected = self.first_affected()?;
        tracing::debug!(files = affected.len(), max_affected, "first affected");
        if affected.is_empty() && (self.left_out.is_empty() || self.changed().next().is_none()) {
            let (steps, left_out) = (BTreeMap::from([(self.language, self.steps)]), self.left_out.clone());
            let mut linked = Linked { steps, left_out, ..Linked::default() };
            self.keep_mail(&affected, &mut linked.mail)?;
            return Some((linked, affected));
        }
        if !self.left_out.is_empty() {
            // There are no messages to start from.
            return None;
        }
        let mut names = Names::for_calls(self.edit.new, self.files, &self.edit.paths, self.edit.registry);
        for _ in 0..MAX_ROUNDS {
            if affected.len() > max_affected {
                break;
            }
            let solution = self.solve(&mut names, &affected)?;
            let budget = &solution.points_to.names().budget;
            let steps = self.steps.saturating_add(budget.spent());
            if steps > budget.limit() / 2 {
                break;
            }
            let newly_affected = self.newly_affected(&affected, &solution.messages)?;
            tracing::debug!(files = affected.len(), newly_affected = newly_affected.len(), "solved");
            if newly_affected.is_empty() {
                return Some((self.finish(solution, &affected, steps)?, affected));
            }
            affected.extend(newly_affected);
        }
        None
    }

    /// Solves some files. They receive the stored messages of all other files.
    fn solve<'a, 'n>(&self, names: &'n mut Names<'a>, affected: &BTreeSet<FileId>) -> Option<SolveResult<'a, 'n>> {
        let (mut pending, mut has_dangling_message): (Vec<ArrivingMessage>, bool) = (Vec::new(), false);
        for (_, mailbox) in self.files.iter().zip(&self.mail).filter(|(file, _)| affected.contains(file)) {
            for stored in mailbox.messages()? {
                let sender = self.edit.renumbering.file(stored.message.sender);
                if sender.is_none_or(|sender| affected.contains(&sender)) {
                    continue;
                }
                let current = self.current(&stored);
                match current.and_then(|stored| stored.message.renamed(&mut RepositoryNumbers(names))) {
                    Some(message) => pending.push((stored.round, message)),
                    None => has_dangling_message = true,
                }
            }
        }
        pending.sort_by_key(|(round, _)| *round);
        let (mut messages, files) = (Vec::new(), affected.iter().copied().collect::<Vec<_>>());
        let points_to = PointsTo::solve(names, &files, &pending, |names, arriving| {
            messages.extend(StoredMessage::new(names, arriving))
        });
        (!points_to.names().budget.is_spent()).then_some(SolveResult { points_to, messages, has_dangling_message })
    }

    /// Returns a stored message with the numbers after the edit; `None` if it refers to a removed
    /// item.
    fn current(&self, stored: &StoredMessage) -> Option<StoredMessage> {
        Some(StoredMessage { message: stored.message.renamed(&mut &self.edit.renumbering)?, ..*stored })
    }

    /// Returns the other files that now receive other messages from the solved files than the
    /// stored ones.
    fn newly_affected(&self, affected: &BTreeSet<FileId>, messages: &[StoredMessage]) -> Option<Vec<FileId>> {
        let mut current: FxHashMap<FileId, Vec<StoredMessage>> = FxHashMap::default();
        for stored in messages.iter().filter(|stored| !affected.contains(&stored.message.receiver)) {
            current.entry(stored.message.receiver).or_default().push(*stored);
        }
        let is_affected = |file: FileId| self.edit.renumbering.file(file).is_some_and(|file| affected.contains(&file));
        let mut newly_affected = Vec::new();
        for (&file, mailbox) in self.files.iter().zip(&self.mail).filter(|(file, _)| !affected.contains(file)) {
            let current = current.get(&file).map_or(&[][..], Vec::as_slice);
            let mut previous = Vec::new();
            if mailbox.files.iter().any(|&file| is_affected(file)) {
                let messages = mailbox.messages()?.into_iter();
                previous = messages.filter(|stored| is_affected(stored.message.sender)).collect();
            }
            let is_same = |(old, new): (&StoredMessage, &StoredMessage)| self.current(old).as_ref() == Some(new);
            if previous.len() != current.len() || !previous.iter().zip(current).all(is_same) {
                newly_affected.push(file);
            }
        }
        Some(newly_affected)
    }

    fn finish(&self, solution: SolveResult<'_, '_>, affected: &BTreeSet<FileId>, steps: u64) -> Option<Linked> {
        if solution.has_dangling_message {
            return None;
        }
        let files: Vec<FileId> = affected.iter().copied().collect();
        let mut log = MessageLog::default();
        let received = solution.messages.iter().filter(|stored| affected.contains(&stored.message.receiver));
        received.for_each(|stored| log.push(stored));
        let mut mail = log.into_mail(&files);
        self.keep_mail(affected, &mut mail)?;
        let (edges, _, hierarchy) =
            edges_with_repository_numbers(&solution.points_to, &files, self.edit.new, Unreached::ByName);
        let steps = BTreeMap::from([(self.language, steps)]);
        Some(Linked { edges, left_out: BTreeMap::new(), steps, mail, hierarchy })
    }

    /// Writes the mailboxes of all other files again whose messages mention items with new numbers.
    /// These files received the same messages.
    fn keep_mail(&self, affected: &BTreeSet<FileId>, mail: &mut Vec<(FileId, Vec<u8>)>) -> Option<()> {
        let renumbering = &self.edit.renumbering;
        let is_shifted = |file: &FileId| !renumbering.keeps_items(*file);
        for (&file, mailbox) in self.files.iter().zip(&self.mail).filter(|(file, _)| !affected.contains(file)) {
            if !renumbering.keeps_directories() || mailbox.files.iter().any(is_shifted) {
                let mut log = MessageLog::default();
                for stored in mailbox.messages()? {
                    log.push(&self.current(&stored)?);
                }
                mail.extend(log.into_mail(&[file]));
            }
        }
        Some(())
    }
}
