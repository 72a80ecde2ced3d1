//! Incremental linking: after an edit, links only the files that the edit affects. No other module
//! depends on how this works. Linking only passes the messages between files to a [`MessageLog`].
//!
//! - **Idea:** while calls are solved, the work of a file depends only on its facts, on the names
//!   that it looks up, and on the messages that it receives from other files
//!   ([`crate::points_to`]). A few files can therefore be solved without the others if the messages
//!   from the others are known.
//! - **Stored data:** each file has a mailbox with the messages that it received in the last link
//!   ([`mailbox`]). A message identifies an item by its number within its file, which does not
//!   change when another file is edited ([`stored_message`]). After an edit, the numbers of files,
//!   directories and items are translated ([`renumbering`]).
//! - **Affected files:** these are first the edited and added files, and the files that look up a
//!   name whose meaning may have changed ([`first_affected`]). The name may be defined in a changed
//!   file ([`changes`]), or be part of the path of an added or removed file ([`path_changes`]). The
//!   affected files are solved again, with the stored messages from all other files ([`group`]). If
//!   they now send another file different messages, that file is affected too, and all affected
//!   files are solved again. When no more files are affected, the remaining files would only repeat
//!   their work.
//! - **Fallback:** all files of the group are linked if more than a tenth of them are affected, or
//!   if names cannot express the effects of the edit. A group whose last link reached its step
//!   limit has no stored messages: if any file is affected, all of its files are linked.
//! - **Invariant:** edges and mailboxes equal those of a full link. `tests/relinking.rs` compares
//!   them after random edits.
//! - **Cost:** building the name tables of all files, solving the affected files (again whenever
//!   more files are affected), and one pass over the mailboxes that mention a changed file.

mod alignment;
mod changes;
mod edit;
mod first_affected;
mod group;
pub(crate) mod mailbox;
mod message_columns;
mod path_changes;
mod renumbering;
mod stored_message;

use crate::hierarchy::Hierarchy;
use crate::link::{CallEdge, Linked, link_group};
use crate::names::Source;
use edit::Edit;
use group::Group;
use mailbox::Mailbox;
pub use renumbering::Renumbering;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use whichfn_syntax::ids::FileId;
use whichfn_syntax::lang::{LangId, Registry};

/// The files of the last link, and its result.
pub struct PreviousLink<'p> {
    /// Name of the repository's directory.
    pub root: &'p str,
    /// All files at that time, sorted by path. Only files that were edited or removed since then
    /// have facts.
    pub sources: &'p [Source<'p>],
    /// Returns the stored messages that a file received. Takes its number at that time.
    pub mail: &'p dyn Fn(FileId) -> &'p [u8],
    /// Steps taken since the last full link, for each group of languages, by its first language.
    pub steps: &'p BTreeMap<LangId, u64>,
    /// See [`Linked::left_out`].
    pub left_out: &'p BTreeMap<LangId, u32>,
}

/// The result of [`relink`].
pub struct Relinked<'p> {
    /// The files that were linked again.
    pub files: BTreeSet<FileId>,
    /// All edges of their calls, sorted by caller, site and callee. The calls of all other files
    /// lead to the same definitions as before.
    pub edges: Vec<CallEdge>,
    /// The bases and owners that these files declare, sorted. Those of all other files are
    /// unchanged.
    pub hierarchy: Hierarchy,
    /// See [`Linked::left_out`].
    pub left_out: BTreeMap<LangId, u32>,
    /// Steps taken since the last full link, for each group of languages, by its first language.
    pub steps: BTreeMap<LangId, u64>,
    /// The mapping from previous numbers to current ones.
    pub renumbering: Renumbering,
    /// New mailboxes, indexed by the current numbers of their files.
    mail: FxHashMap<FileId, Vec<u8>>,
    previous_mail: &'p dyn Fn(FileId) -> &'p [u8],
}

/// Links the files that an edit affects. If these files cannot be determined or are too many, links
/// all files of their group of languages. `sources` is as for [`crate::link()`], but groups without
/// a changed file need no facts if no file was added or removed.
pub fn relink<'p>(previous: &PreviousLink<'p>, sources: &[Source<'_>], registry: &Registry) -> Relinked<'p> {
    let (steps, left_out) = (previous.steps.clone(), previous.left_out.clone());
    let mut linked = Linked { steps, left_out, ..Linked::default() };
    let mut files = BTreeSet::new();
    let renumbering = Renumbering::new(previous.sources, sources);
    if renumbering.keeps_files() && previous.sources.iter().all(|source| source.facts.is_none()) {
        return Relinked::new(linked, files, renumbering, previous);
    }
    let edit = Edit::new(previous.root, previous.sources, sources, renumbering, registry);
    for (&language, in_group) in &edit.groups {
        if !edit.may_affect(language) {
            continue;
        }
        let group = Group::new(&edit, language, in_group, previous);
        let (part, affected) = group.and_then(Group::relink).unwrap_or_else(|| {
            let all = in_group.iter().copied().collect();
            (link_group(language, sources, in_group, &edit.paths, registry), all)
        });
        linked.left_out.retain(|&other, _| edit.group_of(other) != language);
        linked.add(part);
        files.extend(affected);
    }
    linked.edges.sort_unstable();
    linked.hierarchy.sort();
    Relinked::new(linked, files, edit.renumbering, previous)
}

impl<'p> Relinked<'p> {
    fn new(linked: Linked, files: BTreeSet<FileId>, renumbering: Renumbering, previous: &PreviousLink<'p>) -> Self {
        let Linked { edges, left_out, steps, mail, hierarchy } = linked;
        let mail = mail.into_iter().collect();
        Self { files, edges, hierarchy, left_out, steps, renumbering, mail, previous_mail: previous.mail }
    }

    /// Checks whether all mailboxes are unchanged.
    pub fn keeps_mail(&self) -> bool {
        self.files.is_empty() && self.mail.is_empty() && self.renumbering.keeps_files()
    }

    /// Returns the messages that a file received, in stored form; `None` if the stored messages of
    /// the last link are invalid.
    pub fn mail(&self, file: FileId) -> Option<Cow<'_, [u8]>> {
        if let Some(mailbox) = self.mail.get(&file) {
            return Some(Cow::Borrowed(mailbox));
        }
        let previous = self.renumbering.previous(file).filter(|_| !self.files.contains(&file));
        let mailbox = previous.map_or(&[][..], self.previous_mail);
        match previous.filter(|_| !self.renumbering.keeps_files()) {
            Some(previous) => Mailbox::read(previous, mailbox)?.with_files(|file| self.renumbering.file(file)),
            None => Some(Cow::Borrowed(mailbox)),
        }
    }
}
