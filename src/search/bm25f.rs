//! The independent score: BM25F of a definition's fields against the question.
//!
//! Paper:     Robertson, Zaragoza: The Probabilistic Relevance Framework (2009), section 3.6
//!            score(d) = sum over terms of  weight * idf * (k1 + 1) * tf' / (k1 + tf'),
//!            tf' = sum over fields of  w_f * tf_f / (1 - b_f + b_f * length_f / average_f)
//! Price:     one pass over the postings of the question's terms; 1 to 3 ms on 20,000 definitions
//! Departs:   three fields are not stored but had through call edges: the names and first doc sentences of callers, and
//!            those of callees. A word in a function's name is a word in the caller-names field of all that it calls.
//!            So a change to a caller never touches the documents of what it calls.
//! Why not:   tantivy's own scores: k1 and b are fixed, and its counts include deleted documents
//! Checked:   `tests/refresh.rs`: refreshed = built anew, bit for bit

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
use tantivy::{DocSet, Searcher as TextSearcher, TERMINATED, Term as TextTerm};

/// A field of a definition's document: the stored ones, and those had through call edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum DocumentField {
    /// See [`Field`].
    Name,
    /// See [`Field`].
    Scope,
    /// See [`Field`].
    Path,
    /// See [`Field`].
    Parameters,
    /// See [`Field`].
    Body,
    /// See [`Field`].
    Strings,
    /// See [`Field`].
    Summary,
    /// See [`Field`].
    Doc,
    /// Names of the functions that call this one.
    CallerNames,
    /// First doc sentences of the functions that call this one.
    CallerDocs,
    /// First doc sentences of the functions that this one calls.
    CalleeDocs,
}

impl DocumentField {
    /// How many there are.
    pub const COUNT: usize = 11;
    /// All, in the order of their number.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Name,
        Self::Scope,
        Self::Path,
        Self::Parameters,
        Self::Body,
        Self::Strings,
        Self::Summary,
        Self::Doc,
        Self::CallerNames,
        Self::CallerDocs,
        Self::CalleeDocs,
    ];

    /// The word that people and JSON read.
    pub fn name(self) -> &'static str {
        match self {
            Self::CallerNames => "caller",
            Self::CallerDocs => "caller doc",
            Self::CalleeDocs => "callee doc",
            stored => Field::ALL[stored as usize].name(),
        }
    }

    /// Whether the words are the definition's own.
    pub fn is_own(self) -> bool {
        (self as usize) < Field::COUNT
    }
}

/// What one term found in one field of a definition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// Number of the term in the question.
    pub term: usize,
    /// Where.
    pub field: DocumentField,
    /// How often.
    pub count: f32,
    /// Its share of the score.
    pub score: f32,
}

/// Documents that are compared with one another, and how long their fields are on average.
pub(super) struct Collection {
    /// By definition: whether it takes part.
    pub member: Vec<bool>,
    pub size: usize,
    averages: [f32; DocumentField::COUNT],
    /// Lengths of the fields had through call edges, by definition.
    through_calls: Vec<[f32; 3]>,
}

impl Collection {
    /// The collection of all definitions that `member` accepts.
    pub fn new(graph: &GraphFile, member: impl Fn(DefinitionId) -> bool) -> Self {
        let count = graph.definitions().len();
        let member: Vec<bool> = (0..count).map(|id| member(DefinitionId::new(id))).collect();
        let lengths = graph.lengths();
        let mut through_calls = vec![[0.0; 3]; count];
        for caller in 0..count {
            let own = &lengths[caller];
            let mut last = None;
            for call in graph.calls(DefinitionId::new(caller)) {
                // Calls are in order of place; one callee called twice in a row is the common repetition.
                if last == Some(call.callee) || call.callee.index() == caller {
                    continue;
                }
                last = Some(call.callee);
                let callee = call.callee.index();
                through_calls[callee][0] += f32::from(own[Field::Name as usize]);
                through_calls[callee][1] += f32::from(own[Field::Summary as usize]);
                through_calls[caller][2] += f32::from(lengths[callee][Field::Summary as usize]);
            }
        }
        let mut sums = [0f64; DocumentField::COUNT];
        let mut size = 0;
        for id in (0..count).filter(|&id| member[id]) {
            size += 1;
            for field in 0..Field::COUNT {
                sums[field] += f64::from(lengths[id][field]);
            }
            for field in 0..3 {
                sums[Field::COUNT + field] += f64::from(through_calls[id][field]);
            }
        }
        let averages = sums.map(|sum| (sum / size.max(1) as f64).max(1e-3) as f32);
        Self { member, size, averages, through_calls }
    }

    /// How many members hold a word themselves.
    fn containing(&self, lists: &Lists) -> usize {
        let own = DocumentField::ALL.into_iter().filter(|of| of.is_own());
        let mut ids: Vec<u32> =
            own.flat_map(|of| &lists[of as usize]).map(|&(id, _)| id).filter(|&id| self.member[id as usize]).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.len()
    }

    /// How much one occurrence in a field of a document counts.
    fn weight(&self, weights: &Weights, graph: &GraphFile, id: usize, of: DocumentField) -> f32 {
        let super::weights::FieldWeight { weight, b } = weights.fields[of as usize];
        let length = match of as usize {
            own if own < Field::COUNT => f32::from(graph.lengths()[id][own]),
            through => self.through_calls[id][through - Field::COUNT],
        };
        weight / (1.0 - b + b * length / self.averages[of as usize])
    }
}

/// Occurrences by field: (definition, count), in order of definition.
type Lists = [Vec<(u32, f32)>; DocumentField::COUNT];

/// Occurrences of the question's terms.
pub(super) struct Occurrences {
    /// By term: those of the word itself.
    exact: Vec<Lists>,
    /// By term: those of the word and its synonyms, each at its weight.
    by_term: Vec<Lists>,
}

impl Occurrences {
    /// Reads the postings of all terms; `file_by_text_id` leads from the text index to files of this generation.
    pub fn read(
        weights: &Weights,
        question: &Question,
        text: &TextSearcher,
        fields: &TextFields,
        graph: &GraphFile,
        file_by_text_id: &[u32],
    ) -> Result<Self> {
        let mut stems: Vec<&str> = question.terms.iter().map(|t| t.stem.as_str()).collect();
        if weights.synonym > 0.0 {
            stems.extend(question.terms.iter().flat_map(|t| synonyms(&t.stem)).map(String::as_str));
        }
        stems.sort_unstable();
        stems.dedup();
        let lists = read_lists(&stems, text, fields, graph, file_by_text_id)?;
        let of = |stem: &str| stems.binary_search(&stem).map_or(&EMPTY, |at| &lists[at]);
        let exact: Vec<Lists> = question.terms.iter().map(|t| of(&t.stem).clone()).collect();
        let by_term = question.terms.iter().zip(&exact).map(|(term, exact)| {
            let others: Vec<&Lists> =
                if weights.synonym > 0.0 { synonyms(&term.stem).iter().map(|s| of(s)).collect() } else { Vec::new() };
            merged(exact, &others, weights.synonym)
        });
        Ok(Self { by_term: by_term.collect(), exact })
    }

    /// Forgets all occurrences but those in these definitions, which come in order: what others hold no longer counts,
    /// through call edges neither. How rare a word is stays as it was.
    pub fn keep(&mut self, ids: &[DefinitionId], graph: &GraphFile) {
        for lists in &mut self.by_term {
            lists.iter_mut().for_each(|list| list.retain(|&(id, _)| ids.binary_search(&DefinitionId(id)).is_ok()));
            through_calls(lists, graph);
            for of in DocumentField::ALL.into_iter().filter(|of| !of.is_own()) {
                lists[of as usize].retain(|&(id, _)| ids.binary_search(&DefinitionId(id)).is_ok());
            }
        }
    }
}

static EMPTY: Lists = [const { Vec::new() }; DocumentField::COUNT];

/// Counts of a word, and those of others at a weight.
fn merged(exact: &Lists, others: &[&Lists], weight: f32) -> Lists {
    let mut out: Lists = Default::default();
    for (field, out) in out.iter_mut().enumerate() {
        out.clone_from(&exact[field]);
        for other in others {
            out.extend(other[field].iter().map(|&(id, count)| (id, count * weight)));
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

/// The postings of these stems, through calls too.
fn read_lists(
    stems: &[&str],
    text: &TextSearcher,
    fields: &TextFields,
    graph: &GraphFile,
    file_by_text_id: &[u32],
) -> Result<Vec<Lists>> {
    let mut by_term: Vec<Lists> = stems.iter().map(|_| Default::default()).collect();
    for segment in text.segment_readers() {
        let addresses = segment.fast_fields().u64("address").map_err(|cause| text_failed("read", &cause))?;
        let alive = segment.alive_bitset();
        for field in Field::ALL {
            let handle = fields.text[field as usize];
            let postings = segment.inverted_index(handle).map_err(|cause| text_failed("read", &cause))?;
            for (number, stem) in stems.iter().enumerate() {
                let key = TextTerm::from_field_text(handle, stem);
                let found = postings
                    .read_postings(&key, IndexRecordOption::WithFreqs)
                    .map_err(|cause| text_failed("read", &cause.into()))?;
                let Some(mut found) = found else { continue };
                let out = &mut by_term[number][field as usize];
                let mut document = found.doc();
                while document != TERMINATED {
                    if alive.is_none_or(|alive| alive.is_alive(document)) {
                        let (text_id, local) = split_address(addresses.first(document).unwrap_or(u64::MAX));
                        if let Some(&file) = file_by_text_id.get(text_id as usize)
                            && file != u32::MAX
                        {
                            let first = graph.files()[file as usize].first_definition;
                            out.push((first.0 + local, found.term_freq() as f32));
                        }
                    }
                    document = found.advance();
                }
            }
        }
    }
    for lists in &mut by_term {
        // Segments come in any order; sums of floats must not.
        lists.iter_mut().for_each(|list| list.sort_unstable_by_key(|&(id, _)| id));
        through_calls(lists, graph);
    }
    Ok(by_term)
}

/// Calls back with each definition that one is connected to.
type Neighbours<'a> = dyn Fn(DefinitionId, &mut dyn FnMut(DefinitionId)) + 'a;

/// Fills the fields had through call edges from the names and summaries found.
fn through_calls(lists: &mut Lists, graph: &GraphFile) {
    let spread = |list: &[(u32, f32)], to: &Neighbours<'_>| {
        let mut sums: FxHashMap<u32, f32> = FxHashMap::default();
        for &(id, count) in list {
            to(DefinitionId(id), &mut |other| {
                if other.0 != id {
                    *sums.entry(other.0).or_default() += count;
                }
            });
        }
        let mut out: Vec<(u32, f32)> = sums.into_iter().collect();
        out.sort_unstable_by_key(|&(id, _)| id);
        out
    };
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
    lists[DocumentField::CallerNames as usize] = spread(&lists[DocumentField::Name as usize], &callees);
    lists[DocumentField::CallerDocs as usize] = spread(&lists[DocumentField::Summary as usize], &callees);
    lists[DocumentField::CalleeDocs as usize] = spread(&lists[DocumentField::Summary as usize], &callers);
}

/// Scores of all members of a collection, and what made them.
pub(super) struct Scores<'a> {
    weights: &'a Weights,
    graph: &'a GraphFile,
    collection: &'a Collection,
    occurrences: &'a Occurrences,
    /// Inverse document frequency times the question's own weight, by term.
    term_weights: Vec<f32>,
    /// By definition.
    pub scores: Vec<f32>,
    /// Definitions with a score, in order.
    pub found: Vec<u32>,
}

impl<'a> Scores<'a> {
    pub fn new(
        weights: &'a Weights,
        question: &Question,
        graph: &'a GraphFile,
        collection: &'a Collection,
        occurrences: &'a Occurrences,
    ) -> Self {
        let (count, k1) = (graph.definitions().len(), weights.k1);
        let (mut scores, mut sums) = (vec![0f32; count], vec![0f32; count]);
        let mut found = Vec::new();
        let mut term_weights = Vec::with_capacity(question.terms.len());
        let mut touched: Vec<u32> = Vec::new();
        for (number, term) in question.terms.iter().enumerate() {
            let lists = &occurrences.by_term[number];
            touched.clear();
            let mut containing = collection.containing(&occurrences.exact[number]);
            let unknown = containing == 0;
            for of in weights.used_fields() {
                for &(id, tf) in &lists[of as usize] {
                    if !collection.member[id as usize] {
                        continue;
                    }
                    let sum = &mut sums[id as usize];
                    if *sum == 0.0 {
                        touched.push(id);
                        // A word that the code never uses is as rare as its synonyms.
                        containing += usize::from(unknown && of.is_own());
                    }
                    *sum += tf * collection.weight(weights, graph, id as usize, of);
                }
            }
            let weight = term.weight * idf(collection.size, containing);
            term_weights.push(weight);
            for &id in &touched {
                let tf = std::mem::take(&mut sums[id as usize]);
                let score = &mut scores[id as usize];
                if *score == 0.0 {
                    found.push(id);
                }
                *score += weight * (k1 + 1.0) * tf / (k1 + tf);
            }
        }
        found.sort_unstable();
        Self { weights, graph, collection, occurrences, term_weights, scores, found }
    }

    /// By definition: whether it takes part.
    pub fn members(&self) -> &[bool] {
        &self.collection.member
    }

    /// For each definition: which share of its name's words the question asks for.
    pub fn names_asked_for(&self) -> Vec<f32> {
        let mut named = vec![0f32; self.scores.len()];
        for &(id, tf) in self.occurrences.by_term.iter().flat_map(|lists| &lists[DocumentField::Name as usize]) {
            named[id as usize] += tf / f32::from(self.graph.lengths()[id as usize][Field::Name as usize]).max(1.0);
        }
        named
    }

    /// What each term counts: its rarity times the question's own weight.
    pub fn term_weights(&self) -> &[f32] {
        &self.term_weights
    }

    /// For each of some definitions and each term: how often the term occurs in each field (synonyms at their weight),
    /// and what that adds to the score.
    pub fn matrix(&self, ids: &[DefinitionId]) -> Vec<Vec<[(f32, f32); DocumentField::COUNT]>> {
        let terms = self.term_weights.len();
        let mut rows = vec![vec![[(0f32, 0f32); DocumentField::COUNT]; terms]; ids.len()];
        let places: FxHashMap<u32, usize> = ids.iter().map(|id| id.0).zip(0..).collect();
        for (term, lists) in self.occurrences.by_term.iter().enumerate() {
            for (of, list) in lists.iter().enumerate() {
                for (id, count) in list {
                    if let Some(&place) = places.get(id) {
                        rows[place][term][of].0 = *count;
                    }
                }
            }
        }
        let k1 = self.weights.k1;
        for (id, row) in ids.iter().zip(&mut rows) {
            for (found, term_weight) in row.iter_mut().zip(&self.term_weights) {
                for (of, cell) in DocumentField::ALL.into_iter().zip(found.iter_mut()).filter(|(_, cell)| cell.0 > 0.0)
                {
                    cell.1 = cell.0 * self.collection.weight(self.weights, self.graph, id.index(), of);
                }
                let tf: f32 = found.iter().map(|cell| cell.1).sum();
                found.iter_mut().for_each(|cell| cell.1 *= term_weight * (k1 + 1.0) / (k1 + tf));
            }
        }
        rows
    }

    /// What each term found in each field of one definition, the largest share first.
    pub fn parts(&self, id: DefinitionId) -> Vec<Part> {
        let mut parts = Vec::new();
        for (term, lists) in self.occurrences.by_term.iter().enumerate() {
            let own: Vec<(DocumentField, f32, f32)> = DocumentField::ALL
                .into_iter()
                .filter_map(|of| {
                    let list = &lists[of as usize];
                    let at = list.binary_search_by_key(&id.0, |&(id, _)| id).ok()?;
                    Some((
                        of,
                        list[at].1,
                        list[at].1 * self.collection.weight(self.weights, self.graph, id.index(), of),
                    ))
                })
                // A field may count for nothing.
                .filter(|&(_, _, tf)| tf > 0.0)
                .collect();
            let tf: f32 = own.iter().map(|&(_, _, tf)| tf).sum();
            let score = self.term_weights[term] * (self.weights.k1 + 1.0) * tf / (self.weights.k1 + tf);
            parts.extend(own.into_iter().map(|(field, count, share)| Part {
                term,
                field,
                count,
                score: score * share / tf,
            }));
        }
        parts.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.term.cmp(&b.term)).then(a.field.cmp(&b.field)));
        parts
    }
}

fn idf(size: usize, containing: usize) -> f32 {
    let (n, df) = (size as f32, containing as f32);
    (1.0 + (n - df + 0.5).max(0.0) / (df + 0.5)).ln()
}

/// The file of each number in the text index.
pub(super) fn files_by_text_id(graph: &GraphFile) -> Vec<u32> {
    let most = graph.files().iter().map(|file| file.text_id).max().map_or(0, |id| id as usize + 1);
    let mut files = vec![u32::MAX; most];
    for (number, file) in graph.files().iter().enumerate() {
        files[file.text_id as usize] = FileId::new(number).0;
    }
    files
}
