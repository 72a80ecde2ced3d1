//! The definitions of one index that a query ranks, and their contribution to [`CorpusStatistics`].
//!
//! - **Cost:** nothing if the query covers all files, because the index stores the sums; otherwise
//!   one pass over the files that the query covers. Filters on single definitions are checked when
//!   a definition is found.

use super::field::DocumentField;
use super::postings::FieldPostings;
use super::query::{Query, Unit};
use whichfn_index::store::{FieldTotals, GraphFile, KindGroup};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;

#[cfg(doc)]
use super::counts::CorpusStatistics;

/// The definitions of an index that are ranked against one another.
#[derive(Clone)]
pub(super) struct Corpus<'g> {
    graph: &'g GraphFile,
    /// True for each file that the query covers, indexed by file.
    allowed: Vec<bool>,
    /// True for each group of kinds that is ranked, indexed by [`KindGroup`].
    groups: [bool; KindGroup::ALL.len()],
    /// True if the query covers all files.
    allows_all: bool,
}

impl<'g> Corpus<'g> {
    /// Creates the corpus that a query ranks.
    ///
    /// `allowed` is true for each file that the query covers, indexed by file.
    pub fn new(graph: &'g GraphFile, query: &Query, allowed: Vec<bool>) -> Self {
        let groups = KindGroup::ALL.map(|group| query.unit == Unit::File || query.kind.accepts(group.kind()));
        let allows_all = allowed.iter().all(|&allowed| allowed);
        Self { graph, allowed, allows_all, groups }
    }

    /// Returns, for each file, whether the query covers it.
    pub fn allowed(&self) -> &[bool] {
        &self.allowed
    }

    /// Returns the number of definitions, and the number of their words in each field.
    pub fn totals(&self) -> FieldTotals {
        if self.allows_all { self.all() } else { self.counted() }
    }

    fn all(&self) -> FieldTotals {
        let totals = self.graph.totals();
        let ranked = KindGroup::ALL.into_iter().filter(|&group| self.groups[group as usize]);
        ranked.map(|group| totals[group as usize]).fold(FieldTotals::default(), FieldTotals::plus)
    }

    fn counted(&self) -> FieldTotals {
        let mut totals = FieldTotals::default();
        let files = self.graph.file_ids().filter(|file| self.allowed[file.index()]);
        for id in files.flat_map(|file: FileId| self.graph.definitions_of(file)).filter(|&id| self.is_member(id)) {
            totals.add(self.graph.lengths(id), self.graph.call_field_lengths(id));
        }
        totals
    }

    /// Checks whether a definition is ranked.
    pub fn is_member(&self, id: DefinitionId) -> bool {
        let kind = self.graph.traits(id).kind();
        kind != DefinitionKind::Declaration
            && !kind.is_registered()
            && self.groups[KindGroup::from_kind(kind) as usize]
            && (self.allows_all || self.allowed[self.graph.file_around(id).index()])
    }

    /// Counts the members of the corpus that contain a term in one of their own fields.
    pub fn document_frequency(&self, postings: &FieldPostings) -> u64 {
        let own = DocumentField::ALL.into_iter().filter(|field| field.is_own());
        let mut counted = vec![0u64; self.graph.definition_count().div_ceil(64)];
        let mut is_new = |id: u32| {
            let (word, bit) = (&mut counted[id as usize / 64], 1 << (id % 64));
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        };
        let ids = own.flat_map(|field| &postings[field.number()]).map(|&(id, _)| id);
        ids.filter(|&id| is_new(id) && self.is_member(DefinitionId(id))).count() as u64
    }
}
