//! Content of a shard, and what it adds to the sums of ranking.

use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::path::Path;
use whichfn_index::store::{
    FieldTotals, Fingerprint, GraphFile, KindGroup, MemberRecord, Shard, ShardMember, catch_damaged, damaged_member,
};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::{DefinitionKind, Registry};
use whichfn_system::error::{Error, Result};

/// Statistics of a shard.
#[derive(Debug, Clone)]
pub struct ShardStats {
    /// Name of the file.
    pub file: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Statistics of the readable members, in order.
    pub members: Vec<MemberStats>,
    /// Damaged members, each with the error.
    pub damaged: Vec<(MemberRecord, Error)>,
}

/// Statistics of a member.
#[derive(Debug, Clone)]
pub struct MemberStats {
    /// Record of the member in the shard.
    pub record: MemberRecord,
    /// Totals of definitions and their words, by number of [`KindGroup`].
    pub totals: [FieldTotals; KindGroup::ALL.len()],
    /// Number of functions that contain each stem in a field of their own. Empty unless requested.
    pub words: BTreeMap<String, u64>,
}

impl ShardStats {
    /// Reads the statistics of a shard. With `words`, reads every list of postings; with `verify`,
    /// every byte of the members.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Shard::open`]. Damaged members are not errors.
    pub fn read(path: &Path, words: bool, verify: bool) -> Result<Self> {
        let registry = Registry::builtin()?;
        // The size limit is the one that the shard was packed with, so it is not compared.
        let shard = Shard::open(path, &Fingerprint::new(registry.digest(), 0))?;
        let bytes = path.metadata().map_or(0, |meta| meta.len());
        let mut stats = Self { file: shard.file_name(), bytes, members: Vec::new(), damaged: shard.damaged };
        for member in shard.members {
            let is_whole = !verify || member.verify().is_ok();
            match catch_damaged(|| is_whole.then(|| MemberStats::new(&member, words))) {
                Ok(Some(found)) => stats.members.push(found),
                _ => {
                    let error = damaged_member(path, &member.record.id);
                    stats.damaged.push((member.record, error));
                }
            }
        }
        Ok(stats)
    }

    /// Returns the sums over all members.
    pub fn totals(&self) -> [FieldTotals; KindGroup::ALL.len()] {
        let mut totals = [FieldTotals::default(); KindGroup::ALL.len()];
        for member in &self.members {
            totals.iter_mut().zip(member.totals).for_each(|(sum, member)| *sum = sum.plus(member));
        }
        totals
    }

    /// Returns the number of functions of all members that contain each stem.
    pub fn words(&self) -> BTreeMap<String, u64> {
        let mut words = BTreeMap::new();
        for (stem, count) in self.members.iter().flat_map(|member| &member.words) {
            *words.entry(stem.clone()).or_default() += count;
        }
        words
    }
}

impl MemberStats {
    fn new(member: &ShardMember, words: bool) -> Self {
        let graph = &member.generation.graph;
        let mut totals = [FieldTotals::default(); KindGroup::ALL.len()];
        totals.iter_mut().zip(graph.totals()).for_each(|(sum, total)| *sum = *total);
        let words = if words { functions_by_stem(graph) } else { BTreeMap::new() };
        Self { record: member.record.clone(), totals, words }
    }
}

/// Returns the number of functions that contain each stem. Documentation in a separate declaration
/// is included, the same as in a question about functions.
fn functions_by_stem(graph: &GraphFile) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for stem in graph.stems() {
        let mut holders: FxHashSet<DefinitionId> = FxHashSet::default();
        graph.for_each_posting(stem, |posting| match graph.traits(posting.definition).kind() {
            DefinitionKind::Declaration => holders.extend(graph.documents(posting.definition)),
            _ => {
                holders.insert(posting.definition);
            }
        });
        let functions = holders.iter().filter(|&&id| graph.traits(id).kind().is_function()).count();
        if functions > 0 {
            counts.insert(stem.to_owned(), functions as u64);
        }
    }
    counts
}
