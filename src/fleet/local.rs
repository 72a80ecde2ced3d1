//! Runs a fleet in one process, searching open shards in parallel. Any other way of running a fleet
//! must give the same answers.

use super::catalog::VisibleShard;
use super::coordinator::{Coordinator, Replies, Requests};
use super::message::{FleetQuestion, ShardReply, ShardRequest};
use super::shard_search::ShardSearch;
use rayon::prelude::*;
use std::collections::BTreeMap;
use whichfn_index::store::{Damaged, Shard, catch_damaged};
use whichfn_search::answer::Answer;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Kind, Result};

/// Answers a question from open shards. A visible shard that is damaged or missing from `shards` is
/// listed as missing in the answer.
///
/// # Errors
/// Returns an error if the question is empty, names an unknown language, or has an invalid glob.
pub fn ask(question: FleetQuestion, visible: &[VisibleShard], shards: &[Shard], registry: &Registry) -> Result<Answer> {
    let mut searches: BTreeMap<String, ShardSearch<'_>> =
        shards.iter().map(|shard| (shard.file_name(), ShardSearch::new(shard, registry))).collect();
    let transport = |requests: &Requests| -> Result<Replies> {
        let replies = searches.par_iter_mut().filter_map(|(file, shard)| match answer(shard, requests.get(file)?) {
            Ok(reply) => Some(Ok((file.clone(), reply))),
            Err(error) if error.kind() == Kind::Usage => Some(Err(error)),
            // The shard is damaged, or does not match the catalog.
            Err(_) => None,
        });
        replies.collect()
    };
    Coordinator::new(question, visible, registry, transport)?.answer()
}

/// Returns a shard's reply. After damage, reads all members to find the damaged ones, and leaves
/// them out from then on.
///
/// # Errors
/// Returns an error in the same cases as [`ShardSearch::answer`].
pub(super) fn answer(shard: &mut ShardSearch<'_>, request: &ShardRequest) -> Result<ShardReply> {
    catch_damaged(|| shard.answer(request))
        .unwrap_or_else(|Damaged { .. }| Ok(ShardReply::Damaged(shard.find_damaged(&request.members))))
}
