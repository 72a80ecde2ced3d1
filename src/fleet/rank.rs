//! Leads questions through a fleet, line by line, for an engine that transports the requests.

use super::catalog::Catalog;
use super::coordinator::{Coordinator, Next, Replies};
use super::message::ShardReply;
use super::typed_question::{TypedQuestion, to_ask};
use super::worker::{error_reply, lines_of, read, write_reply};
use crate::render;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;
use whichfn_search::answer::Answer;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Result};

/// Maximum number of questions in progress; the oldest is dropped to start another.
const UNDER_WAY: usize = 256;

/// An order to a coordinator.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Order {
    /// Starts a question.
    Ask(Map<String, Value>),
    /// Passes the replies of shards to the last requests of a question.
    Replies { replies: BTreeMap<String, Option<Value>> },
    /// Reads the catalog again, because it has changed.
    Reload,
    /// Checks that the process is alive.
    Ping,
}

/// Leads questions until the orders end. Reads one JSON object per line and writes one reply for
/// each, in order.
///
/// # Errors
/// When the catalog cannot be read at the start, or lines cannot be read or written.
pub fn lead(
    catalog: &Path,
    registry: &Registry,
    orders: impl BufRead,
    mut out: impl Write,
) -> Result<std::io::Result<()>> {
    let mut leading = PendingQuestions { catalog: Catalog::read(catalog)?, registry, under_way: Vec::new(), sent: 0 };
    Ok(lines_of(orders).try_for_each(|line| {
        let line = line?;
        if line.trim().is_empty() {
            return Ok(());
        }
        let (order, id) = read::<Order>(&line);
        let reply = order.and_then(|order| leading.follow(order, id.as_ref(), catalog));
        write_reply(&mut out, reply.unwrap_or_else(|error| error_reply(&error)), id)
    }))
}

struct PendingQuestions<'r> {
    catalog: Catalog,
    registry: &'r Registry,
    under_way: Vec<ActiveRanking>,
    /// Number of times requests were sent.
    sent: u64,
}

/// A question in progress, found by the id of its orders.
struct ActiveRanking {
    id: Value,
    coordinator: Coordinator,
    /// Tag of the last requests.
    tag: u64,
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
                    Error::new(Kind::Usage, "the question has no id", "give it an id, so that replies can refer to it")
                })?;
                // A client that reuses an id has dropped its earlier question.
                self.under_way.retain(|known| known.id != id);
                let coordinator = self.begin(question)?;
                self.go_on(id, coordinator, |coordinator| Ok(coordinator.begin()))
            }
            Order::Replies { replies } => {
                let at = self.under_way.iter().position(|known| Some(&known.id) == id);
                let known = at.map(|at| self.under_way.remove(at)).ok_or_else(|| {
                    Error::new(Kind::Usage, "no pending question has this id", "send the question first")
                })?;
                let replies = understood(replies, known.tag)?;
                self.go_on(known.id, known.coordinator, |coordinator| coordinator.take(replies))
            }
        }
    }

    fn begin(&self, mut question: Map<String, Value>) -> Result<Coordinator> {
        question.remove("id");
        let typed: TypedQuestion = serde_json::from_value(Value::Object(question)).map_err(|cause| {
            Error::new(Kind::Usage, format!("the question is invalid: {cause}"), "see docs/SPEC.md, section 3")
        })?;
        let typed = typed.read();
        let shards = to_ask(&typed.visible(&self.catalog)?, &self.catalog);
        Coordinator::new(typed.into_question(), shards, self.registry)
    }

    fn go_on(
        &mut self,
        id: Value,
        mut coordinator: Coordinator,
        step: impl FnOnce(&mut Coordinator) -> Result<Next>,
    ) -> Result<Value> {
        match step(&mut coordinator)? {
            Next::Answer(answer) => Ok(json!({"answer": answer_json(&answer)})),
            Next::Send(requests) => {
                self.sent += 1;
                let tag = self.sent;
                let order = |(file, request): (String, _)| {
                    let mut order = json!(request);
                    order["op"] = "step".into();
                    order["tag"] = tag.into();
                    order["shard"] = file.as_str().into();
                    (file, order)
                };
                let send: BTreeMap<String, Value> = requests.into_iter().map(order).collect();
                self.under_way.push(ActiveRanking { id, coordinator, tag });
                let given_up = self.under_way.len().saturating_sub(UNDER_WAY);
                self.under_way.drain(..given_up);
                Ok(json!({"send": send}))
            }
        }
    }
}

/// Returns the answer of a fleet as JSON.
pub fn answer_json(answer: &Answer) -> Value {
    render::answer(answer, None, |_, _| None)
}

/// Parses replies. One that is an error, is malformed, or answers another request becomes `None`;
/// an invalid question is an error of the whole.
fn understood(replies: BTreeMap<String, Option<Value>>, tag: u64) -> Result<Replies> {
    let mut out = Replies::new();
    for (file, reply) in replies {
        let mut fields = match reply {
            Some(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        fields.remove("id");
        if fields.get("usage") == Some(&Value::Bool(true)) {
            let error = fields.get("error").and_then(Value::as_str).unwrap_or("the question is wrong");
            return Err(Error::new(Kind::Usage, error.to_owned(), "correct the question"));
        }
        let is_to_this = fields.remove("tag") == Some(tag.into());
        let reply = serde_json::from_value::<ShardReply>(Value::Object(fields)).ok();
        out.insert(file, reply.filter(|_| is_to_this));
    }
    Ok(out)
}
