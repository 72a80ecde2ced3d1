//! Incremental linking: after an edit, links only the files that the edit affects. Nothing outside
//! this module depends on how it works, except that each link passes its messages to a
//! [`MessageLog`].
//!
//! - **Idea:** what a file does while calls are solved is a function of its facts, of the names that
//!   it looks up, and of the messages that it receives from other files
//!   ([`crate::points_to`]). So a few files can be solved without the others if the messages of the
//!   others are known.
//! - **Stored:** for each file its mailbox, the messages that it received in the last link
//!   ([`mailbox`]). A message refers to an item by its number within its file, which an edit of
//!   another file does not shift ([`stored_message`]). After an edit, numbers of files, directories
//!   and items are translated ([`renumbering`]).
//! - **Affected files:** first, the edited and added files, and the files that look up a name whose
//!   meaning may have changed, because of the content of a changed file ([`changes`]) or because of
//!   its path ([`path_changes`]); [`first_affected`] finds them. They are solved again, and receive
//!   the stored messages of all other files ([`group`]). If they now send a file other messages than
//!   the stored ones, that file joins, and all are solved again, until no file joins. All remaining
//!   files would then repeat what they did.
//! - **Gives up:** if one file in ten would be solved again, or the effects cannot be expressed by
//!   names, everything in the group is linked from scratch.
//! - **Invariant:** edges and mailboxes equal those of a full link. `tests/relinking.rs` compares
//!   them after random edits.
//! - **Cost:** the tables of names of all files, the affected files, once per step of growth, and
//!   one pass over the stored messages that mention a changed file.

mod alignment;
mod changes;
mod edit;
mod first_affected;
mod group;
mod mailbox;
mod path_changes;
mod renumbering;
mod stored_message;

use crate::link::{CallEdge, Linked, link_group};
use crate::names::Source;
use edit::Edit;
use group::Group;
use mailbox::Mailbox;
pub(crate) use mailbox::MessageLog;
pub use renumbering::Renumbering;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use whichfn_syntax::ids::FileId;
use whichfn_syntax::lang::{LangId, Registry};

/// The result of the last link, and the files that it linked.
pub struct PreviousLink<'p> {
    /// All files at that time, sorted by path. Only files that have been edited or removed since
    /// have facts.
    pub sources: &'p [Source<'p>],
    /// Returns the stored messages that a file received, by its number at that time.
    pub mail: &'p dyn Fn(FileId) -> &'p [u8],
    /// Steps taken since the last full link, for each group of languages, by its first language.
    pub steps: &'p BTreeMap<LangId, u64>,
}

/// The result of [`relink`].
pub struct Relinked<'p> {
    /// The files that were linked again.
    pub files: BTreeSet<FileId>,
    /// All edges of their calls, sorted by caller, site and callee. The calls of all other files
    /// lead to the same definitions as before.
    pub edges: Vec<CallEdge>,
    /// See [`Linked::left_out`].
    pub left_out: u32,
    /// Steps taken since the last full link, for each group of languages, by its first language.
    pub steps: BTreeMap<LangId, u64>,
    /// The mapping from previous numbers to current ones.
    pub renumbering: Renumbering,
    /// Mailboxes that were written again, by current number of the file.
    mail: FxHashMap<FileId, Vec<u8>>,
    previous_mail: &'p dyn Fn(FileId) -> &'p [u8],
}

/// Links the files that an edit affects, or everything in a group of languages if these files cannot
/// be determined or are many. `sources` is as for [`crate::link()`].
pub fn relink<'p>(previous: &PreviousLink<'p>, sources: &[Source<'_>], registry: &Registry) -> Relinked<'p> {
    let (mut linked, mut files) = (Linked::default(), BTreeSet::new());
    let renumbering = Renumbering::new(previous.sources, sources);
    if renumbering.keeps_files() && previous.sources.iter().all(|source| source.facts.is_none()) {
        linked.steps = previous.steps.clone();
        return Relinked::new(linked, files, renumbering, previous);
    }
    let edit = Edit::new(previous.sources, sources, renumbering, registry);
    for (&language, in_group) in &edit.groups {
        if !edit.may_affect(language) {
            linked.steps.extend(previous.steps.get_key_value(&language));
            continue;
        }
        let group = Group::new(&edit, language, in_group, previous);
        let (part, affected) = group.and_then(Group::relink).unwrap_or_else(|| {
            let all = in_group.iter().copied().collect();
            (link_group(language, sources, in_group, &edit.paths, registry), all)
        });
        linked.add(part);
        files.extend(affected);
    }
    linked.edges.sort_unstable();
    Relinked::new(linked, files, edit.renumbering, previous)
}

impl<'p> Relinked<'p> {
    fn new(linked: Linked, files: BTreeSet<FileId>, renumbering: Renumbering, previous: &PreviousLink<'p>) -> Self {
        let Linked { edges, left_out, steps, mail } = linked;
        let mail = mail.into_iter().collect();
        Self { files, edges, left_out, steps, renumbering, mail, previous_mail: previous.mail }
    }

    /// Checks whether all stored messages stay as they are.
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
