//! Coordinates questions to a fleet for a program that transports the messages as lines of JSON.

use super::catalog::Catalog;
use super::coordinator::{Coordinator, Replies, Requests};
use super::typed_question::TypedQuestion;
use super::worker::{error_reply, lines_of, read, write_reply};
use crate::render;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;
use whichfn_search::answer::Answer;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::threads::no_thread;

/// Maximum number of questions in progress; the oldest is dropped to start another.
const MAX_PENDING: usize = 256;

/// An order to a coordinator.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Order {
    /// Starts answering a question.
    Ask(Map<String, Value>),
    /// Passes on the shards' replies to the last requests of a question.
    Replies { replies: BTreeMap<String, Option<Value>> },
    /// Reads the catalog again, because it has changed.
    Reload,
    /// Checks that the process is alive.
    Ping,
}

/// Coordinates questions until the orders end. Reads one JSON object per line and writes one reply
/// for each, in order.
///
/// # Errors
/// Returns an error if the catalog cannot be read at the start, or lines cannot be read or written.
pub fn lead(
    catalog: &Path,
    registry: &Registry,
    orders: impl BufRead,
    mut out: impl Write,
) -> Result<std::io::Result<()>> {
    let mut questions = PendingQuestions { catalog: Catalog::read(catalog)?, registry, pending: Vec::new(), sent: 0 };
    Ok(lines_of(orders).try_for_each(|line| {
        let line = line?;
        if line.trim().is_empty() {
            return Ok(());
        }
        let (order, id) = read::<Order>(&line);
        let reply = order.and_then(|order| questions.follow(order, id.as_ref(), catalog));
        write_reply(&mut out, reply.unwrap_or_else(|error| error_reply(&error)), id)
    }))
}

struct PendingQuestions<'r> {
    catalog: Catalog,
    registry: &'r Registry,
    pending: Vec<PendingQuestion>,
    /// Number of times requests were sent.
    sent: u64,
}

/// A question in progress, found by the id of its orders. A thread coordinates it and ends when the
/// question is dropped.
struct PendingQuestion {
    id: Value,
    /// Tag of the last requests.
    tag: u64,
    /// Takes the replies to the last requests.
    replies: Sender<Replies>,
    /// Returns the next requests, or the answer.
    next: Receiver<Result<Value>>,
}

impl PendingQuestions<'_> {
    fn follow(&mut self, order: Order, id: Option<&Value>, catalog: &Path) -> Result<Value> {
        match order {
            Order::Ping => Ok(json!({"pong": 1})),
            Order::Reload => {
                self.catalog = Catalog::read(catalog)?;
                Ok(json!({"reloaded": true}))
            }
            Order::Ask(question) => {
                let id = id.cloned().ok_or_else(|| {
                    Error::new(
                        Kind::Usage,
                        "the question has no id",
                        "add an id, so that replies can refer to the question",
                    )
                })?;
                // A client that reuses an id has dropped its earlier question.
                self.pending.retain(|known| known.id != id);
                let question = self.start(id, question)?;
                self.proceed(question)
            }
            Order::Replies { replies } => {
                let at = self.pending.iter().position(|known| Some(&known.id) == id);
                let known = at.map(|at| self.pending.remove(at)).ok_or_else(|| {
                    Error::new(Kind::Usage, "no pending question has this id", "send the question first")
                })?;
                // If the thread has ended, `proceed` reports it.
                let _ = known.replies.send(understood(replies, known.tag)?);
                self.proceed(known)
            }
        }
    }

    /// Starts the thread of a question.
    fn start(&self, id: Value, mut question: Map<String, Value>) -> Result<PendingQuestion> {
        question.remove("id");
        let typed: TypedQuestion = serde_json::from_value(Value::Object(question)).map_err(|cause| {
            Error::new(Kind::Usage, format!("the question is invalid: {cause}"), "see docs/SPEC.md, section 3")
        })?;
        let typed = typed.read();
        let visible = self.catalog.visible(&typed)?;
        let ((replies, received), (done, next)) = (channel(), channel());
        let requested = done.clone();
        let transport = move |requests: &Requests| {
            // If the receiver was dropped, so was the sender of replies.
            let _ = requested.send(Ok(json!({"send": requests})));
            received.recv().map_err(|_| Error::new(Kind::Usage, "the question was dropped", "send it again"))
        };
        let coordinator = Coordinator::new(typed.into_question(), &visible, self.registry, transport)?;
        let run = move || drop(done.send(coordinator.answer().map(|answer| json!({"answer": answer_json(&answer)}))));
        Builder::new().spawn(run).map_err(|cause| no_thread(&cause))?;
        Ok(PendingQuestion { id, tag: 0, replies, next })
    }

    /// Waits for the next requests of a question, or for its answer.
    fn proceed(&mut self, mut question: PendingQuestion) -> Result<Value> {
        let mut next = question.next.recv().map_err(|_| {
            let next = "try a different question; if it happens again, report it with the question";
            Error::new(Kind::Index, "answering the question failed unexpectedly", next)
        })??;
        if let Some(requests) = next.get_mut("send").and_then(Value::as_object_mut) {
            self.sent += 1;
            for (file, order) in requests {
                order["op"] = "step".into();
                order["tag"] = self.sent.into();
                order["shard"] = file.as_str().into();
            }
            question.tag = self.sent;
            self.pending.push(question);
            let dropped = self.pending.len().saturating_sub(MAX_PENDING);
            self.pending.drain(..dropped);
        }
        Ok(next)
    }
}

/// Returns the answer of a fleet as JSON.
pub fn answer_json(answer: &Answer) -> Value {
    render::answer(answer, None, |_| None)
}

/// Parses replies, without those that are errors, are malformed, or answer other requests.
///
/// # Errors
/// Returns an error if a reply reports that the question is invalid.
fn understood(replies: BTreeMap<String, Option<Value>>, tag: u64) -> Result<Replies> {
    let mut out = Replies::new();
    for (file, reply) in replies {
        let Some(Value::Object(mut fields)) = reply else { continue };
        fields.remove("id");
        if fields.get("usage") == Some(&Value::Bool(true)) {
            let error = fields.get("error").and_then(Value::as_str).unwrap_or("the question is invalid");
            return Err(Error::new(Kind::Usage, error.to_owned(), "correct the question"));
        }
        let is_current = fields.remove("tag") == Some(tag.into());
        let reply = serde_json::from_value(Value::Object(fields)).ok();
        out.extend(reply.filter(|_| is_current).map(|reply| (file, reply)));
    }
    Ok(out)
}
