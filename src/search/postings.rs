//! Where the question's terms occur: their postings, read from the text index and spread along call edges.
//!
//! Price:    one pass over the postings of the question's terms and of their synonyms

use super::field::DocumentField;
use super::question::Question;
use super::weights::Weights;
use crate::error::Result;
use crate::ids::{DefinitionId, FileId};
use crate::parse::Field;
use crate::store::{GraphFile, TextFields, split_address, text_failed};
use crate::text::synonyms;
use rustc_hash::FxHashMap;
use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, Searcher as TextSearcher, SegmentReader, TERMINATED, Term as TextTerm};

/// The number of a definition, and how often a term occurs in it.
pub(super) type Posting = (u32, f32);

/// The postings of one term by [`DocumentField`], in order of definition.
pub(super) type FieldPostings = [Vec<Posting>; DocumentField::COUNT];

static NO_POSTINGS: FieldPostings = [const { Vec::new() }; DocumentField::COUNT];

/// The text index and what leads from its documents to definitions.
#[derive(Clone, Copy)]
pub(super) struct TextIndex<'a> {
    pub searcher: &'a TextSearcher,
    pub fields: &'a TextFields,
    pub graph: &'a GraphFile,
    /// See [`files_by_text_id`].
    pub files: &'a [u32],
}

/// The postings of the question's terms.
pub(super) struct QuestionPostings {
    /// By term: those of the word itself.
    pub exact: Vec<FieldPostings>,
    /// By term: those of the word and its synonyms, each at its weight.
    pub with_synonyms: Vec<FieldPostings>,
}

impl QuestionPostings {
    /// Reads the postings of all terms and of their synonyms.
    pub fn read(weights: &Weights, question: &Question, index: TextIndex<'_>) -> Result<Self> {
        let mut stems: Vec<&str> = question.terms.iter().map(|t| t.stem.as_str()).collect();
        if weights.synonym > 0.0 {
            stems.extend(question.terms.iter().flat_map(|t| synonyms(&t.stem)).map(String::as_str));
        }
        stems.sort_unstable();
        stems.dedup();
        let postings = index.postings(&stems)?;
        let of = |stem: &str| stems.binary_search(&stem).map_or(&NO_POSTINGS, |at| &postings[at]);
        let exact: Vec<FieldPostings> = question.terms.iter().map(|t| of(&t.stem).clone()).collect();
        let with_synonyms = question.terms.iter().zip(&exact).map(|(term, exact)| {
            let others: Vec<&FieldPostings> =
                if weights.synonym > 0.0 { synonyms(&term.stem).iter().map(|s| of(s)).collect() } else { Vec::new() };
            merged(exact, &others, weights.synonym)
        });
        Ok(Self { with_synonyms: with_synonyms.collect(), exact })
    }

    /// Drops all postings but those of these definitions, which come in order: words of others no longer count, through
    /// call edges neither. Document frequencies come from [`Self::exact`] and stay as they were.
    pub fn restrict_to(&mut self, ids: &[DefinitionId], graph: &GraphFile) {
        let is_kept = |&(id, _): &Posting| ids.binary_search(&DefinitionId(id)).is_ok();
        for postings in &mut self.with_synonyms {
            postings.iter_mut().for_each(|list| list.retain(is_kept));
            fill_call_fields(postings, graph);
            for of in DocumentField::ALL.into_iter().filter(|of| !of.is_own()) {
                postings[of as usize].retain(is_kept);
            }
        }
    }
}

/// Counts of a word, and those of its synonyms at a weight.
fn merged(exact: &FieldPostings, synonyms: &[&FieldPostings], weight: f32) -> FieldPostings {
    if synonyms.is_empty() {
        return exact.clone();
    }
    let mut out: FieldPostings = Default::default();
    for (field, out) in out.iter_mut().enumerate() {
        out.clone_from(&exact[field]);
        for synonym in synonyms {
            out.extend(synonym[field].iter().map(|&(id, count)| (id, count * weight)));
        }
        // A stable sort keeps the word itself first, so sums are the same in every run.
        out.sort_by_key(|&(id, _)| id);
        out.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
    }
    out
}

impl TextIndex<'_> {
    /// The postings of each stem, with those of the fields had through call edges.
    fn postings(self, stems: &[&str]) -> Result<Vec<FieldPostings>> {
        let mut by_stem: Vec<FieldPostings> = stems.iter().map(|_| Default::default()).collect();
        for segment in self.searcher.segment_readers() {
            for field in Field::ALL {
                self.read_field(segment, field, stems, &mut by_stem)?;
            }
        }
        for postings in &mut by_stem {
            // Segments come in any order; sums of floats must not.
            postings.iter_mut().for_each(|list| list.sort_unstable_by_key(|&(id, _)| id));
            fill_call_fields(postings, self.graph);
        }
        Ok(by_stem)
    }

    /// Adds the postings of one field in one segment; deleted documents are left out.
    fn read_field(
        self,
        segment: &SegmentReader,
        field: Field,
        stems: &[&str],
        by_stem: &mut [FieldPostings],
    ) -> Result<()> {
        let addresses = segment.fast_fields().u64("address").map_err(|cause| text_failed("read", &cause))?;
        let alive = segment.alive_bitset();
        let handle = self.fields.text[field as usize];
        let inverted = segment.inverted_index(handle).map_err(|cause| text_failed("read", &cause))?;
        for (stem, out) in stems.iter().zip(by_stem) {
            let key = TextTerm::from_field_text(handle, stem);
            let found = inverted
                .read_postings(&key, IndexRecordOption::WithFreqs)
                .map_err(|cause| text_failed("read", &cause.into()))?;
            let Some(mut found) = found else { continue };
            let mut document = found.doc();
            while document != TERMINATED {
                if alive.is_none_or(|alive| alive.is_alive(document)) {
                    let address = addresses.first(document).unwrap_or(u64::MAX);
                    let id = self.definition(address);
                    out[field as usize].extend(id.map(|id| (id, found.term_freq() as f32)));
                }
                document = found.advance();
            }
        }
        Ok(())
    }

    /// The number of the definition at an address; none if its file is not of this generation.
    fn definition(self, address: u64) -> Option<u32> {
        let (text_id, local) = split_address(address);
        let file = *self.files.get(text_id as usize).filter(|&&file| file != u32::MAX)?;
        Some(self.graph.file(FileId(file)).first_definition.0 + local)
    }
}

/// The file of each number in the text index; `u32::MAX` for a file of another generation.
pub(super) fn files_by_text_id(graph: &GraphFile) -> Vec<u32> {
    let most = graph.file_ids().map(|file| graph.file(file).text_id).max().map_or(0, |id| id as usize + 1);
    let mut files = vec![u32::MAX; most];
    for file in graph.file_ids() {
        files[graph.file(file).text_id as usize] = file.0;
    }
    files
}

/// Calls back with each definition that one is connected to.
type Neighbours<'a> = dyn Fn(DefinitionId, &mut dyn FnMut(DefinitionId)) + 'a;

/// Fills the fields had through call edges from the postings of names and summaries.
fn fill_call_fields(postings: &mut FieldPostings, graph: &GraphFile) {
    let callees = |id: DefinitionId, emit: &mut dyn FnMut(DefinitionId)| {
        let mut last = None;
        for call in graph.calls(id) {
            if last != Some(call.callee) {
                emit(call.callee);
            }
            last = Some(call.callee);
        }
    };
    let callers = |id: DefinitionId, emit: &mut dyn FnMut(DefinitionId)| {
        graph.callers(id).iter().for_each(|&caller| emit(caller))
    };
    postings[DocumentField::CallerNames as usize] = spread(&postings[DocumentField::Name as usize], &callees);
    postings[DocumentField::CallerDocs as usize] = spread(&postings[DocumentField::Summary as usize], &callees);
    postings[DocumentField::CalleeDocs as usize] = spread(&postings[DocumentField::Summary as usize], &callers);
}

/// Postings handed on to the neighbours of each definition; counts of one neighbour add up.
fn spread(list: &[Posting], to: &Neighbours<'_>) -> Vec<Posting> {
    let mut sums: FxHashMap<u32, f32> = FxHashMap::default();
    for &(id, count) in list {
        to(DefinitionId(id), &mut |other| {
            if other.0 != id {
                *sums.entry(other.0).or_default() += count;
            }
        });
    }
    let mut out: Vec<Posting> = sums.into_iter().collect();
    out.sort_unstable_by_key(|&(id, _)| id);
    out
}
