//! The postings of the question's terms, read from the index and spread along call edges.
//!
//! Document frequencies need only the postings of the term itself ([`TermPostings`]). Scores also
//! need the postings of its synonyms, and of callers and callees ([`QuestionPostings`]).
//!
//! - **Cost:** one pass over the postings of the question's terms and of their synonyms

use super::field::DocumentField;
use super::question::{Question, Term};
use super::weights::{EXPANDED_TERMS, JOINED, Weights};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use whichfn_index::store::{GraphFile, TermPosting};
use whichfn_index::wordvec::WordTable;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Field;
use whichfn_text::synonyms_of;

/// Number of a definition, and the frequency of a term in that definition.
pub(super) type Posting = (u32, f32);

/// Postings of one term, indexed by [`DocumentField`] and sorted by definition.
pub(super) type FieldPostings = [Vec<Posting>; DocumentField::COUNT];

/// Postings of the question's terms, without synonyms, in the stored fields.
#[derive(Default)]
pub(super) struct TermPostings(pub Vec<FieldPostings>);

impl TermPostings {
    /// Reads the postings of all terms.
    pub fn read(question: &Question, graph: &GraphFile) -> Self {
        Self(question.terms.iter().map(|term| read(graph, &term.stem)).collect())
    }

    /// Reads the postings of the synonyms of each given term.
    pub fn read_synonyms(synonyms: &Synonyms, terms: &[usize], graph: &GraphFile) -> Vec<FieldPostings> {
        let read_term = |&term: &usize| {
            let mut all = FieldPostings::default();
            for (stem, _) in synonyms.get(term).into_iter().flatten() {
                all.iter_mut().zip(read(graph, stem)).for_each(|(all, list)| all.extend(list));
            }
            all
        };
        terms.iter().map(read_term).collect()
    }

    /// Keeps only the postings of the given definitions, which must be sorted.
    pub fn restrict(postings: &mut FieldPostings, ids: &[DefinitionId]) {
        postings.iter_mut().for_each(|list| list.retain(|&(id, _)| ids.binary_search(&DefinitionId(id)).is_ok()));
    }

    /// Adds the postings of synonyms and the fields derived from calls.
    pub fn complete(self, question: &Question, synonyms: &Synonyms, graph: &GraphFile) -> QuestionPostings {
        let mut known: FxHashMap<&str, Arc<FieldPostings>> = FxHashMap::default();
        for (term, mut own) in question.terms.iter().zip(self.0) {
            fill_call_fields(&mut own, graph);
            known.insert(&term.stem, Arc::new(own));
        }
        for (stem, _) in synonyms.iter().flatten() {
            known.entry(stem).or_insert_with(|| {
                let mut own = read(graph, stem);
                fill_call_fields(&mut own, graph);
                Arc::new(own)
            });
        }
        let postings_of = |stem: &String| &known[stem.as_str()];
        let of_term = |(term, others): (&Term, &Vec<(String, f32)>)| {
            let others = others.iter().map(|(stem, weight)| (postings_of(stem).as_ref(), *weight));
            let others: Vec<(&FieldPostings, f32)> =
                others.filter(|(postings_of, _)| postings_of.iter().any(|list| !list.is_empty())).collect();
            let exact = postings_of(&term.stem);
            if others.is_empty() { Arc::clone(exact) } else { Arc::new(merged(exact, &others)) }
        };
        QuestionPostings(question.terms.iter().zip(synonyms).map(of_term).collect())
    }
}

/// Weighted postings of each term and its synonyms, indexed by term of the question.
pub(super) struct QuestionPostings(pub Vec<Arc<FieldPostings>>);

impl QuestionPostings {
    /// Keeps only the postings of the given definitions, which must be sorted.
    ///
    /// Words of other definitions no longer count, not even through call edges. Document
    /// frequencies do not change, because they are counted earlier.
    pub fn restrict_to(&mut self, ids: &[DefinitionId], graph: &GraphFile) {
        let is_kept = |&(id, _): &Posting| ids.binary_search(&DefinitionId(id)).is_ok();
        for postings in &mut self.0 {
            let postings = Arc::make_mut(postings);
            postings.iter_mut().for_each(|list| list.retain(is_kept));
            fill_call_fields(postings, graph);
            for field in DocumentField::ALL.into_iter().filter(|field| !field.is_own()) {
                postings[field.number()].retain(is_kept);
            }
        }
    }
}

/// Synonyms of each term of a question, each with its stem and the weight of an occurrence.
pub(super) type Synonyms = Vec<Vec<(String, f32)>>;

/// Returns the synonyms of each term of a question.
pub(super) fn synonyms_by_term(weights: &Weights, question: &Question) -> Synonyms {
    let mut by_term: Synonyms =
        question.terms.iter().map(|term| synonyms_and_neighbours(term, weights, question.terms.len())).collect();
    for joined in question.joined.iter().filter(|_| weights.synonym > 0.0) {
        let weight = if joined.is_abbreviation { weights.synonym } else { JOINED };
        let Some(others) = by_term.get_mut(joined.term) else { continue };
        if others.iter().all(|(stem, _)| *stem != joined.stem) {
            others.push((joined.stem.clone(), weight));
        }
    }
    by_term
}

/// Returns the synonyms of a term, each with the weight of an occurrence.
///
/// The result contains the other words of its synonym groups, followed by its neighbors among the
/// word vectors. A question with many words gets no neighbors, because its words already make the
/// meaning clear.
fn synonyms_and_neighbours(term: &Term, weights: &Weights, terms: usize) -> Vec<(String, f32)> {
    let (stem, mut out): (_, Vec<(String, f32)>) = (&*term.stem, Vec::new());
    if weights.synonym > 0.0 {
        out.extend(synonyms_of(&term.word, stem).iter().map(|other| (other.clone(), weights.synonym)));
    }
    let table = WordTable::builtin();
    let known = if weights.neighbour > 0.0 && terms <= EXPANDED_TERMS { table.number(stem) } else { None };
    for (word, similarity) in known.into_iter().flat_map(|word| table.neighbours(word)) {
        let text = String::from_utf8_lossy(table.text(word)).into_owned();
        if out.iter().all(|(other, _)| *other != text) {
            out.push((text, weights.neighbour * similarity));
        }
    }
    out
}

/// Merges the postings of a word with the weighted postings of its synonyms.
fn merged(exact: &FieldPostings, synonyms: &[(&FieldPostings, f32)]) -> FieldPostings {
    let mut out: FieldPostings = Default::default();
    for (field, out) in out.iter_mut().enumerate() {
        out.clone_from(&exact[field]);
        for (synonym, weight) in synonyms {
            out.extend(synonym[field].iter().map(|&(id, count)| (id, count * weight)));
        }
        // A stable sort keeps the word itself first, so sums are the same in every run.
        out.sort_by_key(|&(id, _)| id);
        out.dedup_by(|next, last| {
            let same = next.0 == last.0;
            if same {
                last.1 += next.1;
            }
            same
        });
    }
    out
}

/// Reads the postings of a stem in the stored fields.
fn read(graph: &GraphFile, stem: &str) -> FieldPostings {
    let mut postings = FieldPostings::default();
    graph.for_each_posting(stem, |TermPosting { definition, field, count }| {
        let list = &mut postings[field as usize];
        match graph.traits(definition).kind() {
            DefinitionKind::Declaration => list.extend(graph.documents(definition).map(|id| (id.0, count as f32))),
            _ => list.push((definition.0, count as f32)),
        }
    });
    // The input is two sorted runs, one for each piece of the index, mixed with the words of
    // declarations, which count for definitions without documentation of their own.
    postings.iter_mut().for_each(|list| list.sort_by_key(|&(id, _)| id));
    postings
}

/// Function that passes each neighbor of a definition to a callback.
type Neighbours<'a> = dyn Fn(DefinitionId, &mut dyn FnMut(DefinitionId)) + 'a;

/// Fills the fields derived from call edges from the postings of names and summaries.
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
    postings[DocumentField::CallerNames.number()] = spread(&postings[Field::Name as usize], &callees);
    postings[DocumentField::CallerDocs.number()] = spread(&postings[Field::Summary as usize], &callees);
    postings[DocumentField::CalleeDocs.number()] = spread(&postings[Field::Summary as usize], &callers);
}

/// Passes postings to the neighbors of each definition and adds up the counts for each neighbor.
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
