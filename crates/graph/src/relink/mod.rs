//! Incremental relinking: links only the files that an edit affects.
//!
//! - **Invariant:** the edges equal the edges of a full link. The edited files are solved again,
//!   and the files that look up a name whose meaning may have changed ([`super::changes`]). Each
//!   receives the messages that all other files sent it in the last link. If one of the solved
//!   files now sends a file other messages than the ones stored for it, that file joins, until none
//!   does. By the invariant of [`super::turns`], all remaining files would then repeat what they
//!   did. If more than one file in [`SHARE`] would join, or if the effect of the edit cannot be
//!   determined, there is no result, and the caller must link everything.
//! - **Cost:** the tables of names of all files; the files that joined, solved once per step of
//!   growth; and one pass over the stored messages that mention an edited file.
//! - **Tested by:** random edits compared with a full link (`tests/relinking.rs`).

mod alignment;
mod changes;
mod mailbox;
mod stored_message;

use crate::file_facts::FileFacts;
use crate::link::{CallEdge, MAX_BY_NAME, edges_with_repository_numbers, groups};
use crate::modules::Paths;
use crate::names::{Names, Source};
use crate::points_to::{ArrivingMessage, PointsTo};
pub use alignment::Alignment;
use alignment::Renumbering;
use changes::{Changes, mentions};
use mailbox::Mailbox;
pub(crate) use mailbox::MessageLog;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use stored_message::{RepositoryNumbers, StoredMessage};
use whichfn_syntax::ids::{DirectoryId, FileId, LocalId};
use whichfn_syntax::lang::{LangId, Registry};
use whichfn_syntax::parse::Symbol;

/// One in `SHARE` files of a group may be solved again, and at least [`FEW`] in any repository.
const SHARE: usize = 10;
const FEW: usize = 8;
/// Maximum number of times that further files may join.
const MAX_ROUNDS: usize = 12;

/// An edited file.
#[derive(Clone, Copy)]
pub struct EditedFile<'a> {
    /// The file.
    pub file: FileId,
    /// The facts of the file before the edit.
    pub before: FileFacts<'a>,
}

/// The result of [`relink`].
#[derive(Debug, Default)]
pub struct RelinkResult {
    /// The files that were linked again, sorted by path.
    pub files: BTreeSet<FileId>,
    /// All edges of their calls, sorted by caller, site and callee.
    pub edges: Vec<CallEdge>,
    /// The stored messages of each file where they changed.
    pub mail: Vec<(FileId, Vec<u8>)>,
    /// For each edited file, the mapping from its old numbers to the current ones.
    pub alignments: FxHashMap<FileId, Alignment>,
    /// Steps taken since the last full link, for each group that was linked, by its first language.
    pub steps: BTreeMap<LangId, u64>,
}

/// Links the files that an edit affects. `sources` is as for `link`, with the facts of all files
/// whose languages are linked together with the language of an edited file. `mail` returns the
/// stored messages that a file received in the last link, and `steps` contains the steps taken so
/// far, by group. Returns `None` if a full link is needed. That includes the case that this link
/// and the earlier ones together take more than half of the step limit.
pub fn relink<'m>(
    sources: &[Source<'_>],
    registry: &Registry,
    edited: &[EditedFile<'_>],
    mail: &dyn Fn(FileId) -> &'m [u8],
    steps: &BTreeMap<LangId, u64>,
) -> Option<RelinkResult> {
    let paths = Paths::new(sources.iter().map(|s| s.path));
    let mut result = RelinkResult::default();
    for (language, files) in groups(sources, registry) {
        let edited: Vec<EditedFile<'_>> =
            edited.iter().copied().filter(|file| files.binary_search(&file.file).is_ok()).collect();
        let mut names = Names::new(sources, &files, &paths, registry);
        let group = Group::new(&names, &files, &edited, mail)?;
        result.steps.insert(language, *steps.get(&language)?);
        group.relink(language, &mut names, sources, &mut result)?;
    }
    result.edges.sort_unstable();
    Some(result)
}

/// Files that are linked together.
struct Group<'g, 'm> {
    files: &'g [FileId],
    /// Stored messages of each file, in the order of `files`.
    mail: Vec<Mailbox<'m>>,
    alignments: FxHashMap<FileId, Alignment>,
    changes: FxHashMap<FileId, Changes>,
}

/// Names of methods that were added or removed, for calls on objects of unknown type. Such a call
/// is linked by name to methods of its file, else of its directory, else of the repository, unless
/// there are too many of them.
struct GuessedCalls {
    /// Names with few methods in the repository, before or after the edit.
    few: FxHashSet<Symbol>,
    /// Names with many methods, for which the edit matters only in the directory of an edited file.
    many: FxHashSet<Symbol>,
    edited_directories: FxHashSet<DirectoryId>,
}

impl GuessedCalls {
    fn new(group: &Group<'_, '_>, names: &Names<'_>) -> Self {
        let (mut few, mut many) = (FxHashSet::default(), FxHashSet::default());
        for (&edited, changes) in group.changes.iter().filter(|(_, changes)| !changes.members.is_empty()) {
            let mut counts: FxHashMap<Symbol, usize> = FxHashMap::default();
            for &file in group.files.iter().filter(|&&file| !group.changes.contains_key(&file)) {
                let facts = names.facts(file);
                if names.language(file) == names.language(edited) && facts.mentions(&changes.members) {
                    facts.methods().for_each(|name| *counts.entry(name).or_default() += 1);
                }
            }
            let is_many = |name: &&Symbol| counts.get(name).is_some_and(|&count| count > MAX_BY_NAME);
            many.extend(changes.members.iter().filter(is_many));
            few.extend(changes.members.iter().filter(|name| !is_many(name)));
        }
        many.retain(|name| !few.contains(name));
        let edited_directories = group.changes.keys().map(|&file| names.paths.directory_of(file)).collect();
        Self { few, many, edited_directories }
    }

    /// Checks whether a call in a file may now be linked by name to another method.
    fn may_differ(&self, names: &Names<'_>, file: FileId) -> bool {
        let facts = names.facts(file);
        facts.mentions(&self.few)
            || self.edited_directories.contains(&names.paths.directory_of(file)) && facts.mentions(&self.many)
    }
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
    fn new(
        names: &Names<'_>,
        files: &'g [FileId],
        edited: &[EditedFile<'_>],
        mail: &dyn Fn(FileId) -> &'m [u8],
    ) -> Option<Self> {
        let (mut alignments, mut changes) = (FxHashMap::default(), FxHashMap::default());
        for EditedFile { file, before } in edited {
            let alignment = Alignment::new(before, names.facts(*file));
            changes.insert(*file, Changes::new(before, names.facts(*file), &alignment, names.scopes(*file)));
            alignments.insert(*file, alignment);
        }
        let mail = files.iter().map(|&file| Mailbox::read(file, mail(file))).collect::<Option<Vec<_>>>()?;
        // Another program may have written the messages.
        let is_known = |file: &FileId| file.index() < names.file_count();
        if !mail.iter().all(|mailbox| mailbox.files.iter().all(is_known)) {
            return None;
        }
        Some(Self { files, mail, alignments, changes })
    }

    fn relink(
        self,
        language: LangId,
        names: &mut Names<'_>,
        sources: &[Source<'_>],
        result: &mut RelinkResult,
    ) -> Option<()> {
        let previous = result.steps.get(&language).copied()?;
        let max_reached = (self.files.len() / SHARE).max(FEW);
        let mut reached = self.initially_affected(names)?;
        tracing::debug!(reached = reached.len(), max_reached, "first");
        for _ in 0..MAX_ROUNDS {
            if reached.len() > max_reached {
                break;
            }
            let solution = self.solve(names, &reached)?;
            let budget = &solution.points_to.names().budget;
            let steps = previous.saturating_add(budget.spent());
            if steps > budget.limit() / 2 {
                break;
            }
            result.steps.insert(language, steps);
            let newly_affected = self.newly_affected(&reached, &solution.messages)?;
            tracing::debug!(reached = reached.len(), newly_affected = newly_affected.len(), "reached");
            if newly_affected.is_empty() {
                return self.finish(solution, sources, reached, result);
            }
            reached.extend(newly_affected);
        }
        None
    }

    /// Returns the edited files, and the files whose look-ups may now have another result. Returns
    /// `None` if they cannot be determined.
    fn initially_affected(&self, names: &Names<'_>) -> Option<BTreeSet<FileId>> {
        if self.changes.values().any(|changes| changes.everything) {
            tracing::debug!("the edit may reach everything");
            return None;
        }
        let changed: FxHashSet<Symbol> = self.changes.values().flat_map(|changes| &changes.names).copied().collect();
        let changed = self.with_aliases(names, changed);
        let guessed = GuessedCalls::new(self, names);
        let mut reached: BTreeSet<FileId> = self.alignments.keys().copied().collect();
        for (&file, mailbox) in self.files.iter().zip(&self.mail) {
            let is_mentioned = names.facts(file).mentions(&changed);
            if is_mentioned && self.has_changed_bases(file, names.facts(file), &changed) {
                tracing::debug!("bases or owners may have changed");
                return None;
            }
            if is_mentioned
                || guessed.may_differ(names, file)
                || mailbox.symbols.iter().any(|symbol| changed.contains(symbol))
                || self.is_affected(mailbox)?
            {
                reached.insert(file);
            }
        }
        Some(reached)
    }

    /// Extends a set of names by the aliases under which files import them.
    fn with_aliases(&self, names: &Names<'_>, mut changed: FxHashSet<Symbol>) -> FxHashSet<Symbol> {
        loop {
            let previous = changed.len();
            for &file in self.files {
                let facts = names.facts(file);
                if !facts.mentions(&changed) {
                    continue;
                }
                for import in (0..facts.import_count()).map(|number| facts.import(number)) {
                    if let (Some(name), Some(variable)) = (import.name, import.variable)
                        && changed.contains(&name)
                    {
                        changed.insert(facts.variable_name(variable));
                    }
                }
            }
            if changed.len() == previous {
                return changed;
            }
        }
    }

    /// Checks whether a type of the file that existed before may now have other bases or another
    /// owner.
    fn has_changed_bases(&self, file: FileId, facts: &FileFacts<'_>, changed: &FxHashSet<Symbol>) -> bool {
        let is_new = |id: LocalId| self.alignments.get(&file).is_some_and(|alignment| alignment.is_new_definition(id));
        facts.definition_ids().filter(|&id| !is_new(id)).any(|id| {
            let definition = facts.definition(id);
            definition.bases.iter().chain(&definition.owner).any(|&value| mentions(facts, value, changed, 0))
        })
    }

    /// Checks whether a file received a message about a changed definition.
    fn is_affected(&self, mailbox: &Mailbox<'_>) -> Option<bool> {
        let is_changed = |file: &FileId| self.changes.get(file).is_some_and(|changes| !changes.definitions.is_empty());
        if !mailbox.files.iter().any(is_changed) {
            return Some(false);
        }
        let changed = |file: FileId, id: LocalId| {
            self.changes.get(&file).is_some_and(|changes| changes.definitions.contains(&id))
        };
        let messages = mailbox.messages()?;
        Some(messages.iter().any(|stored| stored.message.is_about(&changed)))
    }

    /// Solves some files. They receive the stored messages of all other files.
    fn solve<'a, 'n>(&self, names: &'n mut Names<'a>, reached: &BTreeSet<FileId>) -> Option<SolveResult<'a, 'n>> {
        let (mut pending, mut has_dangling_message): (Vec<ArrivingMessage>, bool) = (Vec::new(), false);
        for (_, mailbox) in self.files.iter().zip(&self.mail).filter(|(file, _)| reached.contains(file)) {
            for StoredMessage { round, message } in mailbox.messages()? {
                if reached.contains(&message.sender) {
                    continue;
                }
                if message.directory().is_some_and(|id| id.index() >= names.paths.directories().len()) {
                    return None;
                }
                let current = message.renamed(&mut Renumbering(&self.alignments));
                match current.and_then(|message| message.renamed(&mut RepositoryNumbers(names))) {
                    Some(message) => pending.push((round, message)),
                    None => has_dangling_message = true,
                }
            }
        }
        pending.sort_by_key(|(round, _)| *round);
        let (mut messages, files) = (Vec::new(), reached.iter().copied().collect::<Vec<_>>());
        let points_to = PointsTo::solve(names, &files, &pending, |names, arriving| {
            messages.extend(StoredMessage::new(names, arriving))
        });
        (!points_to.names().budget.is_spent()).then_some(SolveResult { points_to, messages, has_dangling_message })
    }

    /// Returns the other files whose messages from the solved files differ from the stored ones.
    fn newly_affected(&self, reached: &BTreeSet<FileId>, messages: &[StoredMessage]) -> Option<Vec<FileId>> {
        let mut current: FxHashMap<FileId, Vec<StoredMessage>> = FxHashMap::default();
        for stored in messages.iter().filter(|stored| !reached.contains(&stored.message.receiver)) {
            current.entry(stored.message.receiver).or_default().push(*stored);
        }
        let mut newly_affected = Vec::new();
        for (&file, mailbox) in self.files.iter().zip(&self.mail).filter(|(file, _)| !reached.contains(file)) {
            let current = current.get(&file).map_or(&[][..], Vec::as_slice);
            let mut previous = Vec::new();
            if mailbox.files.iter().any(|file| reached.contains(file)) {
                let messages = mailbox.messages()?.into_iter();
                previous = messages.filter(|stored| reached.contains(&stored.message.sender)).collect();
            }
            let is_same = |(old, new): (&StoredMessage, &StoredMessage)| self.renumbered(old).as_ref() == Some(new);
            if previous.len() != current.len() || !previous.iter().zip(current).all(is_same) {
                newly_affected.push(file);
            }
        }
        Some(newly_affected)
    }

    fn renumbered(&self, stored: &StoredMessage) -> Option<StoredMessage> {
        let message = stored.message.renamed(&mut Renumbering(&self.alignments))?;
        Some(StoredMessage { message, ..*stored })
    }

    fn finish(
        self,
        solution: SolveResult<'_, '_>,
        sources: &[Source<'_>],
        reached: BTreeSet<FileId>,
        result: &mut RelinkResult,
    ) -> Option<()> {
        if solution.has_dangling_message {
            return None;
        }
        let files: Vec<FileId> = reached.iter().copied().collect();
        let mut mail = MessageLog::default();
        solution
            .messages
            .iter()
            .filter(|stored| reached.contains(&stored.message.receiver))
            .for_each(|stored| mail.push(stored));
        result.mail.extend(mail.into_mail(&files));
        // All other files received the same messages, but definitions and pointers in these
        // messages may have new numbers.
        let is_shifted = |file: &FileId| self.alignments.get(file).is_some_and(|alignment| !alignment.keeps_all());
        for (&file, mailbox) in self.files.iter().zip(&self.mail) {
            if !reached.contains(&file) && mailbox.files.iter().any(is_shifted) {
                let mut mail = MessageLog::default();
                for stored in mailbox.messages()? {
                    mail.push(&self.renumbered(&stored)?);
                }
                result.mail.extend(mail.into_mail(&[file]));
            }
        }
        result.edges.extend(edges_with_repository_numbers(&solution.points_to, &files, sources).0);
        result.files.extend(reached);
        result.alignments.extend(self.alignments);
        Some(())
    }
}
