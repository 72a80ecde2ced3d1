//! Compares the question with candidates using the built-in word vectors, as a whole and word by
//! word.
//!
//! - **Cost:** about 60 words per candidate: 100 candidates take 0.5 ms. Comparing 24 words of the
//!   question with the few thousand distinct words of 100 candidates takes 1 to 2 ms.

use super::question::Question;
use super::weights::COMPARED_WORDS;
use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_index::wordvec::{Numbers, WordId, WordLists, WordTable, length, product};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::parse::Field;
use whichfn_text::Stemmer;

/// Distinct words of one candidate.
#[derive(Debug, Clone, Default)]
pub(super) struct CandidateWords {
    /// Words of each field, indexed by [`Field`].
    pub fields: [Vec<WordId>; Field::COUNT],
    /// Words of the name and the documentation, in the order of the text.
    pub order: Vec<WordId>,
}

/// Returns the words of each candidate, from its stored word lists and from the strings in the
/// graph.
pub(super) fn candidate_words(
    graph: &GraphFile,
    table: &WordTable<'_>,
    candidates: &[DefinitionId],
) -> Vec<CandidateWords> {
    let (mut stemmer, mut numbers) = (Stemmer::default(), Numbers::default());
    let mut in_order = |text: &str| {
        let mut list = Vec::new();
        stemmer.stems(text, |stem| list.extend(numbers.number(table, stem.text, stem.hash)));
        list
    };
    let distinct = |mut list: Vec<WordId>| {
        list.sort_unstable();
        list.dedup();
        list
    };
    let lists = read_lists(graph, candidates);
    candidates
        .iter()
        .zip(lists)
        .map(|(&id, lists)| {
            let (name, qualified) = (graph.name(id), graph.qualified_name(id));
            let doc = graph.doc(id);
            let summary = whichfn_text::first_sentence(doc);
            let mut fields: [Vec<WordId>; Field::COUNT] = Default::default();
            let [name_words, summary, rest] =
                [name, summary, doc.get(summary.len()..).unwrap_or_default()].map(&mut in_order);
            let order = [&name_words[..], &summary, &rest].concat();
            fields[Field::Name as usize] = distinct(name_words);
            fields[Field::Scope as usize] = distinct(in_order(qualified.strip_suffix(name).unwrap_or(qualified)));
            fields[Field::Path as usize] = distinct(in_order(graph.path(graph.definition(id).file)));
            fields[Field::Summary as usize] = distinct(summary);
            fields[Field::Doc as usize] = distinct(rest);
            fields[Field::Parameters as usize] = lists.parameters;
            fields[Field::Body as usize] = lists.body;
            fields[Field::Strings as usize] = lists.strings;
            CandidateWords { fields, order }
        })
        .collect()
}

fn read_lists(graph: &GraphFile, candidates: &[DefinitionId]) -> Vec<WordLists> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_unstable_by_key(|&at| candidates[at]);
    let mut out = vec![WordLists::default(); candidates.len()];
    for file in order.chunk_by(|&a, &b| graph.definition(candidates[a]).file == graph.definition(candidates[b]).file) {
        let file_id = graph.definition(candidates[file[0]]).file;
        let places: Vec<usize> = file.iter().map(|&at| graph.local(candidates[at]).index()).collect();
        for (&at, lists) in file.iter().zip(WordLists::read(graph.words(file_id), &places)) {
            out[at] = lists;
        }
    }
    out
}

/// The words of a question as vectors.
pub(super) struct QuestionVectors<'t> {
    table: WordTable<'t>,
    /// Unit vector of the whole question; zeros if the table contains none of its words.
    question_vector: Vec<f32>,
    /// Words that are compared one by one, each with its position in the question, its vector, and
    /// the length of the vector.
    single: Vec<(usize, &'t [i8], f32)>,
}

impl<'t> QuestionVectors<'t> {
    /// Looks up the words of a question in the table; `weights` are the weights of its terms.
    pub fn new(table: WordTable<'t>, question: &Question, weights: &[f32]) -> Self {
        let known: Vec<(usize, WordId)> = question
            .terms
            .iter()
            .enumerate()
            .filter_map(|(at, term)| table.number(&term.stem).map(|word| (at, word)))
            .collect();
        let mut question_vector = vec![0f32; table.dimensions()];
        for &(at, word) in &known {
            add(&mut question_vector, table.vector(word), table.query_weight(word) * question.terms[at].weight);
        }
        let mut heaviest = known;
        heaviest.sort_by(|a, b| weights[b.0].total_cmp(&weights[a.0]).then(a.0.cmp(&b.0)));
        heaviest.truncate(COMPARED_WORDS);
        let single =
            heaviest.into_iter().map(|(at, word)| (at, table.vector(word), length(table.vector(word)))).collect();
        Self { table, question_vector: unit(question_vector), single }
    }

    /// Computes the cosine similarity between the whole question and each candidate.
    pub fn cosines(&self, candidates: &[CandidateWords]) -> Vec<f32> {
        let cosine = |candidate: &CandidateWords| {
            let mut sum = vec![0f32; self.table.dimensions()];
            for field in Field::ALL {
                for &word in &candidate.fields[field as usize] {
                    add(&mut sum, self.table.vector(word), self.table.field(field) * self.table.document_weight(word));
                }
            }
            dot(&unit(sum), &self.question_vector)
        };
        candidates.iter().map(cosine).collect()
    }

    /// Computes the similarity of each distinct candidate word to each compared word, from 0 to 1,
    /// in the order of [`Self::compared`].
    pub fn nearness(&self, candidates: &[CandidateWords]) -> FxHashMap<WordId, Vec<f32>> {
        let mut nearness: FxHashMap<WordId, Vec<f32>> = FxHashMap::default();
        for &word in candidates.iter().flat_map(|c| c.fields.iter().flatten()) {
            nearness.entry(word).or_insert_with(|| {
                let vector = self.table.vector(word);
                let own = length(vector);
                let cosine = |&(_, question_word, length): &(usize, &[i8], f32)| {
                    product(question_word, vector) as f32 / (own * length)
                };
                self.single.iter().map(|single| cosine(single).clamp(0.0, 1.0)).collect()
            });
        }
        nearness
    }

    /// Returns the positions in the question of the words that are compared one by one.
    pub fn compared(&self) -> impl Iterator<Item = usize> + '_ {
        self.single.iter().map(|&(at, ..)| at)
    }
}

fn add(to: &mut [f32], vector: &[i8], times: f32) {
    to.iter_mut().zip(vector).for_each(|(to, &x)| *to += times * f32::from(x));
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    // Eight independent sums let the compiler use wide registers.
    let mut sums = [0f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum()
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = dot(&vector, &vector).sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector
}
