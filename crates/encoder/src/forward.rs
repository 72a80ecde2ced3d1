//! Computes the vectors of the tokens of texts, after BERT (Devlin et al. 2019, section 3, and Vaswani et
//! al. 2017, section 3): embeddings, then layers of attention and feed-forward networks, each with a
//! residual connection and a normalization.
//!
//! - **Cost:** for each token, `2 * (4 * hidden + 2 * intermediate) * hidden` operations a layer, and
//!   `4 * tokens * hidden` for the attention. Memory: `8 * hidden + intermediate` floats, the attention
//!   of one head, and a transposed block of parameters. Several texts at once share the transposition,
//!   a fifth of the time of one text.
//! - **Invariant:** texts that are computed at once do not change each other's bytes.
//! - **Differs:** texts are placed one after another without padding, so there is no mask. Only the
//!   first segment type is used. No dropout, which only training needs.

use crate::config::Config;
use crate::functions::{add_and_normalize, gelu, softmax};
use crate::matrix::{Matrix, MatrixMut, transpose};
use crate::parameters::{Layer, Linear, Parameters};

/// Number of outputs whose parameters are transposed at once. They fit into the cache of a core.
const BLOCK: usize = 128;
/// Distance between the rows of a transposed block. A power of two would map all rows to the same few
/// lines of the cache.
const STRIDE: usize = BLOCK + 16;

/// Returns a matrix with a row for each hidden dimension and a column for each token of the texts.
///
/// # Panics
/// Panics if an id is not below `config.vocabulary`, or if a text has more than `config.positions`.
pub(crate) fn forward(parameters: &Parameters, config: &Config, texts: &[Vec<u32>]) -> Vec<f32> {
    let tokens = texts.iter().map(Vec::len).sum();
    let mut states = embeddings(parameters, config, texts, tokens);
    for layer in &parameters.layers {
        let attended = layer.attention.apply(&attention(layer, config, &states, texts, tokens), tokens);
        add_and_normalize(&mut states, &attended, &layer.attention_norm, config.epsilon);
        let mut inner = layer.intermediate.apply(&states, tokens);
        gelu(&mut inner);
        let outer = layer.output.apply(&inner, tokens);
        add_and_normalize(&mut states, &outer, &layer.output_norm, config.epsilon);
    }
    states
}

/// Returns the sum of the vectors of each token, its position and its segment, normalized.
fn embeddings(parameters: &Parameters, config: &Config, texts: &[Vec<u32>], tokens: usize) -> Vec<f32> {
    let hidden = config.hidden;
    let words = texts.iter().flatten().flat_map(|&id| &parameters.words[id as usize * hidden..][..hidden]);
    let types = parameters.types[..hidden].iter().cycle();
    let sums: Vec<f32> = words.zip(types).map(|(word, kind)| word + kind).collect();
    let places: Vec<f32> =
        texts.iter().flat_map(|text| &parameters.positions[..text.len() * hidden]).copied().collect();
    let (mut states, mut positions) = (vec![0.0; sums.len()], vec![0.0; sums.len()]);
    transpose(&sums, hidden, &mut states, tokens);
    transpose(&places, hidden, &mut positions, tokens);
    add_and_normalize(&mut states, &positions, &parameters.norm, config.epsilon);
    states
}

/// Returns for each token the values of all tokens of its text, weighted by how well its query fits
/// their keys.
fn attention(layer: &Layer, config: &Config, states: &[f32], texts: &[Vec<u32>], tokens: usize) -> Vec<f32> {
    let (hidden, width) = (config.hidden, config.hidden / config.heads);
    let (queries, keys) = (layer.query.apply(states, tokens), layer.key.apply(states, tokens));
    let values = layer.value.apply_by_token(states, tokens);
    let scale = 1.0 / (width as f32).sqrt();
    let mut attended = vec![0.0; states.len()];
    let mut start = 0;
    for text in texts.iter().map(Vec::len) {
        // A column for each query and a row for each key.
        let mut weights = vec![0.0; text * text];
        for head in (0..hidden).step_by(width) {
            let first = head * tokens + start;
            let queries = Matrix::new(&queries[first..], width, text, tokens);
            let keys = Matrix::new(&keys[first..], width, text, tokens);
            let values = Matrix::new(&values[start * hidden + head..], text, width, hidden);
            MatrixMut::new(&mut weights, text, text, text).set_product(scale, keys.transposed(), queries, 0.0);
            softmax(&mut weights, text);
            let weights = Matrix::new(&weights, text, text, text);
            let attended = MatrixMut::new(&mut attended[first..], width, text, tokens);
            attended.set_product(1.0, values.transposed(), weights, 0.0);
        }
        start += text;
    }
    attended
}

impl Linear {
    /// Multiplies the parameters with the states and adds the bias. Returns a row for each output
    /// and a column for each token.
    fn apply(&self, states: &[f32], tokens: usize) -> Vec<f32> {
        let mut result = vec![0.0; self.bias.len() * tokens];
        result.chunks_exact_mut(tokens).zip(&*self.bias).for_each(|(row, &bias)| row.fill(bias));
        let states = Matrix::new(states, self.inputs(), tokens, tokens);
        self.for_each_block(|start, outputs, block| {
            let part = MatrixMut::new(&mut result[start * tokens..], outputs, tokens, tokens);
            part.set_product(1.0, block.transposed(), states, 1.0);
        });
        result
    }

    /// Does the same, but returns a row for each token and a column for each output.
    fn apply_by_token(&self, states: &[f32], tokens: usize) -> Vec<f32> {
        let mut result = self.bias.repeat(tokens);
        let states = Matrix::new(states, self.inputs(), tokens, tokens);
        self.for_each_block(|start, outputs, block| {
            let part = MatrixMut::new(&mut result[start..], tokens, outputs, self.bias.len());
            part.set_product(1.0, states.transposed(), block, 1.0);
        });
        result
    }

    /// Calls a function with the first output, the number of outputs and the parameters of each
    /// block, transposed.
    fn for_each_block(&self, mut visit: impl FnMut(usize, usize, Matrix)) {
        let inputs = self.inputs();
        let mut transposed = vec![0.0; inputs * STRIDE];
        for (number, block) in self.weight.chunks(BLOCK * inputs).enumerate() {
            let outputs = block.len() / inputs;
            transpose(block, inputs, &mut transposed, STRIDE);
            visit(number * BLOCK, outputs, Matrix::new(&transposed, inputs, outputs, STRIDE));
        }
    }

    fn inputs(&self) -> usize {
        self.weight.len() / self.bias.len()
    }
}
