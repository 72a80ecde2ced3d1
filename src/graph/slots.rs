//! What solving knows in one file: its pointers, what they point to, and what follows for others.

use super::file_facts::FileFacts;
use super::listed::Listed;
use super::messages::{Message, Told};
use super::names::Names;
use super::objects::{AbstractObject, Constraint, LARGEST_SET};
use super::offsets::Offsets;
use super::sets::{Sets, SmallSets};
use crate::ids::{CallId, DefinitionId, FileId, PointerId, SlotId};
use std::collections::VecDeque;

/// The points-to sets and constraints of one file. Those of another file's pointer are what was sent there.
pub(super) struct FileSlots {
    pub file: FileId,
    first: u32,
    own: u32,
    /// Pointers beyond the file's own numbers, and the file of each.
    others: Listed<PointerId>,
    files: Vec<FileId>,
    pub sets: SmallSets<SlotId, AbstractObject>,
    pub constraints: Sets<SlotId, Constraint>,
    pub reached: Sets<CallId, DefinitionId>,
    pub turn: TurnWork,
}

/// What is left to be done in a turn: empty after it.
#[derive(Default)]
pub(super) struct TurnWork {
    /// Objects that the constraints of a pointer have not seen yet.
    pub queue: VecDeque<(SlotId, AbstractObject)>,
    /// What is to be told to other files.
    pub sent: Vec<Message>,
}

impl FileSlots {
    /// Of a file, before it is read.
    pub fn new(file: FileId, offsets: Offsets, facts: &FileFacts<'_>) -> Self {
        let (first, own) = (offsets.first().0, offsets.end().0 - offsets.first().0);
        Self {
            file,
            first,
            own,
            others: Listed::default(),
            files: Vec::new(),
            sets: SmallSets::new(own as usize),
            constraints: Sets::new(own as usize, facts.constraint_count()),
            reached: Sets::new(facts.places().len(), facts.places().len()),
            turn: TurnWork::default(),
        }
    }

    /// Of no file.
    pub fn none() -> Self {
        Self::new(FileId(0), Offsets::default(), &FileFacts::NOTHING)
    }

    /// The slot of one of the file's own pointers.
    #[inline]
    pub fn own_slot(&self, pointer: PointerId) -> SlotId {
        SlotId(pointer.0 - self.first)
    }

    /// The slot of a pointer.
    pub fn slot(&mut self, pointer: PointerId, names: &Names<'_>) -> SlotId {
        if let Some(number) = pointer.0.checked_sub(self.first).filter(|&number| number < self.own) {
            return SlotId(number);
        }
        let (number, is_new) = self.others.number(pointer);
        if is_new {
            self.files.push(names.file_of_pointer(pointer));
            self.sets.add_set();
            self.constraints.add_set();
        }
        SlotId(self.own + number)
    }

    /// The pointer of a slot, and its file.
    fn pointer(&self, slot: SlotId) -> (PointerId, FileId) {
        match slot.0.checked_sub(self.own) {
            Some(other) => (self.others.items()[other as usize], self.files[other as usize]),
            None => (PointerId(self.first + slot.0), self.file),
        }
    }

    /// Whether a slot is of a pointer of this file.
    fn is_own(&self, slot: SlotId) -> bool {
        slot.0.checked_sub(self.own).is_none_or(|other| self.files[other as usize] == self.file)
    }

    fn send(&mut self, to: SlotId, told: Told) {
        let (pointer, receiver) = self.pointer(to);
        self.turn.sent.push(Message { receiver, sender: self.file, pointer, told });
    }

    /// Adds an object to a points-to set, if that has room.
    pub fn point_to(&mut self, slot: SlotId, object: AbstractObject) {
        let (mut count, mut known) = (0, false);
        for other in self.sets.iter(slot) {
            count += 1;
            known |= other == object;
        }
        if count >= LARGEST_SET || known {
            return;
        }
        self.sets.push(slot, object);
        if !self.is_own(slot) {
            self.send(slot, Told::Object(object));
        } else if !self.constraints.is_empty(slot) {
            self.turn.queue.push_back((slot, object));
        }
    }

    /// Adds a constraint. Whether it is to be applied to what the pointer points to already: else its file will do so.
    pub fn constrain(&mut self, slot: SlotId, constraint: Constraint) -> bool {
        let is_own = self.is_own(slot);
        let pointer = |of| self.pointer(of).0;
        match constraint {
            _ if is_own => self.constraints.push(slot, constraint),
            Constraint::Copy { to } => self.send(slot, Told::Copy { to: pointer(to) }),
            Constraint::Bind { to, receiver } => self.send(slot, Told::Bind { to: pointer(to), receiver }),
            Constraint::Load { name, to } => self.send(slot, Told::Load { name, to: pointer(to) }),
            Constraint::Store { name, from } => self.send(slot, Told::Store { name, from: pointer(from) }),
            // Only what is called in this file is called.
            Constraint::Call { .. } => {}
        }
        is_own
    }

    /// Whether one of the file's own pointers points to anything.
    pub fn knows(&self, pointer: PointerId) -> bool {
        !self.sets.is_empty(self.own_slot(pointer))
    }

    /// Notes that a call reaches a definition; false if that was known.
    pub fn reach(&mut self, call: CallId, id: DefinitionId) -> bool {
        let new = !self.reached.iter(call).any(|known| known == id);
        if new {
            self.reached.push(call, id);
        }
        new
    }
}
