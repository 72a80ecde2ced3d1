//! Runs a fleet in one process, querying open shards in parallel. Any other way of running a fleet
//! must give the same answers.

use super::coordinator::{Coordinator, Next, Replies};
use super::message::{FleetQuestion, ShardReply, ShardRequest};
use super::shard_search::ShardSearch;
use super::typed_question::SearchableShard;
use rayon::prelude::*;
use std::collections::BTreeMap;
use whichfn_index::store::{Damaged, Shard, catch_damaged};
use whichfn_search::answer::Answer;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Kind, Result};

/// Answers a question from open shards. A shard that the question needs and that is missing from
/// `shards`, or damaged, is listed as missing in the answer.
///
/// # Errors
/// When the question is empty, names an unknown language, or a glob is wrong.
pub fn ask(
    question: FleetQuestion,
    to_ask: Vec<SearchableShard>,
    shards: &[Shard],
    registry: &Registry,
) -> Result<Answer> {
    let mut searches: BTreeMap<String, ShardSearch<'_>> =
        shards.iter().map(|shard| (shard.file_name(), ShardSearch::new(shard, registry))).collect();
    let mut coordinator = Coordinator::new(question, to_ask, registry)?;
    let mut next = coordinator.begin();
    loop {
        let mut requests = match next {
            Next::Answer(answer) => return Ok(*answer),
            Next::Send(requests) => requests,
        };
        let of_each: Vec<_> =
            searches.iter_mut().filter_map(|(file, shard)| Some((file, shard, requests.remove(file)?))).collect();
        let answered = of_each.into_par_iter().map(|(file, shard, request)| Ok((file.clone(), reply(shard, request)?)));
        let mut replies = answered.collect::<Result<Replies>>()?;
        // A shard that is not open does not answer.
        replies.extend(requests.into_keys().map(|file| (file, None)));
        next = coordinator.take(replies)?;
    }
}

/// Returns a shard's reply, or `None` if the shard is damaged or does not match the catalog.
fn reply(shard: &mut ShardSearch<'_>, request: ShardRequest) -> Result<Option<ShardReply>> {
    match answer(shard, request) {
        Err(error) if error.kind() == Kind::Usage => Err(error),
        reply => Ok(reply.ok()),
    }
}

/// Returns a shard's reply. If damage is met, finds the damaged members by reading all of them, and
/// leaves them out from then on.
///
/// # Errors
/// The same as [`ShardSearch::answer`].
pub(super) fn answer(shard: &mut ShardSearch<'_>, request: ShardRequest) -> Result<ShardReply> {
    let members: Vec<String> = request.members.iter().map(|(_, id)| id.clone()).collect();
    catch_damaged(|| shard.answer(request))
        .unwrap_or_else(|Damaged { .. }| Ok(ShardReply::Damaged(shard.find_damaged(&members))))
}
