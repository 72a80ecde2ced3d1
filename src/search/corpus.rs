//! Corpus statistics of the definitions that a question ranks: how many there are, and how long their fields are on
//! average.
//!
//! Price: nothing where all files are asked about, because the index holds the sums; else one pass over the files asked
//!        about. What is asked of a single definition is looked up when it is found.

use super::field::DocumentField;
use super::postings::FieldPostings;
use super::query::{Query, Unit};
use super::weights::{FieldWeight, Weights};
use crate::ids::{DefinitionId, FileId};
use crate::lang::DefinitionKind;
use crate::parse::Field;
use crate::store::{FieldTotals, GraphFile, KindGroup};

/// The definitions that are compared with one another, and the lengths of their fields.
pub(super) struct CorpusStats<'a> {
    graph: &'a GraphFile,
    /// By file: whether it is asked about.
    allowed: &'a [bool],
    /// By number of [`KindGroup`]: whether definitions of it are ranked.
    groups: [bool; KindGroup::ALL.len()],
    /// How many are ranked.
    pub size: usize,
    /// Mean number of words by [`DocumentField`].
    average_lengths: [f32; DocumentField::COUNT],
    /// All files are.
    allows_all: bool,
}

impl<'a> CorpusStats<'a> {
    /// The corpus that a query ranks; `allowed` says by file whether it asks about it.
    pub fn new(graph: &'a GraphFile, query: &Query, allowed: &'a [bool]) -> Self {
        let groups = KindGroup::ALL.map(|group| query.unit == Unit::File || query.kind.accepts(group.kind()));
        let allows_all = allowed.iter().all(|&allowed| allowed);
        let mut corpus = Self { graph, allowed, allows_all, groups, size: 0, average_lengths: [0.0; _] };
        let totals = if allows_all { corpus.all() } else { corpus.counted() };
        corpus.size = totals.definitions as usize;
        let sums = totals.own.iter().chain(&totals.through_calls);
        for (average, &sum) in corpus.average_lengths.iter_mut().zip(sums) {
            *average = (sum as f64 / corpus.size.max(1) as f64).max(1e-3) as f32;
        }
        corpus
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

    /// Whether a definition is ranked.
    pub fn is_member(&self, id: DefinitionId) -> bool {
        let kind = self.graph.traits(id).kind();
        kind != DefinitionKind::Declaration
            && self.groups[KindGroup::of(kind) as usize]
            && (self.allows_all || self.allowed[self.graph.file_around(id).index()])
    }

    /// In how many members a term occurs in a field of their own.
    pub fn document_frequency(&self, postings: &FieldPostings) -> usize {
        let own = DocumentField::ALL.into_iter().filter(|of| of.is_own());
        let mut counted = vec![0u64; self.graph.definition_count().div_ceil(64)];
        let mut is_new = |id: u32| {
            let (word, bit) = (&mut counted[id as usize / 64], 1 << (id % 64));
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        };
        let ids = own.flat_map(|of| &postings[of.number()]).map(|&(id, _)| id);
        ids.filter(|&id| is_new(id) && self.is_member(DefinitionId(id))).count()
    }

    /// What one occurrence in a field of a definition counts: the field's weight, less for a long field.
    pub fn occurrence_weight(&self, weights: &Weights, id: DefinitionId, of: DocumentField) -> f32 {
        let FieldWeight { weight, b } = weights.fields[of.number()];
        let length = match of {
            DocumentField::Own(field) => f32::from(self.graph.lengths(id)[field as usize]),
            through => self.graph.call_field_lengths(id)[through.number() - Field::COUNT] as f32,
        };
        weight / (1.0 - b + b * length / self.average_lengths[of.number()])
    }
}
