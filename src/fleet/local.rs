//! A fleet in one process: open shards, several asked at once. What any other way of running it must answer.

use super::asked_shard::AskedShard;
use super::coordinator::{Coordinator, Next, Replies};
use super::message::{FleetQuestion, ShardReply, ShardRequest};
use super::typed::ShardToAsk;
use crate::answer::Answer;
use crate::error::{Kind, Result};
use crate::lang::Registry;
use crate::store::{Damaged, Shard, caught};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Answers a question from open shards. A shard that the question asks about and that is not among `shards`, or is damaged, is
/// missing in the answer, and named there.
///
/// # Errors
/// When the question is empty, names an unknown language, or a glob is wrong.
pub fn ask(question: FleetQuestion, to_ask: Vec<ShardToAsk>, shards: &[Shard], registry: &Registry) -> Result<Answer> {
    let mut asked: BTreeMap<String, AskedShard<'_>> =
        shards.iter().map(|shard| (shard.file_name(), AskedShard::new(shard, registry))).collect();
    let mut coordinator = Coordinator::new(question, to_ask, registry)?;
    let mut next = coordinator.begin();
    loop {
        let mut requests = match next {
            Next::Answer(answer) => return Ok(*answer),
            Next::Send(requests) => requests,
        };
        let of_each: Vec<_> =
            asked.iter_mut().filter_map(|(file, shard)| Some((file, shard, requests.remove(file)?))).collect();
        let answered = of_each.into_par_iter().map(|(file, shard, request)| Ok((file.clone(), reply(shard, request)?)));
        let mut replies = answered.collect::<Result<Replies>>()?;
        // What is not open does not answer.
        replies.extend(requests.into_keys().map(|file| (file, None)));
        next = coordinator.take(replies)?;
    }
}

/// A shard's reply; none if it is damaged or is not what the catalog says.
fn reply(shard: &mut AskedShard<'_>, request: ShardRequest) -> Result<Option<ShardReply>> {
    match answer(shard, request) {
        Err(error) if error.kind() == Kind::Usage => Err(error),
        reply => Ok(reply.ok()),
    }
}

/// A shard's reply. Where damage is met, the members that are damaged are found by reading all of them, and left out from then on.
///
/// # Errors
/// Those of [`AskedShard::answer`].
pub(super) fn answer(shard: &mut AskedShard<'_>, request: ShardRequest) -> Result<ShardReply> {
    let asked: Vec<String> = request.members.iter().map(|(_, id)| id.clone()).collect();
    caught(|| shard.answer(request))
        .unwrap_or_else(|Damaged { .. }| Ok(ShardReply::Damaged(shard.find_damaged(&asked))))
}
