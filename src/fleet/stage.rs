//! Progress of a question, and the check that replies match the last requests.

use super::message::{FleetCandidate, ShardReply};
use whichfn_search::answer::HitGroup;
use whichfn_search::search::{BestHits, Hit};
use whichfn_syntax::ids::MemberId;
use whichfn_system::error::{Error, Kind};

/// Members of a shard with their numbers among all members, sorted by number.
pub(super) type Members = Vec<(MemberId, String)>;

/// The step requested last, with the values needed to handle its replies.
pub(super) enum Stage {
    Count,
    CountSynonyms { terms: usize },
    Score,
    Choose { chosen: BestHits },
    Measure { hits: Vec<Hit> },
    Show { groups: Vec<HitGroup> },
}

impl Stage {
    /// Checks whether a reply has the shape that the last request requires. The values in it are
    /// trusted. `members` are the members of the shard; the question has `terms` terms.
    pub fn fits(&self, reply: &ShardReply, members: &Members, terms: usize) -> bool {
        let own = |hit: &Hit| holds(members, hit.member) && hit.score.is_finite();
        match (reply, self) {
            (ShardReply::Damaged(ids), _) => members.iter().any(|(_, id)| ids.contains(id)),
            (ShardReply::Counted(counted), Self::Count) => {
                let frequencies = &counted.counts.frequencies;
                let are_possible = frequencies.iter().all(|&frequency| frequency <= counted.counts.totals.definitions);
                (frequencies.len(), counted.holds.len()) == (terms, terms) && are_possible
                    || frequencies.is_empty() && counted.counts.totals.definitions == 0
            }
            (ShardReply::SynonymsCounted(counts), Self::CountSynonyms { terms }) => counts.len() == *terms,
            (ShardReply::Scored(best), Self::Score) => best.is_finite() && *best >= 0.0,
            (ShardReply::Chosen(best), Self::Choose { .. }) => {
                best.hits.iter().all(own) && best.exact.iter().all(|exact| own(&exact.hit) && exact.bonus.is_finite())
            }
            (ShardReply::Measured(candidates), Self::Measure { hits }) => {
                let expected = hits.iter().filter(|hit| holds(members, hit.member)).count();
                let is_whole =
                    |one: &FleetCandidate| one.measured.as_ref().is_none_or(|measured| measured.features.is_whole());
                candidates.len() == expected && candidates.iter().all(is_whole)
            }
            (ShardReply::Shown(results, duplicates), Self::Show { groups }) => {
                let heads = groups.iter().filter(|group| holds(members, group.head.member)).count();
                let others = groups.iter().flat_map(|group| &group.duplicates);
                (results.len(), duplicates.len()) == (heads, others.filter(|id| holds(members, id.0)).count())
            }
            _ => false,
        }
    }
}

/// Checks whether `members`, sorted by number, contain a member.
pub(super) fn holds(members: &Members, member: MemberId) -> bool {
    members.binary_search_by_key(&member, |(number, _)| *number).is_ok()
}

pub(super) fn unexpected(shard: &str) -> Error {
    Error::new(Kind::Index, format!("{shard} sent an unexpected reply"), "run the same version of whichfn everywhere")
}
