//! Requests what the question of a fleet names exactly, and moves it to the front of the hits.

use super::{Coordinator, Replies, Requests};
use crate::fleet::message::{ShardReply, Step};
use whichfn_index::store::NamedValueId;
use whichfn_search::answer::{NameMatch, put_named_first};
use whichfn_search::search::Found;
use whichfn_syntax::ids::MemberId;
use whichfn_system::error::Result;

impl<T: FnMut(&Requests) -> Result<Replies>> Coordinator<T> {
    /// Moves definitions whose name is the whole question to the front. Returns the values with this
    /// name if no definition has it.
    pub(super) fn put_named_first(&mut self, found: &mut Found) -> Result<Vec<(MemberId, NamedValueId)>> {
        if !self.question.names {
            return Ok(Vec::new());
        }
        let step = Step::Named { counts: found.counts.clone(), best: found.best };
        let steps: Vec<(usize, Step)> = (0..self.shards.len()).map(|at| (at, step.clone())).collect();
        let named = self.exchange(steps.into_iter(), |shard, _, reply| match reply {
            ShardReply::NamedFound(named) if named.iter().all(|one| shard.contains(one.member)) => Some(named),
            _ => None,
        })?;
        let named = NameMatch::best_of(named.into_iter().flatten().collect());
        put_named_first(&mut found.hits, &named);
        self.measure_new(found)?;
        Ok(named.iter().filter_map(NameMatch::value).collect())
    }
}
