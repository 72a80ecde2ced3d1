//! Merges the results that shards show, sorted by rank.

use super::message::ShardReply;
use super::stage::{Members, holds, unexpected};
use rustc_hash::FxHashMap;
use whichfn_search::answer::{Duplicate, HitGroup, MemberDefinition, RepositoryOf, SearchResult};
use whichfn_syntax::ids::MemberId;
use whichfn_system::error::Result;

/// Returns the results of ranked groups from the replies of shards with these members; `origins`
/// are the repositories of all members by number.
///
/// # Errors
/// When no shard shows a head.
pub(super) fn results(
    groups: &[HitGroup],
    replies: Vec<(&Members, ShardReply)>,
    origins: &[RepositoryOf],
) -> Result<Vec<SearchResult>> {
    let mut heads: FxHashMap<MemberDefinition, SearchResult> = FxHashMap::default();
    let mut others: FxHashMap<MemberDefinition, Duplicate> = FxHashMap::default();
    for (members, reply) in replies {
        let ShardReply::Shown(results, duplicates) = reply else { return Err(unexpected("a shard")) };
        let own = groups.iter().map(|group| (group.head.member, group.head.definition));
        heads.extend(own.filter(|id| holds(members, id.0)).zip(results));
        let own = groups.iter().flat_map(|group| group.duplicates.iter().copied());
        others.extend(own.filter(|id| holds(members, id.0)).zip(duplicates));
    }
    let origin = |member: MemberId| origins.get(member.index()).cloned();
    let result = |(group, rank): (&HitGroup, usize)| {
        let head = heads.remove(&(group.head.member, group.head.definition)).ok_or_else(|| unexpected("a shard"))?;
        let duplicate = |id: &MemberDefinition| Some(Duplicate { origin: origin(id.0), ..others.remove(id)? });
        let duplicates = group.duplicates.iter().filter_map(duplicate).collect();
        Ok(SearchResult { rank, origin: origin(group.head.member), duplicates, ..head })
    };
    groups.iter().zip(1..).map(result).collect()
}
