//! Rounds of call solving: files are solved one at a time, and a constraint or object for a pointer
//! of another file is delivered to that file in the next round.
//!
//! - **Invariant:** the messages that a file sends are a function of its facts, of the names that
//!   it looks up and of the messages that it receives, sorted by round and sender. By induction on
//!   the rounds, there is exactly one solution, regardless of the order of work. Some files can
//!   therefore be solved separately if the messages from all other files are known
//!   ([`crate::relink`]).
//! - **Cost:** rounds continue as long as any message is sent. Most repositories take 18 to 28
//!   rounds, and Kafka takes 230, but the later ones are nearly empty.
//! - **Alternatives:** one queue over all files, but then the contents of a full points-to set
//!   depend on the order of arrival.

use super::PointsTo;
use super::message::{ArrivingMessage, Message, MessageContent};
use super::objects::Constraint;
use super::slots::FileSlots;
use crate::names::Names;
use whichfn_syntax::ids::FileId;

impl<'a, 'n> PointsTo<'a, 'n> {
    /// Solves `files`, which are sorted by path. `pending` contains the known messages from other
    /// files, sorted by round. Passes each arriving message to `deliver`, sorted by round, receiver
    /// and sender.
    pub fn solve(
        names: &'n mut Names<'a>,
        files: &[FileId],
        pending: &[ArrivingMessage],
        mut deliver: impl FnMut(&Names<'a>, &ArrivingMessage),
    ) -> Self {
        let mut solver = Self::new(names);
        let (mut sent, mut pending) = (Vec::new(), pending.iter().peekable());
        for &file in files {
            solver.begin_round(file);
            solver.read_file();
            solver.end_round(&mut sent);
        }
        let mut round = 0;
        while !solver.names.budget.is_spent() {
            round = match pending.peek() {
                Some((next, _)) if sent.is_empty() => *next,
                None if sent.is_empty() => break,
                // Stored messages may have any round.
                _ => round.saturating_add(1),
            };
            let mut arrived = std::mem::take(&mut sent);
            let sent_count = arrived.len();
            arrived.extend(std::iter::from_fn(|| pending.next_if(|(at, _)| *at == round)).map(|&(_, message)| message));
            // The messages of this run are already sorted by sender, because files run in order.
            match arrived.len() == sent_count {
                true => arrived.sort_by_key(|message| message.receiver),
                false => arrived.sort_by_key(|message| (message.receiver, message.sender)),
            }
            for messages in arrived.chunk_by(|one, next| one.receiver == next.receiver) {
                messages.iter().for_each(|message| deliver(solver.names, &(round, *message)));
                solver.run_round(messages, &mut sent);
            }
        }
        solver.files.iter_mut().flatten().for_each(|slots| slots.drop_constraints());
        solver
    }

    /// Starts the first round of a file, with empty points-to sets.
    fn begin_round(&mut self, file: FileId) {
        *self.current = FileSlots::new(file, self.names.offsets(file), self.names.facts(file));
        std::mem::swap(&mut self.current.work, &mut self.work);
    }

    /// Runs a later round of a file: applies the messages that it received, then solves it again.
    fn run_round(&mut self, messages: &[Message], sent: &mut Vec<Message>) {
        let Some(slots) = messages.first().and_then(|message| self.files[message.receiver].take()) else { return };
        self.current = slots;
        std::mem::swap(&mut self.current.work, &mut self.work);
        for message in messages {
            self.receive(message);
        }
        self.end_round(sent);
    }

    fn receive(&mut self, message: &Message) {
        let slot = self.slot(message.pointer);
        match message.content {
            MessageContent::Object(object) => self.point_to(slot, object),
            MessageContent::Copy { to } => {
                let to = self.slot(to);
                self.constrain(slot, Constraint::Copy { to });
            }
            MessageContent::Bind { to, receiver } => {
                let to = self.slot(to);
                self.constrain(slot, Constraint::Bind { to, receiver });
            }
            MessageContent::Load { name, to } => {
                let to = self.slot(to);
                self.constrain(slot, Constraint::Load { name, to });
            }
            MessageContent::Store { name, from } => {
                let from = self.slot(from);
                self.constrain(slot, Constraint::Store { name, from });
            }
        }
    }

    fn end_round(&mut self, sent: &mut Vec<Message>) {
        self.drain();
        sent.append(&mut self.current.work.sent);
        // Empty already, unless the step budget ran out during this round.
        self.current.work.queue.clear();
        std::mem::swap(&mut self.current.work, &mut self.work);
        let ended = std::mem::replace(&mut self.current, Box::new(FileSlots::none()));
        let file = ended.file;
        self.files[file] = Some(ended);
    }
}
