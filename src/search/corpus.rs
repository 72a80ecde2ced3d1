//! Corpus statistics of the definitions that a question ranks: how many there are, and how long their fields are on
//! average.

use super::field::DocumentField;
use super::postings::FieldPostings;
use super::weights::{FieldWeight, Weights};
use crate::ids::DefinitionId;
use crate::parse::Field;
use crate::store::GraphFile;

/// Fields that are not stored but had through call edges.
const CALL_FIELDS: usize = DocumentField::COUNT - Field::COUNT;

/// The definitions that are compared with one another, and the lengths of their fields.
pub(super) struct CorpusStats {
    /// By definition: whether it is ranked.
    pub members: Vec<bool>,
    /// How many are ranked.
    pub size: usize,
    /// Mean number of words by [`DocumentField`].
    average_lengths: [f32; DocumentField::COUNT],
    /// Words in the fields had through call edges, by definition.
    call_field_lengths: Vec<[f32; CALL_FIELDS]>,
}

impl CorpusStats {
    /// The corpus of all definitions that `member` accepts.
    pub fn new(graph: &GraphFile, member: impl Fn(DefinitionId) -> bool) -> Self {
        let members: Vec<bool> = graph.definition_ids().map(member).collect();
        let call_field_lengths = call_field_lengths(graph);
        let mut sums = [0f64; DocumentField::COUNT];
        let mut size = 0;
        for id in graph.definition_ids().filter(|id| members[id.index()]) {
            let lengths = graph.lengths(id);
            size += 1;
            for field in 0..Field::COUNT {
                sums[field] += f64::from(lengths[field]);
            }
            for field in 0..CALL_FIELDS {
                sums[Field::COUNT + field] += f64::from(call_field_lengths[id.index()][field]);
            }
        }
        let average_lengths = sums.map(|sum| (sum / size.max(1) as f64).max(1e-3) as f32);
        Self { members, size, average_lengths, call_field_lengths }
    }

    /// In how many members a term occurs in a field of their own.
    pub fn document_frequency(&self, postings: &FieldPostings) -> usize {
        let own = DocumentField::ALL.into_iter().filter(|of| of.is_own());
        let mut ids: Vec<u32> = own
            .flat_map(|of| &postings[of as usize])
            .map(|&(id, _)| id)
            .filter(|&id| self.members[id as usize])
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids.len()
    }

    /// What one occurrence in a field of a definition counts: the field's weight, less for a long field.
    pub fn occurrence_weight(&self, weights: &Weights, graph: &GraphFile, id: usize, of: DocumentField) -> f32 {
        let FieldWeight { weight, b } = weights.fields[of as usize];
        let length = match of as usize {
            own if own < Field::COUNT => f32::from(graph.lengths(DefinitionId::new(id))[own]),
            through => self.call_field_lengths[id][through - Field::COUNT],
        };
        weight / (1.0 - b + b * length / self.average_lengths[of as usize])
    }
}

/// By definition: words in the names of its callers, in the first doc sentences of its callers, and in those of its
/// callees.
fn call_field_lengths(graph: &GraphFile) -> Vec<[f32; CALL_FIELDS]> {
    let mut lengths = vec![[0.0; CALL_FIELDS]; graph.definition_count()];
    for caller in graph.definition_ids() {
        let own = graph.lengths(caller);
        let mut last = None;
        for call in graph.calls(caller) {
            // Calls are in order of place; one callee called twice in a row is the common repetition.
            if last == Some(call.callee) || call.callee == caller {
                continue;
            }
            last = Some(call.callee);
            let callee = call.callee.index();
            lengths[callee][0] += f32::from(own[Field::Name as usize]);
            lengths[callee][1] += f32::from(own[Field::Summary as usize]);
            lengths[caller.index()][2] += f32::from(graph.lengths(call.callee)[Field::Summary as usize]);
        }
    }
    lengths
}
