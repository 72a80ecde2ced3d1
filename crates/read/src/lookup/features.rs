//! Computes the features of each candidate, which compare the sections of the question with the
//! parts of the function.
//!
//! **Implements:** RepoQA (Liu et al. 2024) describes a function by purpose, input, output and
//! procedure. Each section is compared with its counterpart in the code: name and documentation,
//! parameters, returned values, calls and control flow.
//!
//! **Invariant:** all features are relative to the candidates in memory: a word that all candidates
//! contain does not distinguish them.
//!
//! **Cost:** about 0.5 ms per candidate, most of which is spent on word vectors.

use super::feature_table::{self as f, CandidateFeature};
use super::function::{Function, FunctionWords};
use super::question::ParsedQuestion;
use super::traits::TRAITS;
use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_index::wordvec::{Lexicon, Stem, distinct};
use whichfn_search::search::Section;
use whichfn_syntax::lang::FlowKind;

/// Features of one candidate as names and values, in the order of [`super::feature_names`].
pub type FeatureVector = Vec<(&'static str, f32)>;

/// Maximum distance between two stems of code that form a pair: one other stem may be in between.
const PAIR_REACH: usize = 2;
/// Maximum distance, in stems, between two words of the procedure whose order is compared with the
/// order in the code.
const STEP_REACH: usize = 6;
/// Maximum number of occurrences of a stem in a function for the stem to locate a step.
const STEP_OCCURRENCES: usize = 2;
/// Number of step pairs added to the denominator, because a few pairs are not enough to show an
/// order.
const STEP_PRIOR: f32 = 3.0;
/// Weight of a stem that every candidate contains. It is above 0, so that the total of a share is
/// not 0.
const IDF_FLOOR: f32 = 0.1;
/// Weight of a pair of stems that every candidate contains.
const PAIR_IDF_FLOOR: f32 = 0.2;
/// Number added to the count of candidates that contain a stem, as in BM25's inverse document
/// frequency.
const IDF_SMOOTHING: f32 = 0.5;
/// Cosine below which two words count as unrelated.
const FAR: f32 = 0.3;
/// Upper limit for the feature that counts parameters.
const MOST_PARAMETERS: f32 = 20.0;
/// Upper limit for the difference between described inputs and parameters.
const MOST_INPUTS_OFF: f32 = 12.0;
/// Upper limit for the feature that counts branches.
const MOST_BRANCHES: f32 = 20.0;
/// Upper limit for the feature that counts loops.
const MOST_LOOPS: f32 = 10.0;

/// Mean and minimum similarity of a section's words to the code, indexed by [`Section`].
const PARTS_NEAR: [[CandidateFeature; 2]; 4] = [
    [f::PURPOSE_NEAR, f::PURPOSE_NEAR_LEAST],
    [f::INPUT_NEAR, f::INPUT_NEAR_LEAST],
    [f::OUTPUT_NEAR, f::OUTPUT_NEAR_LEAST],
    [f::PROCEDURE_NEAR, f::PROCEDURE_NEAR_LEAST],
];

/// The candidates in memory, with counts of words over all of them.
pub struct FeatureExtractor<'a> {
    question: &'a ParsedQuestion,
    functions: &'a [Function],
    words: Vec<FunctionWords>,
    pairs: Vec<FxHashSet<(Stem, Stem)>>,
    /// Number of candidates that contain each stem.
    frequency: FxHashMap<Stem, f32>,
    /// Number of candidates that contain each pair of the question's stems.
    pair_frequency: FxHashMap<(Stem, Stem), f32>,
}

impl<'a> FeatureExtractor<'a> {
    /// Collects the words of all candidates.
    pub fn new(question: &'a ParsedQuestion, functions: &'a [Function], lexicon: &mut Lexicon) -> Self {
        let words: Vec<FunctionWords> = functions.iter().map(|f| FunctionWords::new(f, lexicon)).collect();
        let near_pairs = |words: &FunctionWords| {
            (1..=PAIR_REACH)
                .flat_map(|by| words.all.iter().copied().zip(words.all.iter().copied().skip(by)))
                .collect::<FxHashSet<_>>()
        };
        let pairs: Vec<FxHashSet<(Stem, Stem)>> = words.iter().map(near_pairs).collect();
        let (mut frequency, mut pair_frequency) = (FxHashMap::default(), FxHashMap::default());
        words.iter().flat_map(|one| &one.distinct).for_each(|&stem| *frequency.entry(stem).or_insert(0.0) += 1.0);
        for &pair in question.pairs.iter().flatten() {
            let count = pairs.iter().filter(|pairs| has_pair(pairs, pair)).count();
            pair_frequency.insert(pair, count as f32);
        }
        Self { question, functions, words, pairs, frequency, pair_frequency }
    }

    /// Returns the features of each candidate, in the order of `functions`.
    pub fn features(&self, lexicon: &mut Lexicon) -> Vec<FeatureVector> {
        let sentences: Vec<Vec<f32>> =
            self.question.sentences.iter().filter_map(|stems| lexicon.vector(&distinct(stems), true)).collect();
        let question_stems: FxHashSet<Stem> = self.question.all.iter().copied().collect();
        (0..self.functions.len())
            .map(|at| {
                let mut out = FeatureVector::new();
                self.length(&mut out, at);
                self.phrases(&mut out, at);
                self.words(&mut out, at, &question_stems);
                self.sentences(&mut out, at, &sentences, lexicon);
                self.meaning(&mut out, at, &question_stems, lexicon);
                self.input(&mut out, at, &question_stems, lexicon);
                self.output(&mut out, at, lexicon);
                self.procedure(&mut out, at, &question_stems, lexicon);
                self.traits(&mut out, at);
                out
            })
            .collect()
    }

    /// Returns the inverse document frequency of a stem among the candidates, plus a floor.
    fn idf(&self, stem: Stem) -> f32 {
        let count = self.frequency.get(&stem).copied().unwrap_or(0.0);
        IDF_FLOOR + if count > 0.0 { self.rarity(count) } else { 0.0 }
    }

    fn rarity(&self, count: f32) -> f32 {
        ((self.functions.len() as f32 + 1.0) / (count + IDF_SMOOTHING)).ln()
    }

    /// Compares the length of a function with the length of its description.
    fn length(&self, out: &mut FeatureVector, at: usize) {
        let log = |count: usize| (1.0 + count as f32).ln();
        let (lines, words) = (log(self.functions[at].lines as usize), log(self.words[at].all.len()));
        let (procedure, steps) = (log(self.question.procedure.len()), self.question.steps as f32);
        out.extend([
            f::LINES.scaled(lines),
            f::LINES_SQUARED.scaled(lines * lines),
            f::WORDS.scaled(words),
            f::WORDS_SQUARED.scaled(words * words),
            f::LINES_BY_TOLD.scaled(lines * procedure),
            f::WORDS_BY_TOLD.scaled(words * procedure),
            f::LINES_BY_STEPS.scaled(lines * steps),
        ]);
    }

    /// Compares the question's pairs of neighboring words with the pairs in the code.
    fn phrases(&self, out: &mut FeatureVector, at: usize) {
        let holds = |pair: &(Stem, Stem)| has_pair(&self.pairs[at], *pair);
        let share = |pairs: &[(Stem, Stem)]| {
            let (mut some, mut all) = (0.0, 0.0);
            for pair in pairs {
                let count = self.pair_frequency[pair];
                if count > 0.0 {
                    let idf = self.rarity(count) + PAIR_IDF_FLOOR;
                    all += idf;
                    some += if holds(pair) { idf } else { 0.0 };
                }
            }
            ratio(some, all)
        };
        let next = &self.question.pairs[0];
        let count = next.iter().filter(|pair| holds(pair)).count() as f32;
        let name = &self.words[at].name;
        let in_name = name.iter().copied().zip(name.iter().copied().skip(1));
        let in_question = in_name.filter(|&(a, b)| next.contains(&(a, b)) || next.contains(&(b, a))).count() as f32;
        out.extend([
            f::PHRASES.scaled(share(next)),
            f::PHRASES_APART.scaled(share(&self.question.pairs[1])),
            f::PHRASES_FOUND.scaled(count / (next.len() as f32 + 1.0).sqrt()),
            f::PHRASES_OF_NAME.scaled(ratio(in_question, name.len() as f32 - 1.0)),
        ]);
    }

    /// Compares the words of the question and of the code, in both directions, weighted by their
    /// rarity among the candidates.
    fn words(&self, out: &mut FeatureVector, at: usize, question_stems: &FxHashSet<Stem>) {
        let own: FxHashSet<Stem> = self.words[at].distinct.iter().copied().collect();
        let held = |power: i32| {
            let (mut some, mut all) = (0.0, 0.0);
            for &stem in self.question.all.iter().filter(|stem| self.frequency.contains_key(stem)) {
                let idf = (self.idf(stem) - IDF_FLOOR).powi(power);
                all += idf;
                some += if own.contains(&stem) { idf } else { 0.0 };
            }
            ratio(some, all)
        };
        let spoken_of = |stems: &[Stem]| {
            let all: f32 = stems.iter().map(|&stem| self.idf(stem)).sum();
            ratio(stems.iter().filter(|stem| question_stems.contains(stem)).map(|&stem| self.idf(stem)).sum(), all)
        };
        let covered = |sentence: &Vec<Stem>| {
            let sentence = distinct(sentence);
            let all: f32 = sentence.iter().map(|&stem| self.idf(stem)).sum();
            ratio(sentence.iter().filter(|stem| own.contains(stem)).map(|&stem| self.idf(stem)).sum(), all)
        };
        let covered: Vec<f32> = self.question.sentences.iter().map(covered).collect();
        out.extend([
            f::HELD.scaled(held(1)),
            f::HELD_RARE.scaled(held(2)),
            f::SENTENCE_HELD_LEAST.scaled(least(&covered)),
            f::SENTENCES_HELD.scaled(mean(&covered)),
            f::HEAD_SPOKEN_OF.scaled(spoken_of(&distinct(&self.words[at].head))),
            f::CODE_SPOKEN_OF.scaled(spoken_of(&self.words[at].distinct)),
        ]);
    }

    /// Compares the question's sentences with blocks of lines by word vectors.
    fn sentences(&self, out: &mut FeatureVector, at: usize, sentences: &[Vec<f32>], lexicon: &Lexicon) {
        let blocks: Vec<Vec<f32>> = self.words[at].blocks.iter().filter_map(|b| lexicon.vector(b, false)).collect();
        let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let best = |vector: &[f32], among: &[Vec<f32>]| {
            among
                .iter()
                .map(|other| cosine(vector, other))
                .enumerate()
                .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
        };
        let found: Vec<(usize, f32)> = sentences.iter().filter_map(|sentence| best(sentence, &blocks)).collect();
        let by_sentence: Vec<f32> = found.iter().map(|&(_, near)| near).collect();
        let by_block: Vec<f32> =
            blocks.iter().filter_map(|block| best(block, sentences)).map(|(_, near)| near).collect();
        let steps = found
            .windows(2)
            .map(|pair| (pair[1].0 as f32 - pair[0].0 as f32).signum() * f32::from(pair[1].0 != pair[0].0));
        let forward: Vec<f32> = steps.collect();
        out.extend([
            f::SENTENCES_NEAR.scaled(mean(&by_sentence)),
            f::SENTENCE_NEAR_LEAST.scaled(least(&by_sentence)),
            f::BLOCKS_NEAR.scaled(mean(&by_block)),
            f::BLOCK_NEAR_LEAST.scaled(least(&by_block)),
            f::BLOCKS_IN_ORDER.scaled(mean(&forward)),
        ]);
    }

    /// Compares words by word vectors: the question with the code, and each section of the question
    /// with the code.
    fn meaning(&self, out: &mut FeatureVector, at: usize, question_stems: &FxHashSet<Stem>, lexicon: &mut Lexicon) {
        let words = &self.words[at];
        let every: Vec<usize> = (0..self.question.all.len()).collect();
        let near = nearest(&words.distinct, &every, lexicon);
        let weights: Vec<f32> = words.distinct.iter().map(|&stem| lexicon.document_weight(stem)).collect();
        let weighted: f32 = near.iter().zip(&weights).map(|(near, weight)| near * weight).sum();
        let far = near.iter().filter(|&&near| near < FAR).count() as f32;
        out.extend([
            f::CODE_NEAR.scaled(ratio(weighted, weights.iter().sum())),
            f::WORDS_NEAR.scaled(mean(&near)),
            f::WORDS_FAR.scaled(ratio(far, near.len() as f32)),
        ]);
        for (part, [in_mean, at_least]) in self.question.parts.iter().zip(PARTS_NEAR) {
            let near = reached(part, &words.distinct, lexicon);
            out.extend([in_mean.scaled(mean(&near)), at_least.scaled(least(&near))]);
        }
        let purpose = &self.question.parts[Section::Purpose as usize];
        let name = distinct(&words.name);
        let named = name.iter().filter(|stem| question_stems.contains(stem)).count() as f32;
        out.extend([
            f::NAME_NEAR_PURPOSE.scaled(mean(&nearest(&name, purpose, lexicon))),
            f::PURPOSE_NEAR_NAME.scaled(mean(&reached(purpose, &name, lexicon))),
            f::NAME_ASKED_FOR.scaled(ratio(named, name.len() as f32)),
        ]);
    }

    /// Compares the parameters with the input section of the question.
    fn input(&self, out: &mut FeatureVector, at: usize, every: &FxHashSet<Stem>, lexicon: &mut Lexicon) {
        let (question, parameters) = (self.question, &self.words[at].parameters);
        let part = &question.parts[Section::Input as usize];
        let stems: FxHashSet<Stem> = part.iter().map(|&place| question.all[place]).collect();
        let share = |stems: &FxHashSet<Stem>| {
            let named = parameters.iter().filter(|p| p.iter().any(|s| stems.contains(s))).count();
            ratio(named as f32, parameters.len() as f32)
        };
        let near: Vec<f32> =
            parameters.iter().map(|p| nearest(p, part, lexicon).into_iter().fold(0.0, f32::max)).collect();
        let count = parameters.len() as f32;
        let off = if question.takes_nothing { 0.0 } else { (question.inputs as f32 - count).abs() };
        out.extend([
            f::PARAMETERS_IN_INPUT.scaled(share(&stems)),
            f::PARAMETERS_IN_QUESTION.scaled(share(every)),
            f::PARAMETERS_NEAR.scaled(mean(&near)),
            f::PARAMETER_NEAR_LEAST.scaled(least(&near)),
            f::INPUTS_OFF.scaled(off.min(MOST_INPUTS_OFF)),
            f::NONE_TAKEN.scaled(f32::from(question.takes_nothing && parameters.is_empty())),
            f::TAKEN_UNASKED.scaled(f32::from(question.takes_nothing && !parameters.is_empty())),
            f::PARAMETERS.scaled(count.min(MOST_PARAMETERS)),
        ]);
    }

    /// Compares the returned values with the output section of the question.
    fn output(&self, out: &mut FeatureVector, at: usize, lexicon: &mut Lexicon) {
        let part = &self.question.parts[Section::Output as usize];
        let stems: Vec<Stem> = part.iter().map(|&place| self.question.all[place]).collect();
        let returned = &self.words[at].returned;
        let idf = |stems: &mut dyn Iterator<Item = Stem>| stems.map(|stem| self.idf(stem)).sum::<f32>();
        let both = idf(&mut returned.iter().copied().filter(|stem| stems.contains(stem)));
        let known = idf(&mut stems.iter().copied().filter(|stem| self.frequency.contains_key(stem)));
        out.extend([
            f::RETURNED_SPOKEN_OF.scaled(ratio(both, idf(&mut returned.iter().copied()))),
            f::OUTPUT_RETURNED.scaled(ratio(both, known)),
            f::RETURNED_NEAR.scaled(mean(&nearest(returned, part, lexicon))),
            f::OUTPUT_NEAR_RETURNED.scaled(mean(&reached(part, returned, lexicon))),
            f::RETURNS.scaled((1.0 + f32::from(self.functions[at].flow.count(FlowKind::Returns))).ln()),
        ]);
    }

    /// Compares calls, branches and the order of steps with the procedure section of the question.
    fn procedure(&self, out: &mut FeatureVector, at: usize, question_stems: &FxHashSet<Stem>, lexicon: &mut Lexicon) {
        let (function, words) = (&self.functions[at], &self.words[at]);
        let every: Vec<usize> = (0..self.question.all.len()).collect();
        let (mut spoken, mut all, mut near) = (0.0, 0.0, Vec::new());
        for call in &words.calls {
            let idf = call.iter().map(|&stem| self.idf(stem)).fold(0.0, f32::max);
            all += idf;
            spoken += if call.iter().any(|stem| question_stems.contains(stem)) { idf } else { 0.0 };
            near.push(mean(&nearest(call, &every, lexicon)));
        }
        let calls = (1.0 + words.calls.len() as f32).ln();
        let branches = f32::from(function.flow.count(FlowKind::Branches)).min(MOST_BRANCHES);
        let loops = f32::from(function.flow.count(FlowKind::Loops)).min(MOST_LOOPS);
        let steps = (1.0 + self.question.steps as f32).ln();
        let numbers = self.question.numbers.iter().filter(|n| has_number(&function.text, n)).count() as f32;
        let quoted = self.question.quoted.iter().filter(|q| function.text.contains(q.as_str())).count() as f32;
        out.extend([
            f::CALLS_SPOKEN_OF.scaled(ratio(spoken, all)),
            f::CALLS_NEAR.scaled(mean(&near)),
            f::CALLS.scaled(calls),
            f::CALLS_BY_STEPS.scaled(calls * steps),
            f::BRANCHES.scaled(branches),
            f::LOOPS.scaled(loops),
            f::STEPS_IN_ORDER.scaled(self.in_order(at)),
            f::NUMBERS.scaled(ratio(numbers, self.question.numbers.len() as f32)),
            f::QUOTED.scaled(ratio(quoted, self.question.quoted.len() as f32)),
        ]);
    }

    /// Returns how well the order of the procedure's words matches their order in the code, from -1
    /// to 1.
    fn in_order(&self, at: usize) -> f32 {
        let mut first: FxHashMap<Stem, (usize, usize)> = FxHashMap::default();
        for (place, &stem) in self.words[at].all.iter().enumerate() {
            first.entry(stem).or_insert((place, 0)).1 += 1;
        }
        let rare_step = |stem: &Stem| first.get(stem).filter(|(_, count)| *count <= STEP_OCCURRENCES);
        let places: Vec<usize> = distinct(&self.question.procedure)
            .iter()
            .filter_map(|stem| rare_step(stem).map(|(place, _)| *place))
            .collect();
        let (mut forward, mut count) = (0.0, 0.0);
        for (from, &a) in places.iter().enumerate() {
            for &b in places.iter().take(from + STEP_REACH).skip(from + 1) {
                forward += if b > a { 1.0 } else { -1.0 };
                count += 1.0;
            }
        }
        forward / (count + STEP_PRIOR)
    }

    /// Compares the traits that the question mentions with the traits of the code.
    fn traits(&self, out: &mut FeatureVector, at: usize) {
        for (one, &is_asked) in TRAITS.iter().zip(&self.question.traits) {
            let shows = (one.shows)(&self.functions[at]);
            out.extend([(one.names[0], f32::from(is_asked && shows)), (one.names[1], f32::from(shows && !is_asked))]);
        }
    }
}

/// Checks whether two stems are neighbors, in either order.
fn has_pair(pairs: &FxHashSet<(Stem, Stem)>, (a, b): (Stem, Stem)) -> bool {
    pairs.contains(&(a, b)) || pairs.contains(&(b, a))
}

/// Returns the highest similarity of each stem of code to any of the given question stems.
fn nearest(stems: &[Stem], part: &[usize], lexicon: &mut Lexicon) -> Vec<f32> {
    let most = |stem: &Stem| {
        let near = lexicon.similarities(*stem);
        part.iter().map(|&at| near[at]).fold(0.0, f32::max)
    };
    stems.iter().map(most).collect()
}

/// Returns the highest similarity of each given question stem to any of the stems of code.
fn reached(part: &[usize], stems: &[Stem], lexicon: &mut Lexicon) -> Vec<f32> {
    let mut most = vec![0f32; part.len()];
    for &stem in stems {
        let near = lexicon.similarities(stem);
        most.iter_mut().zip(part).for_each(|(most, &at)| *most = most.max(near[at]));
    }
    most
}

fn has_number(text: &str, number: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| word == number)
}

fn ratio(some: f32, all: f32) -> f32 {
    if all > 0.0 { some / all } else { 0.0 }
}

fn mean(values: &[f32]) -> f32 {
    ratio(values.iter().sum(), values.len() as f32)
}

fn least(values: &[f32]) -> f32 {
    values.iter().copied().reduce(f32::min).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lookup::{FlowSummary, feature_names};
    use whichfn_search::search::QuestionForm;
    use whichfn_syntax::ids::DefinitionId;

    #[test]
    fn a_vector_has_all_features_in_table_order() {
        let function = Function {
            id: DefinitionId::new(0),
            name: "merge".into(),
            signature: "def merge(a, b)".into(),
            doc: String::new(),
            text: "def merge(a, b):\n    return a + b".into(),
            lines: 2,
            flow: FlowSummary::default(),
            parameters: vec!["a".into(), "b".into()],
            calls: Vec::new(),
            steps: Vec::new(),
            returned: vec!["return a + b".into()],
            return_type: String::new(),
            recursive: false,
            computes: true,
            constructor: false,
            idioms: Default::default(),
        };
        let mut lexicon = Lexicon::default();
        let question = ParsedQuestion::new("merges two lines", QuestionForm::Sentence, &mut lexicon);
        let features =
            FeatureExtractor::new(&question, std::slice::from_ref(&function), &mut lexicon).features(&mut lexicon);
        let named: Vec<&str> = features[0].iter().map(|(name, _)| *name).collect();
        assert_eq!(named, feature_names().collect::<Vec<_>>());
    }
}
