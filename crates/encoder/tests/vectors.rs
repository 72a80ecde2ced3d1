//! Compares vectors with a slow forward pass in double precision, written from the papers.

use crate::{HEADS, HIDDEN, LAYERS, Model, open, opened, pooling};
use proptest::prelude::*;
use whichfn_testing::cases;

/// A vector for each token.
type States = Vec<Vec<f64>>;

/// The slow forward pass of a model.
struct SlowPass<'m>(&'m Model);

impl SlowPass<'_> {
    /// Returns a row of a tensor.
    fn row(&self, name: &str, row: usize) -> Vec<f64> {
        let (shape, numbers) = &self.0.tensors[name];
        let width = *shape.last().expect("a dimension");
        numbers[row * width..(row + 1) * width].iter().map(|&number| f64::from(number)).collect()
    }

    fn linear(&self, name: &str, states: &States) -> States {
        let bias = self.row(&format!("{name}.bias"), 0);
        let output = |state: &Vec<f64>, at: usize| dot(state, &self.row(&format!("{name}.weight"), at)) + bias[at];
        states.iter().map(|state| (0..bias.len()).map(|at| output(state, at)).collect()).collect()
    }

    /// Returns the normalized sum of two vectors for each token.
    fn norm(&self, name: &str, states: &States, added: &States) -> States {
        let (scale, shift) = (self.row(&format!("{name}.weight"), 0), self.row(&format!("{name}.bias"), 0));
        let one = |(state, added): (&Vec<f64>, &Vec<f64>)| {
            let sum: Vec<f64> = state.iter().zip(added).map(|(a, b)| a + b).collect();
            let mean = sum.iter().sum::<f64>() / sum.len() as f64;
            let variance = sum.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / sum.len() as f64;
            let value = |at: usize| (sum[at] - mean) / (variance + 1e-12).sqrt() * scale[at] + shift[at];
            (0..sum.len()).map(value).collect()
        };
        states.iter().zip(added).map(one).collect()
    }

    fn attention(&self, layer: &str, states: &States) -> States {
        let [queries, keys, values] =
            ["query", "key", "value"].map(|part| self.linear(&format!("{layer}.attention.self.{part}"), states));
        let width = HIDDEN / HEADS;
        let mut attended = vec![Vec::new(); states.len()];
        for (token, state) in attended.iter_mut().enumerate() {
            for head in (0..HEADS).map(|head| head * width..(head + 1) * width) {
                let score = |key: &Vec<f64>| dot(&queries[token][head.clone()], &key[head.clone()]);
                let weights: Vec<f64> = keys.iter().map(|key| (score(key) / (width as f64).sqrt()).exp()).collect();
                let total: f64 = weights.iter().sum();
                let mixed = |at| weights.iter().zip(&values).map(|(weight, value)| weight / total * value[at]).sum();
                state.extend(head.map(mixed).collect::<Vec<f64>>());
            }
        }
        attended
    }

    /// Returns the vector of a text with these tokens.
    fn slow(&self, ids: &[u32], is_mean: bool) -> Vec<f64> {
        let table = |name: &str, row| self.row(&format!("embeddings.{name}_embeddings.weight"), row);
        let words: States = ids.iter().map(|&id| table("word", id as usize)).collect();
        let place = |at| table("position", at).iter().zip(table("token_type", 0)).map(|(a, b)| a + b).collect();
        let mut states = self.norm("embeddings.LayerNorm", &words, &(0..ids.len()).map(place).collect());
        for layer in (0..LAYERS).map(|number| format!("encoder.layer.{number}")) {
            let attended = self.linear(&format!("{layer}.attention.output.dense"), &self.attention(&layer, &states));
            states = self.norm(&format!("{layer}.attention.output.LayerNorm"), &states, &attended);
            let mut inner = self.linear(&format!("{layer}.intermediate.dense"), &states);
            inner.iter_mut().flatten().for_each(|value| *value *= normal_probability(*value));
            let outer = self.linear(&format!("{layer}.output.dense"), &inner);
            states = self.norm(&format!("{layer}.output.LayerNorm"), &states, &outer);
        }
        let used = if is_mean { &states[..] } else { &states[..1] };
        let sum: Vec<f64> = (0..HIDDEN).map(|at| used.iter().map(|state| state[at]).sum()).collect();
        sum.iter().map(|value| value / dot(&sum, &sum).sqrt()).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the probability that a standard normal variable is at most `x`: 0.5 plus the integral of
/// the density from 0 to `x`, by Simpson's rule.
fn normal_probability(x: f64) -> f64 {
    let step = x / 200.0;
    let density = |at: usize| (-(step * at as f64).powi(2) / 2.0).exp();
    let weight = |at: usize| if at == 0 || at == 200 { 1.0 } else { 2.0 + 2.0 * (at % 2) as f64 };
    let sum: f64 = (0..=200).map(|at| weight(at) * density(at)).sum();
    0.5 + sum * step / 3.0 / std::f64::consts::TAU.sqrt()
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("(read|file|size|unaffable|[abc01_.é中 ]){0,30}", 1..12)
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn vectors_equal_those_of_the_slow_pass(seed: u64, texts in texts(), is_mean: bool) {
        let mut model = Model::new(seed);
        model.pooling = pooling(if is_mean { "mean_tokens" } else { "cls_token" });
        let encoder = opened(&model);
        for text in texts {
            let (fast, slow) = (encoder.encode(&text), SlowPass(&model).slow(&encoder.token_ids(&text), is_mean));
            let is_close = fast.iter().zip(&slow).all(|(&fast, slow)| (f64::from(fast) - slow).abs() < 2e-5);
            prop_assert!(is_close, "{text:?}: {fast:?} instead of {slow:?}");
        }
    }

    /// Threads and other texts never change a vector.
    #[test]
    fn vectors_are_the_same_on_one_thread_and_eight(texts in texts()) {
        let encoder = opened(&Model::new(3));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let alone: Vec<Vec<f32>> = texts.iter().map(|text| encoder.encode(text)).collect();
        for threads in [1, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            prop_assert_eq!(&pool.install(|| encoder.encode_all(&texts)), &alone, "{} threads", threads);
        }
    }
}

#[test]
fn vectors_have_length_one() {
    let encoder = opened(&Model::new(5));
    for text in ["", "read the file", "x", &"read ".repeat(20_000)] {
        let length: f32 = encoder.encode(text).iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-6, "{text:.20}: {length}");
    }
    assert!(encoder.encode_all(&[]).is_empty());
}

/// Numbers that are not aligned, or have 16 bits, are converted.
#[test]
fn all_types_of_numbers_can_be_read() {
    let mut model = Model::new(7);
    // Numbers that 16 bits of either type hold exactly.
    let numbers = model.tensors.values_mut().flat_map(|(_, numbers)| numbers);
    numbers.for_each(|number| *number = (*number * 64.0).round() / 64.0);
    let expected = opened(&model).encode("read the file");
    let upper = |number: f32| number.to_bits().to_le_bytes()[2..].to_vec();
    let half = |number: f32| {
        let bits = number.to_bits();
        let exponent = (bits >> 23 & 255).saturating_sub(112) << 10;
        let half = if number == 0.0 { 0 } else { bits >> 16 & 0x8000 | exponent | bits >> 13 & 1023 };
        (half as u16).to_le_bytes().to_vec()
    };
    let mut files: Vec<_> =
        (0..4).map(|spaces| model.weights_as("F32", spaces, |number| number.to_le_bytes().to_vec())).collect();
    files.extend([model.weights_as("BF16", 1, upper), model.weights_as("F16", 0, half)]);
    for file in files {
        let encoder = open(model.write(&file).path()).expect("a valid model");
        assert_eq!(encoder.encode("read the file"), expected);
    }
}

#[test]
fn a_digest_identifies_the_model() {
    let model = Model::new(9);
    let digest = opened(&model).digest();
    assert_eq!(opened(&Model::new(9)).digest(), digest);
    let cls = Model { pooling: pooling("cls_token"), ..Model::new(9) };
    let others = [opened(&Model::new(10)), opened(&cls)];
    assert!(others.iter().all(|other| other.digest() != digest));
    let folder = model.write(&model.weights());
    let encoder = open(folder.path()).expect("a valid model");
    assert_eq!(
        (encoder.dimensions(), encoder.name()),
        (8, &*folder.path().file_name().expect("name").to_string_lossy())
    );
}
