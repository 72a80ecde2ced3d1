//! Serves shards and answers the steps of questions, line by line: the process that a fleet's
//! engine starts on each machine with shards.

use super::local::answer;
use super::message::{ShardReply, ShardRequest};
use super::shard_search::ShardSearch;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use whichfn_index::store::{Fingerprint, Shard};
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Result};

/// An order to a worker.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Order {
    /// Replaces the loaded shards with these.
    Load { shards: Vec<PathBuf> },
    /// Checks that the process is alive.
    Ping,
    /// Performs a step of a question.
    Step {
        shard: String,
        /// Returned with the reply, so that the reply is not matched to another request.
        #[serde(default)]
        tag: u64,
        #[serde(flatten)]
        request: Box<ShardRequest>,
    },
}

/// Open shards, and the reasons why other shards could not be opened.
struct LoadedShards {
    shards: Vec<Shard>,
    failed: BTreeMap<String, String>,
}

/// Answers orders until they end. Reads one JSON object per line and writes one reply for each, in
/// order. An order that fails is answered with an error.
///
/// # Errors
/// Returns an error if lines cannot be read or written.
pub fn work(first: &[PathBuf], registry: &Registry, orders: impl BufRead, mut out: impl Write) -> std::io::Result<()> {
    let mut loaded = LoadedShards::new(first, registry, Vec::new());
    let mut lines = lines_of(orders);
    loop {
        let to_load = serve(&loaded, registry, &mut lines, &mut out)?;
        let Some((shards, id)) = to_load else { return Ok(()) };
        loaded = LoadedShards::new(&shards, registry, loaded.shards);
        let names: Vec<String> = loaded.shards.iter().map(Shard::file_name).collect();
        write_reply(&mut out, json!({"loaded": names, "failed": loaded.failed}), id)?;
    }
}

/// Returns lines as text. Invalid UTF-8 is replaced, so that its order is rejected as malformed.
pub(super) fn lines_of(orders: impl BufRead) -> impl Iterator<Item = std::io::Result<String>> {
    orders.split(b'\n').map(|line| Ok(String::from_utf8_lossy(&line?).into_owned()))
}

/// Answers from these shards until an order replaces them; returns `None` at the end of the orders.
fn serve(
    loaded: &LoadedShards,
    registry: &Registry,
    lines: &mut impl Iterator<Item = std::io::Result<String>>,
    out: &mut impl Write,
) -> std::io::Result<Option<(Vec<PathBuf>, Option<Value>)>> {
    let mut shards: BTreeMap<String, ShardSearch<'_>> =
        loaded.shards.iter().map(|shard| (shard.file_name(), ShardSearch::new(shard, registry))).collect();
    for line in lines {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let (order, id) = read::<Order>(&line);
        let reply = match order {
            Ok(Order::Load { shards }) => return Ok(Some((shards, id))),
            Ok(Order::Ping) => Ok(json!({"pong": 1})),
            Ok(Order::Step { shard, tag, request }) => match shards.get_mut(&shard) {
                Some(search) => answer(search, &request).map(|reply| tagged(&reply, tag)),
                None => Err(not_loaded(&shard, loaded)),
            },
            Err(error) => Err(error),
        };
        write_reply(out, reply.unwrap_or_else(|error| error_reply(&error)), id)?;
    }
    Ok(None)
}

impl LoadedShards {
    /// Opens shards. Shards that are already open are kept, because a shard never changes.
    fn new(paths: &[PathBuf], registry: &Registry, mut open: Vec<Shard>) -> Self {
        let mut loaded = Self { shards: Vec::new(), failed: BTreeMap::new() };
        let wanted = Fingerprint::new(registry.digest(), whichfn_index::index::Options::default().max_size);
        for path in paths {
            let shard = match open.iter().position(|shard| shard.path == *path) {
                Some(at) => Ok(open.swap_remove(at)),
                None => Shard::open(path, &wanted),
            };
            match shard {
                Ok(shard) => loaded.shards.push(shard),
                Err(error) => drop(loaded.failed.insert(shown(path), error.what().to_owned())),
            }
        }
        loaded
    }
}

fn tagged(reply: &ShardReply, tag: u64) -> Value {
    let mut reply = json!(reply);
    reply["tag"] = tag.into();
    reply
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn not_loaded(shard: &str, loaded: &LoadedShards) -> Error {
    let reason =
        loaded.failed.iter().find(|(path, _)| Path::new(path).ends_with(shard)).map(|(_, reason)| reason.as_str());
    let what = reason.map_or_else(|| format!("{shard} is not loaded"), str::to_owned);
    Error::new(Kind::Index, what, "load the shard first")
}

/// Parses an order, and returns it with the id that its reply carries.
pub(super) fn read<T: for<'de> Deserialize<'de>>(line: &str) -> (Result<T>, Option<Value>) {
    let wrong = |cause: serde_json::Error| {
        let next = "send one JSON object per line, and run the same version of whichfn everywhere";
        Error::new(Kind::Index, format!("invalid request: {cause}"), next)
    };
    let id = serde_json::from_str::<Value>(line).ok().and_then(|mut value| value.as_object_mut()?.remove("id"));
    (serde_json::from_str(line).map_err(wrong), id)
}

/// Writes one reply, with the id of its order.
pub(super) fn write_reply(out: &mut impl Write, mut value: Value, id: Option<Value>) -> std::io::Result<()> {
    if let Some(id) = id {
        value["id"] = id;
    }
    writeln!(out, "{value}")?;
    out.flush()
}

/// Returns an error as a reply.
pub(super) fn error_reply(error: &Error) -> Value {
    json!({"error": error.what(), "usage": error.kind() == Kind::Usage})
}
