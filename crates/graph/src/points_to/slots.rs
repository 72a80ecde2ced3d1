//! State of the solver for one file: its pointers, their points-to sets and the constraints on
//! them.

use super::message::{Message, MessageContent};
use super::objects::{AbstractObject, Constraint, LARGEST_SET, LARGEST_TABLE, PackedObject};
use super::sets::{SetPlace, Sets, SmallSets};
use crate::file_facts::FileFacts;
use crate::indexed_list::IndexedList;
use crate::names::Names;
use crate::names::Offsets;
use crate::static_types::VariableValues;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use whichfn_syntax::ids::{CallId, DefinitionId, FileId, PointerId, SlotId};
use whichfn_syntax::parse::Symbol;

/// The points-to sets and constraints of one file. The set of a pointer of another file contains
/// the objects that this file sent there.
pub(crate) struct FileSlots {
    pub file: FileId,
    first: u32,
    own: u32,
    /// Pointers outside the file's own range. `files` contains the file of each.
    others: IndexedList<PointerId>,
    files: Vec<FileId>,
    sets: SmallSets<SlotId, PackedObject>,
    pub constraints: Sets<SlotId, Constraint>,
    pub reached: Sets<CallId, DefinitionId>,
    /// The file's own pointers that only point to the objects of their declared types.
    exact: SlotBits,
    /// The file's own parameters.
    parameters: SlotBits,
    /// The file's own variables that are declared with a type of the repository.
    declared: SlotBits,
    /// Pointers that only point to functions and to objects of their declared types.
    functions_only: FxHashSet<SlotId>,
    /// Traits whose members library objects may have in this file.
    pub traits: Vec<DefinitionId>,
    /// Members of types that this file reads from the object literals that implement the types.
    pub implemented: FxHashSet<(DefinitionId, Symbol)>,
    /// Assignments of the file's variables; read when a call of overloads is first solved.
    pub variables: Option<VariableValues>,
    pub work: RoundWork,
}

/// A bit for each of a file's own pointers.
#[derive(Default)]
struct SlotBits(Vec<u64>);

impl SlotBits {
    fn set(&mut self, slot: SlotId) {
        let word = slot.0 as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (slot.0 % 64);
    }

    fn contains(&self, slot: SlotId) -> bool {
        self.0.get(slot.0 as usize / 64).is_some_and(|bits| bits & 1 << (slot.0 % 64) != 0)
    }
}

/// Pending work of a round; empty when the round has ended.
#[derive(Default)]
pub(crate) struct RoundWork {
    /// Objects that have not been passed through the constraints of their pointer yet.
    pub queue: VecDeque<(SlotId, AbstractObject)>,
    /// Messages to send to other files.
    pub sent: Vec<Message>,
}

impl FileSlots {
    /// Creates the state of a file that has not been read yet.
    pub fn new(file: FileId, offsets: Offsets, facts: &FileFacts<'_>) -> Self {
        let (first, own) = (offsets.first().0, offsets.end().0 - offsets.first().0);
        Self {
            file,
            first,
            own,
            others: IndexedList::default(),
            files: Vec::new(),
            sets: SmallSets::new(own as usize),
            constraints: Sets::new(own as usize, facts.constraint_count()),
            reached: Sets::new(facts.call_count(), facts.call_count()),
            exact: SlotBits::default(),
            parameters: SlotBits::default(),
            declared: SlotBits::default(),
            functions_only: FxHashSet::default(),
            traits: Vec::new(),
            implemented: FxHashSet::default(),
            variables: None,
            work: RoundWork::default(),
        }
    }

    /// Creates a placeholder that belongs to no file.
    pub fn none() -> Self {
        Self::new(FileId(0), Offsets::default(), &FileFacts::NOTHING)
    }

    /// Frees the constraints, which only solving needs.
    pub fn drop_constraints(&mut self) {
        self.constraints = Sets::new(0, 0);
        self.variables = None;
        self.implemented = FxHashSet::default();
    }

    /// Returns the slot of one of the file's own pointers.
    #[inline]
    pub fn own_slot(&self, pointer: PointerId) -> SlotId {
        SlotId(pointer.0 - self.first)
    }

    /// Returns the slot of a pointer, and adds one if the pointer belongs to another file and is
    /// new.
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

    /// Returns the pointer of a slot and the file that owns it.
    fn pointer(&self, slot: SlotId) -> (PointerId, FileId) {
        match slot.0.checked_sub(self.own) {
            Some(other) => (self.others.items()[other as usize], self.files[other as usize]),
            None => (PointerId(self.first + slot.0), self.file),
        }
    }

    /// Checks whether this file owns the pointer of a slot.
    fn is_own(&self, slot: SlotId) -> bool {
        slot.0.checked_sub(self.own).is_none_or(|other| self.files[other as usize] == self.file)
    }

    fn send(&mut self, to: SlotId, content: MessageContent) {
        let (pointer, receiver) = self.pointer(to);
        self.work.sent.push(Message { receiver, sender: self.file, pointer, content });
    }

    /// Iterates over the objects in a points-to set, newest first.
    pub fn objects(&self, slot: SlotId) -> impl Iterator<Item = AbstractObject> + '_ {
        self.sets.iter(slot).map(AbstractObject::from)
    }

    /// Returns the position of the newest object of a points-to set.
    pub fn newest(&self, slot: SlotId) -> SetPlace<PackedObject> {
        self.sets.newest(slot)
    }

    /// Returns the object at a position, and the position of the next older object.
    pub fn object(&self, at: SetPlace<PackedObject>) -> Option<(AbstractObject, SetPlace<PackedObject>)> {
        self.sets.item(at).map(|(object, next)| (object.into(), next))
    }

    /// Limits one of the file's own pointers to the objects that it points to now.
    pub fn close(&mut self, slot: SlotId) {
        self.exact.set(slot);
    }

    /// Records that one of the file's own pointers is a parameter, so that its set stays small: the
    /// functions that a decorator is called with have nothing in common.
    pub fn note_parameter(&mut self, slot: SlotId) {
        self.parameters.set(slot);
    }

    /// Records that one of the file's own pointers is declared with a type of the repository. That type
    /// says what the objects are that do not fit into the set.
    pub fn note_declared(&mut self, slot: SlotId) {
        self.declared.set(slot);
    }

    /// Limits one of the file's own pointers to functions and the objects that it points to now.
    pub fn limit_to_functions(&mut self, slot: SlotId) {
        self.functions_only.insert(slot);
    }

    /// Checks whether a pointer only points to the objects of its declared type.
    pub fn is_exact(&self, slot: SlotId) -> bool {
        self.exact.contains(slot)
    }

    /// Adds an object to a points-to set. A full set ([`LARGEST_SET`], [`LARGEST_TABLE`]) gets
    /// [`AbstractObject::Unknown`] instead. Returns false if the set does not contain the object
    /// afterwards.
    pub fn point_to(&mut self, slot: SlotId, object: AbstractObject) -> bool {
        if self.is_exact(slot) || self.functions_only.contains(&slot) && !object.may_be_function() {
            return true;
        }
        let is_declared = self.declared.contains(slot);
        if is_declared && object == AbstractObject::Unknown {
            return true;
        }
        let (packed, unknown) = (PackedObject::from(object), PackedObject::from(AbstractObject::Unknown));
        // The functions of a table leave the other objects of the set their places.
        let has_tables = !self.parameters.contains(slot);
        let in_table =
            |object| has_tables && matches!(object, AbstractObject::Definition(_) | AbstractObject::BoundMethod(_));
        let is_listed = in_table(object);
        let (mut count, mut is_open) = (0, false);
        for other in self.sets.iter(slot) {
            if other == packed {
                return true;
            }
            is_open |= other == unknown;
            count += usize::from(other != unknown && in_table(other.into()) == is_listed);
        }
        // Functions among objects of all kinds are no table.
        let largest = if is_listed && !is_open { LARGEST_TABLE } else { LARGEST_SET };
        let is_full = object != AbstractObject::Unknown && count >= largest;
        if is_full && (is_open || is_declared) {
            return false;
        }
        let object = if is_full { AbstractObject::Unknown } else { object };
        self.sets.push(slot, object.into());
        if !self.is_own(slot) {
            self.send(slot, MessageContent::Object(object));
        } else if !self.constraints.is_empty(slot) {
            self.work.queue.push_back((slot, object));
        }
        !is_full
    }

    /// Adds a constraint. Returns true if this file owns the pointer, so the caller must apply the
    /// constraint to the objects that the pointer already points to. Otherwise the constraint is
    /// sent to the owner, which applies it.
    pub fn constrain(&mut self, slot: SlotId, constraint: Constraint) -> bool {
        let is_own = self.is_own(slot);
        let pointer = |slot| self.pointer(slot).0;
        match constraint {
            _ if is_own => self.constraints.push(slot, constraint),
            Constraint::Copy { to } => self.send(slot, MessageContent::Copy { to: pointer(to) }),
            Constraint::Bind { to, receiver } => self.send(slot, MessageContent::Bind { to: pointer(to), receiver }),
            Constraint::Load { name, to } => self.send(slot, MessageContent::Load { name, to: pointer(to) }),
            Constraint::Store { name, from } => self.send(slot, MessageContent::Store { name, from: pointer(from) }),
            // These constraints are only ever added to the file's own pointers.
            Constraint::Call { .. }
            | Constraint::Hold { .. }
            | Constraint::Instantiate { .. }
            | Constraint::Element { .. }
            | Constraint::Implement { .. }
            | Constraint::Extend { .. } => {}
        }
        is_own
    }

    /// Checks whether all that one of the file's own pointers points to is known, and there is
    /// something.
    pub fn knows(&self, pointer: PointerId) -> bool {
        !self.sets.is_empty(self.own_slot(pointer)) && !self.is_open(pointer)
    }

    /// Checks whether one of the file's own pointers points to more than its set contains.
    pub fn is_open(&self, pointer: PointerId) -> bool {
        self.objects(self.own_slot(pointer)).any(|object| object == AbstractObject::Unknown)
    }

    /// Records that a call reaches a definition. Returns false if that was known.
    pub fn reach(&mut self, call: CallId, id: DefinitionId) -> bool {
        let new = !self.reached.iter(call).any(|known| known == id);
        if new {
            self.reached.push(call, id);
        }
        new
    }
}
