//! In which order calls are solved: files take turns, and what one has for another arrives a round later.
//!
//! Law:     what a file tells others is a function of its facts, of the names that it looks up, and of what it is told, in
//!          order of round and sender. By induction on the rounds there is one solution; no order of work, and no number of
//!          threads, can give another. So some files can be solved alone where the messages of all others are known.
//! Price:   rounds go on as long as anything is told: 18 to 28 on most repositories, 230 on Kafka, the later ones nearly empty.
//! Why not: one queue over all files: a full points-to set then depends on the order in which everything came.

use super::messages::{Message, Told};
use super::names::Names;
use super::objects::Constraint;
use super::points_to::PointsTo;
use super::slots::FileSlots;
use crate::ids::FileId;

/// A message, and the round in which it arrives.
pub(super) type Arriving = (u32, Message);

impl<'a, 'n> PointsTo<'a, 'n> {
    /// Solves some files, in order of path, among others of which it is known what they tell these: `told`, in order of round.
    /// `deliver` is given each message that arrives, and its round; in order of round, receiver and sender.
    pub fn solve(
        names: &'n mut Names<'a>,
        files: &[FileId],
        told: &[Arriving],
        mut deliver: impl FnMut(&Names<'a>, &Arriving),
    ) -> Self {
        let mut solver = Self::new(names);
        let (mut sent, mut told) = (Vec::new(), told.iter().peekable());
        for &file in files {
            solver.begin(file);
            solver.read_file();
            solver.end_turn(&mut sent);
        }
        let mut round = 0;
        while !solver.names.budget.is_spent() {
            round = match told.peek() {
                Some((next, _)) if sent.is_empty() => *next,
                None if sent.is_empty() => break,
                _ => round + 1,
            };
            let mut arriving = std::mem::take(&mut sent);
            let of_senders = arriving.len();
            arriving.extend(std::iter::from_fn(|| told.next_if(|(at, _)| *at == round)).map(|&(_, message)| message));
            // Senders took their turns in order.
            match arriving.len() == of_senders {
                true => arriving.sort_by_key(|message| message.receiver),
                false => arriving.sort_by_key(|message| (message.receiver, message.sender)),
            }
            for messages in arriving.chunk_by(|one, next| one.receiver == next.receiver) {
                messages.iter().for_each(|message| deliver(solver.names, &(round, *message)));
                solver.take_turn(messages, &mut sent);
            }
        }
        solver
    }

    /// The first turn of a file.
    fn begin(&mut self, file: FileId) {
        *self.current = FileSlots::new(file, self.names.offsets(file), self.names.facts(file));
        std::mem::swap(&mut self.current.turn, &mut self.turn);
    }

    /// A turn of a file that was begun: it is told what others have for it.
    fn take_turn(&mut self, messages: &[Message], sent: &mut Vec<Message>) {
        let Some(slots) = messages.first().and_then(|message| self.files.remove(&message.receiver)) else { return };
        self.current = slots;
        std::mem::swap(&mut self.current.turn, &mut self.turn);
        for message in messages {
            self.hear(message);
        }
        self.end_turn(sent);
    }

    fn hear(&mut self, message: &Message) {
        let slot = self.slot(message.pointer);
        match message.told {
            Told::Object(object) => self.point_to(slot, object),
            Told::Copy { to } => {
                let to = self.slot(to);
                self.constrain(slot, Constraint::Copy { to });
            }
            Told::Bind { to, receiver } => {
                let to = self.slot(to);
                self.constrain(slot, Constraint::Bind { to, receiver });
            }
            Told::Load { name, to } => {
                let to = self.slot(to);
                self.constrain(slot, Constraint::Load { name, to });
            }
            Told::Store { name, from } => {
                let from = self.slot(from);
                self.constrain(slot, Constraint::Store { name, from });
            }
        }
    }

    fn end_turn(&mut self, sent: &mut Vec<Message>) {
        self.drain();
        sent.append(&mut self.current.turn.sent);
        // Empty but for a turn that came to the bound of all work.
        self.current.turn.queue.clear();
        std::mem::swap(&mut self.current.turn, &mut self.turn);
        let ended = std::mem::replace(&mut self.current, Box::new(FileSlots::none()));
        self.files.insert(ended.file, ended);
    }
}
