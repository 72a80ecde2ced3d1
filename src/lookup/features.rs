//! What speaks for each candidate, as named numbers: the question's parts held against the function's parts.
//!
//! Paper:    RepoQA (Liu et al. 2024) describes a function by purpose, input, output and procedure; each is compared with
//!           what stands for it in the code: name and documentation, parameters, what is returned, calls and control flow
//! Law:      all of it is relative to the candidates in memory: a word that all of them hold tells none from another
//! Price:    about 0.5 ms a candidate, most of it word vectors

use super::function::{Function, FunctionWords};
use super::question::ParsedQuestion;
use super::traits::TRAITS;
use crate::lang::FlowKind;
use crate::search::Section;
use crate::wordvec::{Lexicon, Stem, distinct};
use rustc_hash::{FxHashMap, FxHashSet};

/// Named numbers about one candidate, in a fixed order.
pub type FeatureVector = Vec<(&'static str, f32)>;

/// A pair of stems found may have one stem between.
const REACH: usize = 2;
/// Steps of the procedure that are compared with the order of the code lie at most this far apart.
const NEARBY: usize = 6;

/// The candidates in memory with what they share.
pub struct FeatureExtractor<'a> {
    asked: &'a ParsedQuestion,
    functions: &'a [Function],
    words: Vec<FunctionWords>,
    pairs: Vec<FxHashSet<(Stem, Stem)>>,
    /// How many candidates hold a stem, and a pair of stems.
    held_by: FxHashMap<Stem, f32>,
    pairs_held_by: FxHashMap<(Stem, Stem), f32>,
}

impl<'a> FeatureExtractor<'a> {
    /// Reads the words of all candidates.
    pub fn new(asked: &'a ParsedQuestion, functions: &'a [Function], lexicon: &mut Lexicon) -> Self {
        let words: Vec<FunctionWords> = functions.iter().map(|f| FunctionWords::of(f, lexicon)).collect();
        let near_pairs = |of: &FunctionWords| {
            (1..=REACH)
                .flat_map(|by| of.all.iter().copied().zip(of.all.iter().copied().skip(by)))
                .collect::<FxHashSet<_>>()
        };
        let pairs: Vec<FxHashSet<(Stem, Stem)>> = words.iter().map(near_pairs).collect();
        let (mut held_by, mut pairs_held_by) = (FxHashMap::default(), FxHashMap::default());
        words.iter().flat_map(|of| &of.distinct).for_each(|&stem| *held_by.entry(stem).or_insert(0.0) += 1.0);
        for &pair in asked.pairs.iter().flatten() {
            let count = pairs.iter().filter(|held| held.contains(&pair) || held.contains(&(pair.1, pair.0))).count();
            pairs_held_by.insert(pair, count as f32);
        }
        Self { asked, functions, words, pairs, held_by, pairs_held_by }
    }

    /// The features of each candidate, in the order of the functions.
    pub fn features(&self, lexicon: &mut Lexicon) -> Vec<FeatureVector> {
        let sentences: Vec<Vec<f32>> =
            self.asked.sentences.iter().filter_map(|stems| lexicon.vector(&distinct(stems), true)).collect();
        let asked: FxHashSet<Stem> = self.asked.all.iter().copied().collect();
        (0..self.functions.len())
            .map(|at| {
                let mut out = FeatureVector::new();
                self.shape(&mut out, at);
                self.phrases(&mut out, at);
                self.words(&mut out, at, &asked);
                self.sentences(&mut out, at, &sentences, lexicon);
                self.meaning(&mut out, at, &asked, lexicon);
                self.input(&mut out, at, &asked, lexicon);
                self.output(&mut out, at, lexicon);
                self.procedure(&mut out, at, &asked, lexicon);
                self.traits(&mut out, at);
                out
            })
            .collect()
    }

    /// What a stem tells among these candidates: the fewer hold it, the more.
    fn tells(&self, stem: Stem) -> f32 {
        let by = self.held_by.get(&stem).copied().unwrap_or(0.0);
        0.1 + if by > 0.0 { ((self.functions.len() as f32 + 1.0) / (by + 0.5)).ln() } else { 0.0 }
    }

    /// How long the function is against how much is said of it.
    fn shape(&self, out: &mut FeatureVector, at: usize) {
        let log = |count: usize| (1.0 + count as f32).ln();
        let (lines, words) = (log(self.functions[at].lines as usize), log(self.words[at].all.len()));
        let (told, steps) = (log(self.asked.procedure.len()), self.asked.steps as f32);
        out.extend([
            ("lines", lines / 5.0),
            ("lines squared", lines * lines / 25.0),
            ("words", words / 5.0),
            ("words squared", words * words / 25.0),
            ("lines by told", lines * told / 10.0),
            ("words by told", words * told / 20.0),
            ("lines by steps", lines * steps / 20.0),
        ]);
    }

    /// Words of the question that stand together in the code too.
    fn phrases(&self, out: &mut FeatureVector, at: usize) {
        let holds = |pair: &(Stem, Stem)| self.pairs[at].contains(pair) || self.pairs[at].contains(&(pair.1, pair.0));
        let share = |pairs: &[(Stem, Stem)]| {
            let (mut some, mut all) = (0.0, 0.0);
            for pair in pairs {
                let by = self.pairs_held_by[pair];
                if by > 0.0 {
                    let tells = ((self.functions.len() as f32 + 1.0) / (by + 0.5)).ln() + 0.2;
                    all += tells;
                    some += if holds(pair) { tells } else { 0.0 };
                }
            }
            ratio(some, all)
        };
        let next = &self.asked.pairs[0];
        let count = next.iter().filter(|pair| holds(pair)).count() as f32;
        let name = &self.words[at].name;
        let in_name = name.iter().copied().zip(name.iter().copied().skip(1));
        let asked = in_name.filter(|&(a, b)| next.contains(&(a, b)) || next.contains(&(b, a))).count() as f32;
        out.extend([
            ("phrases", share(next)),
            ("phrases with one between", share(&self.asked.pairs[1])),
            ("phrases found", count / (next.len() as f32 + 1.0).sqrt()),
            ("phrases of the name", ratio(asked, name.len() as f32 - 1.0)),
        ]);
    }

    /// Words held, the rarer among the candidates the more; and how much of the code the question speaks of.
    fn words(&self, out: &mut FeatureVector, at: usize, asked: &FxHashSet<Stem>) {
        let own: FxHashSet<Stem> = self.words[at].distinct.iter().copied().collect();
        let held = |power: i32| {
            let (mut some, mut all) = (0.0, 0.0);
            for &stem in self.asked.all.iter().filter(|stem| self.held_by.contains_key(stem)) {
                let tells = (self.tells(stem) - 0.1).powi(power);
                all += tells;
                some += if own.contains(&stem) { tells } else { 0.0 };
            }
            ratio(some, all)
        };
        let spoken_of = |stems: &[Stem]| {
            let all: f32 = stems.iter().map(|&stem| self.tells(stem)).sum();
            ratio(stems.iter().filter(|stem| asked.contains(stem)).map(|&stem| self.tells(stem)).sum(), all)
        };
        let covered: Vec<f32> = self
            .asked
            .sentences
            .iter()
            .map(|sentence| {
                let sentence = distinct(sentence);
                let all: f32 = sentence.iter().map(|&stem| self.tells(stem)).sum();
                ratio(sentence.iter().filter(|stem| own.contains(stem)).map(|&stem| self.tells(stem)).sum(), all)
            })
            .collect();
        out.extend([
            ("held", held(1)),
            ("held rare", held(2)),
            ("sentence held least", least(&covered)),
            ("sentences held", mean(&covered)),
            ("head spoken of", spoken_of(&distinct(&self.words[at].head))),
            ("code spoken of", spoken_of(&self.words[at].distinct)),
        ]);
    }

    /// Sentences against blocks of lines, by meaning.
    fn sentences(&self, out: &mut FeatureVector, at: usize, sentences: &[Vec<f32>], lexicon: &Lexicon) {
        let blocks: Vec<Vec<f32>> = self.words[at].blocks.iter().filter_map(|b| lexicon.vector(b, false)).collect();
        let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let best = |of: &[f32], among: &[Vec<f32>]| {
            among
                .iter()
                .map(|other| cosine(of, other))
                .enumerate()
                .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
        };
        let found: Vec<(usize, f32)> = sentences.iter().filter_map(|sentence| best(sentence, &blocks)).collect();
        let told: Vec<f32> = found.iter().map(|&(_, near)| near).collect();
        let spoken: Vec<f32> = blocks.iter().filter_map(|block| best(block, sentences)).map(|(_, near)| near).collect();
        let steps = found
            .windows(2)
            .map(|pair| (pair[1].0 as f32 - pair[0].0 as f32).signum() * f32::from(pair[1].0 != pair[0].0));
        let forward: Vec<f32> = steps.collect();
        out.extend([
            ("sentences near", mean(&told)),
            ("sentence near least", least(&told)),
            ("blocks near", mean(&spoken)),
            ("block near least", least(&spoken)),
            ("blocks in order", mean(&forward)),
        ]);
    }

    /// Words by meaning: how much of the code the question comes near to, and of each part the code.
    fn meaning(&self, out: &mut FeatureVector, at: usize, asked: &FxHashSet<Stem>, lexicon: &mut Lexicon) {
        let words = &self.words[at];
        let every: Vec<usize> = (0..self.asked.all.len()).collect();
        let near = nearest(&words.distinct, &every, lexicon);
        let weights: Vec<f32> = words.distinct.iter().map(|&stem| lexicon.held(stem)).collect();
        let weighted: f32 = near.iter().zip(&weights).map(|(near, weight)| near * weight).sum();
        let far = near.iter().filter(|&&near| near < 0.3).count() as f32;
        out.extend([
            ("code near", ratio(weighted, weights.iter().sum())),
            ("words near", mean(&near)),
            ("words far", ratio(far, near.len() as f32)),
        ]);
        const NAMES: [[&str; 2]; 4] = [
            ["purpose near", "purpose near least"],
            ["input near", "input near least"],
            ["output near", "output near least"],
            ["procedure near", "procedure near least"],
        ];
        for (part, names) in self.asked.parts.iter().zip(NAMES) {
            let near = reached(part, &words.distinct, lexicon);
            out.extend([(names[0], mean(&near)), (names[1], least(&near))]);
        }
        let purpose = &self.asked.parts[Section::Purpose as usize];
        let name = distinct(&words.name);
        out.extend([
            ("name near purpose", mean(&nearest(&name, purpose, lexicon))),
            ("purpose near name", mean(&reached(purpose, &name, lexicon))),
            (
                "name asked for",
                ratio(name.iter().filter(|stem| asked.contains(stem)).count() as f32, name.len() as f32),
            ),
        ]);
    }

    /// Parameters against the part about input.
    fn input(&self, out: &mut FeatureVector, at: usize, every: &FxHashSet<Stem>, lexicon: &mut Lexicon) {
        let (asked, parameters) = (self.asked, &self.words[at].parameters);
        let part = &asked.parts[Section::Input as usize];
        let stems: FxHashSet<Stem> = part.iter().map(|&place| asked.all[place]).collect();
        let share = |of: &FxHashSet<Stem>| {
            ratio(
                parameters.iter().filter(|p| p.iter().any(|s| of.contains(s))).count() as f32,
                parameters.len() as f32,
            )
        };
        let near: Vec<f32> =
            parameters.iter().map(|p| nearest(p, part, lexicon).into_iter().fold(0.0, f32::max)).collect();
        let count = parameters.len() as f32;
        let off = if asked.takes_nothing { 0.0 } else { (asked.inputs as f32 - count).abs() / 4.0 };
        out.extend([
            ("parameters in input", share(&stems)),
            ("parameters in question", share(every)),
            ("parameters near", mean(&near)),
            ("parameter near least", least(&near)),
            ("inputs off", off.min(3.0)),
            ("none taken as asked", f32::from(asked.takes_nothing && parameters.is_empty())),
            ("taken though none asked", f32::from(asked.takes_nothing && !parameters.is_empty())),
            ("parameters", count.min(20.0) / 5.0),
        ]);
    }

    /// What comes back against the part about output.
    fn output(&self, out: &mut FeatureVector, at: usize, lexicon: &mut Lexicon) {
        let part = &self.asked.parts[Section::Output as usize];
        let stems: Vec<Stem> = part.iter().map(|&place| self.asked.all[place]).collect();
        let returned = &self.words[at].returned;
        let tells = |stems: &mut dyn Iterator<Item = Stem>| stems.map(|stem| self.tells(stem)).sum::<f32>();
        let both = tells(&mut returned.iter().copied().filter(|stem| stems.contains(stem)));
        out.extend([
            ("returned spoken of", ratio(both, tells(&mut returned.iter().copied()))),
            (
                "output returned",
                ratio(both, tells(&mut stems.iter().copied().filter(|s| self.held_by.contains_key(s)))),
            ),
            ("returned near", mean(&nearest(returned, part, lexicon))),
            ("output near returned", mean(&reached(part, returned, lexicon))),
            ("returns", (1.0 + f32::from(self.functions[at].flow.count(FlowKind::Returns))).ln()),
        ]);
    }

    /// Calls, choices and the order of steps against the part about procedure.
    fn procedure(&self, out: &mut FeatureVector, at: usize, asked: &FxHashSet<Stem>, lexicon: &mut Lexicon) {
        let (function, words) = (&self.functions[at], &self.words[at]);
        let every: Vec<usize> = (0..self.asked.all.len()).collect();
        let (mut spoken, mut all, mut near) = (0.0, 0.0, Vec::new());
        for call in &words.calls {
            let tells = call.iter().map(|&stem| self.tells(stem)).fold(0.0, f32::max);
            all += tells;
            spoken += if call.iter().any(|stem| asked.contains(stem)) { tells } else { 0.0 };
            near.push(mean(&nearest(call, &every, lexicon)));
        }
        let calls = (1.0 + words.calls.len() as f32).ln();
        let branches = f32::from(function.flow.count(FlowKind::Branches)).min(20.0);
        let loops = f32::from(function.flow.count(FlowKind::Loops)).min(10.0);
        let steps = (1.0 + self.asked.steps as f32).ln();
        let numbers = self.asked.numbers.iter().filter(|n| has_number(&function.text, n)).count() as f32;
        let quoted = self.asked.quoted.iter().filter(|q| function.text.contains(q.as_str())).count() as f32;
        out.extend([
            ("calls spoken of", ratio(spoken, all)),
            ("calls near", mean(&near)),
            ("calls", calls / 3.0),
            ("calls by steps", calls * steps / 5.0),
            ("branches", branches / 10.0),
            ("loops", loops / 5.0),
            ("steps in order", self.in_order(at)),
            ("numbers", ratio(numbers, self.asked.numbers.len() as f32)),
            ("quoted", ratio(quoted, self.asked.quoted.len() as f32)),
        ]);
    }

    /// Whether words of the procedure come in the order of the code: -1 to 1. Words that stand in one or two places only.
    fn in_order(&self, at: usize) -> f32 {
        let mut first: FxHashMap<Stem, (usize, usize)> = FxHashMap::default();
        for (place, &stem) in self.words[at].all.iter().enumerate() {
            first.entry(stem).or_insert((place, 0)).1 += 1;
        }
        let places: Vec<usize> = distinct(&self.asked.procedure)
            .iter()
            .filter_map(|stem| first.get(stem).filter(|(_, count)| *count <= 2).map(|(place, _)| *place))
            .collect();
        let (mut forward, mut count) = (0.0, 0.0);
        for (from, &a) in places.iter().enumerate() {
            for &b in places.iter().take(from + NEARBY).skip(from + 1) {
                forward += if b > a { 1.0 } else { -1.0 };
                count += 1.0;
            }
        }
        forward / (count + 3.0)
    }

    /// What the question says that it does, and what the code shows.
    fn traits(&self, out: &mut FeatureVector, at: usize) {
        for (of, &asked) in TRAITS.iter().zip(&self.asked.traits) {
            let shows = (of.shows)(&self.functions[at]);
            out.extend([(of.names[0], f32::from(asked && shows)), (of.names[1], f32::from(shows && !asked))]);
        }
    }
}

/// For each stem of code, how near the nearest of some of the question's stems lies.
fn nearest(stems: &[Stem], part: &[usize], lexicon: &mut Lexicon) -> Vec<f32> {
    let most = |stem: &Stem| {
        let near = lexicon.near(*stem);
        part.iter().map(|&at| near[at]).fold(0.0, f32::max)
    };
    stems.iter().map(most).collect()
}

/// For each of some of the question's stems, how near the nearest stem of code lies.
fn reached(part: &[usize], stems: &[Stem], lexicon: &mut Lexicon) -> Vec<f32> {
    let mut most = vec![0f32; part.len()];
    for &stem in stems {
        let near = lexicon.near(stem);
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
