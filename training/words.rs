//! Learns one vector per word by contrasting pairs. The vector of a function's description is moved
//! close to the vector of its code, and away from the code of other functions in the same package.
//!
//! **Implements:** InfoNCE (van den Oord et al. 2018), in both directions, over static word
//! vectors:
//!
//! ```text
//! text = unit( sum over distinct words w of field weight * word weight * (1 + ln tf) * v_w )
//! ```
//!
//! **Optimiser:** Adagrad, with one rate per row (Duchi et al. 2011).
//!
//! **Differs from the paper:** some of the words that occur on both sides are hidden on the code
//! side. BM25 handles equal words, and the vectors should learn which other words belong together.

use super::chance;
use super::corpus::{Corpus, Example};
use super::start::Start;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::Path;
use whichfn::eval::SplitMix64;
use whichfn_index::wordvec::LISTED_NEIGHBOURS;
use whichfn_syntax::parse::Field;
use whichfn_text::is_stop_word;

pub const DIMENSIONS: usize = 256;
/// Number of functions from one package that are in the same batch.
const GROUP: usize = 64;
const GROUPS: usize = 8;
const TEMPERATURE: f32 = 0.05;
const RATE: f32 = 0.15;
/// Learning rate for the weights of words and fields.
const WEIGHT_RATE: f32 = 0.02;
/// Field weights for common words, similar to those in BM25F.
const FIELD_WEIGHTS: [f32; Field::COUNT] = [3.0, 1.5, 1.5, 1.3, 1.0, 0.9, 2.0, 0.6];
/// Weight of the common words relative to the cosine divided by the temperature, when both are
/// evaluated together.
const COMMON: f32 = 12.0;
/// Probability that a word that occurs on both sides is hidden on the code side.
const HIDDEN: f32 = 0.3;
/// Probability that the query comes from the documentation, if there is any, because documentation
/// resembles people's questions most. Otherwise, the query is the function's name or half of its
/// body.
const DOCUMENTED: f32 = 0.75;
/// Random value below which the query is only the first sentence, the most common form of question.
const FIRST_SENTENCE: f32 = 0.40;
/// Random value above which the query is some of the documentation's words, as typed into a search
/// box. Between [`FIRST_SENTENCE`] and this value, it is the whole documentation. The ratio of
/// first sentences to whole documentation to typed words is about 4 : 2 : 1.5.
const WHOLE_DOCUMENTATION: f32 = 0.6;
/// Number of words in a query of the search-box kind.
const TYPED_WORDS: std::ops::RangeInclusive<usize> = 2..=6;
/// Probability that the rest of the documentation stays on the code side if its first sentence is
/// the query. It is low because the rest repeats that sentence.
const REST_SHOWN: f32 = 0.2;
/// Probability that the name stays on the code side. It is less than 1, so that the bodies are
/// learned from as well.
const NAME_SHOWN: f32 = 0.7;
/// Probability that the query is the name and not half of the body.
const BY_NAME: f32 = 0.5;
/// Probability that the documentation stays on the code side if the query is the name.
const DOCUMENTATION_SHOWN: f32 = 0.5;
/// Minimum number of words that a body must have to be split in half.
const SHORTEST_BODY: usize = 8;
/// Number of epochs. The learning curve is flat from the fifth epoch on (`training/README.md`).
const EPOCHS: usize = 7;
/// Minimum cosine of neighbors. Words with a lower cosine belong to the same subject but have
/// different meanings.
const NEIGHBOUR: f32 = 0.4;
/// Maximum number of words in a query that consists of documentation. Longer queries are truncated.
const LONGEST: usize = 90;

/// The distinct words of a string, each with its field and its count. The words of a query have the
/// field [`QUERY`].
type Bag = Vec<(u32, u8, f32)>;

const QUERY: u8 = Field::COUNT as u8;

pub struct Model {
    pub vectors: Vec<f32>,
    /// Logarithm of each word's weight in queries.
    pub asked: Vec<f32>,
    /// Logarithm of each word's weight in code.
    pub held: Vec<f32>,
    /// Logarithm of each field's weight.
    pub fields: [f32; Field::COUNT],
    /// Rarity of each word, which grows with its inverse document frequency.
    rare: Vec<f32>,
}

pub struct Steps {
    vectors: Vec<f32>,
    asked: Vec<f32>,
    held: Vec<f32>,
    fields: [f32; Field::COUNT],
}

pub fn train(pairs: &Path, start: &Path, out: &Path) {
    let corpus: Corpus = postcard::from_bytes(&std::fs::read(pairs).expect("read the pairs")).expect("pairs");
    let stop: Vec<bool> = corpus.words.iter().map(|w| is_stop_word(w)).collect();
    let mut random = SplitMix64::new(20_261_121);
    let mut model = Model::new(&corpus, &mut random);
    model.start_from(&corpus.words, &Start::read(start));
    let mut steps = Steps {
        vectors: vec![1e-6; corpus.words.len()],
        asked: vec![1e-4; corpus.words.len()],
        held: vec![1e-4; corpus.words.len()],
        fields: [1e-2; Field::COUNT],
    };
    let is_kept_apart = |e: &Example| e.package % 29 == 7;
    let mut apart: FxHashMap<u32, Vec<&Example>> = FxHashMap::default();
    corpus.examples.iter().filter(|e| is_kept_apart(e)).for_each(|e| apart.entry(e.package).or_default().push(e));
    let mut apart: Vec<Vec<&Example>> = apart.into_values().collect();
    apart.sort_unstable_by_key(|package| package[0].package);
    let mut by_package: FxHashMap<u32, Vec<&Example>> = FxHashMap::default();
    for example in corpus.examples.iter().filter(|e| !is_kept_apart(e)) {
        by_package.entry(example.package).or_default().push(example);
    }
    let mut packages: Vec<u32> = by_package.keys().copied().collect();
    packages.sort_unstable();
    let started = std::time::Instant::now();
    println!("epoch 0: apart {:.4?}", model.judge(&apart, &stop));
    for epoch in 1..=EPOCHS {
        let mut groups: Vec<Vec<&Example>> = Vec::new();
        for package in &packages {
            let list = by_package.get_mut(package).expect("listed");
            random.shuffle(list);
            groups.extend(list.chunks(GROUP).map(<[&Example]>::to_vec));
        }
        random.shuffle(&mut groups);
        let (mut loss, mut batches) = (0.0, 0);
        let all = groups.len() / GROUPS;
        for batch in groups.chunks(GROUPS) {
            let examples: Vec<&Example> = batch.iter().flatten().copied().collect();
            let pairs: Vec<(Bag, Bag)> = examples.iter().map(|e| pair(e, &stop, &mut random)).collect();
            let pairs: Vec<(Bag, Bag)> = pairs.into_iter().filter(|(q, d)| !q.is_empty() && !d.is_empty()).collect();
            let progress = ((epoch - 1) as f32 + batches as f32 / all as f32) / EPOCHS as f32;
            loss += model.step(&mut steps, &pairs, 1.0 - 0.9 * progress);
            batches += 1;
        }
        println!(
            "epoch {epoch}: loss {:.4}, apart {:.4?}, {:.0} s, fields {:?}",
            loss / batches as f32,
            model.judge(&apart, &stop),
            started.elapsed().as_secs_f32(),
            model.fields.map(|f| (f.exp() * 100.0).round() / 100.0)
        );
    }
    std::fs::write(out, model.bytes(&corpus.words)).expect("write the words");
}

/// Draws a random query from one function, and the code that the query should find.
fn pair(example: &Example, stop: &[bool], random: &mut SplitMix64) -> (Bag, Bag) {
    let of = |field: Field| &example.fields[field as usize];
    let mut shown = [true; Field::COUNT];
    let mut query: Vec<u32> = Vec::new();
    let mut halves: Option<Vec<u32>> = None;
    let documented = !of(Field::Summary).is_empty();
    let draw = chance(random);
    if documented && draw < DOCUMENTED {
        shown[Field::Summary as usize] = false;
        if draw < FIRST_SENTENCE {
            query.extend(of(Field::Summary));
            shown[Field::Doc as usize] = chance(random) < REST_SHOWN;
        } else {
            query.extend(of(Field::Summary).iter().chain(of(Field::Doc)).take(LONGEST));
            shown[Field::Doc as usize] = false;
            if draw > WHOLE_DOCUMENTATION {
                query.retain(|&w| !stop[w as usize]);
                random.shuffle(&mut query);
                query.truncate(TYPED_WORDS.start() + random.below(TYPED_WORDS.count()));
            }
        }
        shown[Field::Name as usize] = chance(random) < NAME_SHOWN;
    } else if chance(random) < BY_NAME || of(Field::Body).len() < SHORTEST_BODY {
        query.extend(of(Field::Name));
        shown[Field::Name as usize] = false;
        shown[Field::Summary as usize] = chance(random) < DOCUMENTATION_SHOWN;
        shown[Field::Doc as usize] = shown[Field::Summary as usize];
    } else {
        let mut body: Vec<u32> = of(Field::Body).clone();
        random.shuffle(&mut body);
        let rest = body.split_off(body.len() / 2);
        query = body;
        halves = Some(rest);
    }
    let query = bag(query.iter().filter(|&&w| !stop[w as usize]).copied(), QUERY);
    let mut code = Bag::new();
    for field in Field::ALL {
        if !shown[field as usize] {
            continue;
        }
        let words = match (&halves, field) {
            (Some(rest), Field::Body) => bag(rest.iter().copied(), field as u8),
            _ => bag(of(field).iter().copied(), field as u8),
        };
        code.extend(words);
    }
    let drop: Vec<u32> = query.iter().map(|q| q.0).filter(|_| chance(random) < HIDDEN).collect();
    let kept: Bag = code.iter().filter(|(w, ..)| !drop.contains(w)).copied().collect();
    (query, if kept.len() * 2 > code.len() { kept } else { code })
}

fn bag(words: impl Iterator<Item = u32>, field: u8) -> Bag {
    let mut words: Vec<u32> = words.collect();
    words.sort_unstable();
    let mut out = Bag::new();
    for word in words {
        match out.last_mut() {
            Some(last) if last.0 == word => last.2 += 1.0,
            _ => out.push((word, field, 1.0)),
        }
    }
    out.iter_mut().for_each(|(_, _, count)| *count = 1.0 + count.ln());
    out
}

/// Returns the functions that contain each word, with the word's saturated count, indexed by word.
fn holding(codes: &[&Bag]) -> FxHashMap<u32, Vec<(u32, f32)>> {
    let average = codes.iter().map(|c| c.len()).sum::<usize>() as f32 / codes.len().max(1) as f32;
    let mut holding: FxHashMap<u32, Vec<(u32, f32)>> = FxHashMap::default();
    for (number, code) in codes.iter().enumerate() {
        let mut counts: BTreeMap<u32, f32> = BTreeMap::new();
        for &(word, field, count) in *code {
            *counts.entry(word).or_default() += FIELD_WEIGHTS[field as usize] * count;
        }
        let length = 0.4 + 0.6 * code.len() as f32 / average;
        for (word, count) in counts {
            let count = count / length;
            holding.entry(word).or_default().push((number as u32, count / (1.0 + count)));
        }
    }
    holding
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

fn add(to: &mut [f32], from: &[f32], times: f32) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += times * from);
}

impl Model {
    fn new(corpus: &Corpus, random: &mut SplitMix64) -> Self {
        let count = corpus.words.len();
        let vectors = (0..count * DIMENSIONS)
            .map(|_| (chance(random) + chance(random) + chance(random) - 1.5) * 2.0 / (DIMENSIONS as f32).sqrt())
            .collect();
        let mut holding = vec![1f32; count];
        for example in &corpus.examples {
            let mut words: Vec<u32> = example.fields.iter().flatten().copied().collect();
            words.sort_unstable();
            words.dedup();
            words.iter().for_each(|&w| holding[w as usize] += 1.0);
        }
        let all = corpus.examples.len() as f32;
        // Rare words have more weight from the start: half of the logarithm of their inverse
        // frequency's logarithm.
        let start: Vec<f32> = holding.iter().map(|&n| ((1.0 + all / n).ln() / 4.0).ln()).collect();
        let rare = holding.iter().map(|&n| (1.0 + all / n).ln()).collect();
        Self { vectors, asked: start.clone(), held: start, fields: [0.0; Field::COUNT], rare }
    }

    /// Initializes the vectors of the words that `start` contains.
    fn start_from(&mut self, words: &[String], start: &Start) {
        let rows = words.iter().zip(self.vectors.chunks_exact_mut(DIMENSIONS));
        let known = rows.filter_map(|(word, row)| start.of(word).map(|of| row.copy_from_slice(of))).count();
        println!("{known} of {} words start with known vectors", words.len());
    }

    fn row(&self, word: u32) -> &[f32] {
        &self.vectors[word as usize * DIMENSIONS..][..DIMENSIONS]
    }

    fn share(&self, &(word, field, count): &(u32, u8, f32)) -> f32 {
        match field {
            QUERY => count * self.asked[word as usize].exp(),
            field => count * (self.held[word as usize] + self.fields[field as usize]).exp(),
        }
    }

    /// Returns the unit vector of a string, and the length of the vector before normalization.
    fn text(&self, bag: &Bag) -> (Vec<f32>, f32) {
        let mut sum = vec![0f32; DIMENSIONS];
        for word in bag {
            add(&mut sum, self.row(word.0), self.share(word));
        }
        let length = dot(&sum, &sum).sqrt().max(1e-6);
        sum.iter_mut().for_each(|x| *x /= length);
        (sum, length)
    }

    /// Returns the share of a query's words that each function contains. Rare words have more
    /// weight, as in BM25.
    fn common_with(&self, query: &Bag, holding: &FxHashMap<u32, Vec<(u32, f32)>>, codes: usize) -> Vec<f32> {
        let all: f32 = query.iter().map(|&(w, _, c)| c * self.rare[w as usize]).sum::<f32>().max(1e-6);
        let mut out = vec![0f32; codes];
        for &(word, _, count) in query {
            for &(code, share) in holding.get(&word).into_iter().flatten() {
                out[code as usize] += count * self.rare[word as usize] * share / all;
            }
        }
        out
    }

    /// Learns from one batch, and returns the mean loss.
    fn step(&mut self, steps: &mut Steps, pairs: &[(Bag, Bag)], rate: f32) -> f32 {
        let n = pairs.len();
        let asked: Vec<(Vec<f32>, f32)> = pairs.par_iter().map(|(q, _)| self.text(q)).collect();
        let held: Vec<(Vec<f32>, f32)> = pairs.par_iter().map(|(_, d)| self.text(d)).collect();
        let scores: Vec<Vec<f32>> =
            asked.par_iter().map(|(q, _)| held.iter().map(|(d, _)| dot(q, d) / TEMPERATURE).collect()).collect();
        let soft = |row: &mut Vec<f32>| {
            let most = row.iter().copied().fold(f32::MIN, f32::max);
            row.iter_mut().for_each(|x| *x = (*x - most).exp());
            let sum: f32 = row.iter().sum();
            row.iter_mut().for_each(|x| *x /= sum);
        };
        let by_row: Vec<Vec<f32>> = scores.par_iter().cloned().map(|mut row| (soft(&mut row), row).1).collect();
        let by_column: Vec<Vec<f32>> = (0..n)
            .into_par_iter()
            .map(|j| {
                let mut column: Vec<f32> = scores.iter().map(|row| row[j]).collect();
                soft(&mut column);
                column
            })
            .collect();
        let loss = (0..n).map(|i| -by_row[i][i].max(1e-9).ln()).sum::<f32>() / n as f32;
        let pull = |i: usize, j: usize| {
            let wrong = 0.5 * (by_row[i][j] + by_column[j][i]) - if i == j { 1.0 } else { 0.0 };
            wrong / TEMPERATURE
        };
        let back = |own: &(Vec<f32>, f32), mut slope: Vec<f32>| {
            let along = dot(&own.0, &slope);
            add(&mut slope, &own.0, -along);
            slope.iter_mut().for_each(|x| *x /= own.1);
            slope
        };
        let slopes: Vec<(Vec<f32>, Vec<f32>)> = (0..n)
            .into_par_iter()
            .map(|i| {
                let (mut q, mut d) = (vec![0f32; DIMENSIONS], vec![0f32; DIMENSIONS]);
                for j in 0..n {
                    let (a, b) = (pull(i, j), pull(j, i));
                    if a.abs() > 1e-4 {
                        add(&mut q, &held[j].0, a);
                    }
                    if b.abs() > 1e-4 {
                        add(&mut d, &asked[j].0, b);
                    }
                }
                (back(&asked[i], q), back(&held[i], d))
            })
            .collect();
        self.descend(steps, pairs, &slopes, rate);
        loss
    }

    fn descend(&mut self, steps: &mut Steps, pairs: &[(Bag, Bag)], slopes: &[(Vec<f32>, Vec<f32>)], rate: f32) {
        let mut uses: Vec<(u32, u8, f32, u32)> = Vec::new();
        for (i, (q, d)) in pairs.iter().enumerate() {
            uses.extend(q.iter().chain(d).map(|word| (word.0, word.1, self.share(word), i as u32)));
        }
        uses.sort_unstable_by_key(|u| (u.0, u.3, u.1));
        let rows: Vec<&[(u32, u8, f32, u32)]> = uses.chunk_by(|a, b| a.0 == b.0).collect();
        let changes: Vec<(Vec<f32>, f32, f32, [f32; Field::COUNT])> = rows
            .par_iter()
            .map(|row| {
                let vector = self.row(row[0].0);
                let mut slope = vec![0f32; DIMENSIONS];
                let (mut asked, mut held, mut fields) = (0.0, 0.0, [0f32; Field::COUNT]);
                for &(_, field, share, i) in *row {
                    let of = &slopes[i as usize];
                    let of = if field == QUERY { &of.0 } else { &of.1 };
                    add(&mut slope, of, share);
                    let along = share * dot(vector, of);
                    if field == QUERY {
                        asked += along;
                    } else {
                        held += along;
                        fields[field as usize] += along;
                    }
                }
                (slope, asked, held, fields)
            })
            .collect();
        let mut fields = [0f32; Field::COUNT];
        for (row, (slope, asked, held, by_field)) in rows.iter().zip(changes) {
            let word = row[0].0 as usize;
            let sum = &mut steps.vectors[word];
            *sum += dot(&slope, &slope) / DIMENSIONS as f32;
            let step = rate * RATE / (DIMENSIONS as f32).sqrt() / sum.sqrt();
            add(&mut self.vectors[word * DIMENSIONS..][..DIMENSIONS], &slope, -step);
            descend(&mut self.asked[word], &mut steps.asked[word], asked, rate);
            descend(&mut self.held[word], &mut steps.held[word], held, rate);
            fields.iter_mut().zip(by_field).for_each(|(sum, x)| *sum += x);
        }
        for (field, slope) in fields.into_iter().enumerate() {
            descend(&mut self.fields[field], &mut steps.fields[field], slope, rate);
        }
    }

    /// Returns the mean reciprocal ranks of functions for the first sentence of their
    /// documentation, among all functions of their package: by common words, by cosine, and by
    /// both.
    fn judge(&self, apart: &[Vec<&Example>], stop: &[bool]) -> [f32; 3] {
        let ranks: Vec<[f32; 4]> = apart.par_iter().map(|package| self.judge_package(package, stop)).collect();
        let sum = ranks.iter().fold([0f32; 4], |sum, r| std::array::from_fn(|i| sum[i] + r[i]));
        [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]]
    }

    fn judge_package(&self, package: &[&Example], stop: &[bool]) -> [f32; 4] {
        let codes: Vec<Bag> = package
            .iter()
            .map(|e| {
                let own = Field::ALL.into_iter().filter(|f| !matches!(f, Field::Summary | Field::Doc));
                own.flat_map(|f| bag(e.fields[f as usize].iter().copied(), f as u8)).collect()
            })
            .collect();
        let holding = holding(&codes.iter().collect::<Vec<_>>());
        let held: Vec<Vec<f32>> = codes.iter().map(|c| self.text(c).0).collect();
        let mut sums = [0f32; 4];
        for (i, example) in
            package.iter().enumerate().filter(|(_, e)| !e.fields[Field::Summary as usize].is_empty()).take(120)
        {
            let words = example.fields[Field::Summary as usize].iter().copied().filter(|&w| !stop[w as usize]);
            let query = bag(words, QUERY);
            let asked = self.text(&query).0;
            let common = self.common_with(&query, &holding, codes.len());
            let near: Vec<f32> = held.iter().map(|d| dot(&asked, d) / TEMPERATURE).collect();
            let rank = |score: &dyn Fn(usize) -> f32| {
                1.0 / (1 + (0..codes.len()).filter(|&j| j != i && score(j) >= score(i)).count()) as f32
            };
            sums[0] += rank(&|j| common[j]);
            sums[1] += rank(&|j| near[j]);
            sums[2] += rank(&|j| near[j] + COMMON * common[j]);
            sums[3] += 1.0;
        }
        sums
    }

    /// Returns the nearest neighbors of each word with their cosines, nearest first. Missing
    /// neighbors have a cosine of 0.
    fn neighbours(&self) -> Vec<[(u32, f32); LISTED_NEIGHBOURS]> {
        let count = self.asked.len() as u32;
        let length = |word: u32| dot(self.row(word), self.row(word)).sqrt().max(1e-9);
        let lengths: Vec<f32> = (0..count).map(length).collect();
        let of = |word: u32| {
            let cosine = |&other: &u32| {
                let both = lengths[word as usize] * lengths[other as usize];
                (other, dot(self.row(word), self.row(other)) / both)
            };
            let near = |&(other, near): &(u32, f32)| other != word && near >= NEIGHBOUR;
            let mut near: Vec<(u32, f32)> = (0..count).map(|other| cosine(&other)).filter(near).collect();
            near.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            near.resize(LISTED_NEIGHBOURS, (0, 0.0));
            std::array::from_fn(|at| near[at])
        };
        (0..count).into_par_iter().map(of).collect()
    }

    /// Serializes the word table in the format of `crates/index/src/wordvec/table.rs`.
    fn bytes(&self, words: &[String]) -> Vec<u8> {
        let count = words.len() as u32;
        let mut bytes: Vec<u8> = b"wfw2".to_vec();
        bytes.extend(count.to_le_bytes());
        bytes.extend((DIMENSIONS as u32).to_le_bytes());
        bytes.extend(xxhash_rust::xxh3::xxh3_64(words.join("\n").as_bytes()).to_le_bytes());
        self.fields.iter().for_each(|f| bytes.extend(f.exp().to_le_bytes()));
        let scales: Vec<f32> =
            (0..count).map(|word| self.row(word).iter().fold(1e-9f32, |most, x| most.max(x.abs())) / 127.0).collect();
        for counts in [&self.asked, &self.held] {
            counts.iter().zip(&scales).for_each(|(c, scale)| bytes.extend((c.exp() * scale).to_le_bytes()));
        }
        for (word, scale) in (0..count).zip(&scales) {
            bytes.extend(self.row(word).iter().map(|x| (x / scale).round() as i8 as u8));
        }
        let mut end = 0;
        for word in words {
            end += word.len() as u32;
            bytes.extend(end.to_le_bytes());
        }
        let mut order: Vec<u16> = (0..count as u16).collect();
        order.sort_unstable_by_key(|&word| words[word as usize].as_bytes());
        order.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        let neighbours = self.neighbours();
        neighbours.iter().flatten().for_each(|&(word, _)| bytes.extend((word as u16).to_le_bytes()));
        neighbours.iter().flatten().for_each(|&(_, near)| bytes.push((near * 255.0).round() as u8));
        words.iter().for_each(|word| bytes.extend(word.as_bytes()));
        bytes
    }
}

/// Applies one Adagrad step to a single weight.
fn descend(weight: &mut f32, sum: &mut f32, slope: f32, rate: f32) {
    *sum += slope * slope;
    *weight -= rate * WEIGHT_RATE * slope / sum.sqrt();
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_index::wordvec::{WordId, WordTable};

    #[test]
    fn the_program_reads_each_word_and_its_vector() {
        let words: Vec<String> = ["renew", "a", "session", "merge"].map(str::to_owned).into();
        let fields = std::array::from_fn(|field| vec![field as u32 % 4]);
        let corpus = Corpus { words, packages: vec!["one".into()], examples: vec![Example { package: 0, fields }] };
        let model = Model::new(&corpus, &mut SplitMix64::new(1));
        let bytes = model.bytes(&corpus.words);
        let table = WordTable::read(&bytes).expect("a table");
        assert_eq!((table.len(), table.dimensions()), (4, DIMENSIONS));
        for (number, word) in corpus.words.iter().enumerate() {
            let id = WordId(number as u16);
            assert_eq!((table.number(word), table.text(id)), (Some(id), word.as_bytes()));
            // Each number takes one byte. The largest number in a vector becomes 127, and the
            // others are scaled in proportion.
            let (written, row) = (table.vector(id), model.row(number as u32));
            let most = row.iter().fold(0f32, |most, x| most.max(x.abs()));
            for (byte, x) in written.iter().zip(row) {
                assert!((f32::from(*byte) * most / 127.0 - x).abs() <= most / 127.0, "{word}");
            }
        }
    }
}
