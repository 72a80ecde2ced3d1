//! Requests the definitions that contain a text of the question literally, and moves them to the
//! front of the hits of a fleet.

use super::{Coordinator, Replies, Requests};
use crate::fleet::message::{ShardReply, Step};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use whichfn_search::answer::{LiteralMatch, may_lead, raise_literals};
use whichfn_search::search::{Found, KindFilter, Ranker};
use whichfn_syntax::ids::MemberId;
use whichfn_system::error::Result;

/// Maximum number of members in which literal texts are searched. Such a search reads the words of
/// all files, which takes a few milliseconds for each member.
const MAX_LITERAL_MEMBERS: usize = 32;

impl<T: FnMut(&Requests) -> Result<Replies>> Coordinator<T> {
    /// Moves definitions that contain a text of the question literally to the front.
    pub(super) fn put_literals_first(&mut self, found: &mut Found) -> Result<()> {
        let query = &self.prepared.query;
        if !may_lead(&query.question, &found.hits) {
            return Ok(());
        }
        let is_trusted = query.kind == KindFilter::Function && query.ranker == Ranker::Learned;
        let matches = self.literal_matches(found)?;
        if matches.is_empty() {
            return Ok(());
        }
        raise_literals(&mut found.hits, &matches, is_trusted);
        self.measure_new(found)
    }

    /// Requests the definitions that contain a text of the question literally, from the members of
    /// the best hits, then from the first members, up to [`MAX_LITERAL_MEMBERS`].
    fn literal_matches(&mut self, found: &Found) -> Result<Vec<LiteralMatch>> {
        let first = (0..self.origins.len()).map(MemberId::new).filter(|&number| self.shard_of(number).is_ok());
        let (mut seen, mut own) = (FxHashSet::default(), BTreeMap::<usize, Vec<MemberId>>::new());
        let members = found.hits.iter().map(|hit| hit.member).chain(first).filter(|&number| seen.insert(number));
        for number in members.take(MAX_LITERAL_MEMBERS) {
            own.entry(self.shard_of(number)?).or_default().push(number);
        }
        let step = |read| Step::Literals { counts: found.counts.clone(), best: found.best, read };
        let steps = own.into_iter().map(|(at, members)| (at, step(members)));
        let matches = self.exchange(steps, |_, step, reply| match (step, reply) {
            (Step::Literals { read, .. }, ShardReply::LiteralsFound(matches))
                if matches.iter().all(|one| read.contains(&one.member) && one.is_valid()) =>
            {
                Some(matches)
            }
            _ => None,
        })?;
        let mut matches: Vec<LiteralMatch> = matches.into_iter().flatten().collect();
        matches.sort_by_key(|one| one.member);
        Ok(LiteralMatch::best_of(matches))
    }
}
