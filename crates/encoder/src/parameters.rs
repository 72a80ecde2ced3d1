//! The trained parameters of a `BertModel`, by the names that the transformers library gives them.

use crate::config::Config;
use crate::safetensors::Safetensors;
use crate::tensor::Tensor;
use whichfn_system::error::Result;

/// All parameters of a model.
pub(crate) struct Parameters {
    /// A vector for each token of the vocabulary.
    pub words: Tensor,
    /// A vector for each position in a text.
    pub positions: Tensor,
    /// A vector for each type of segment.
    pub types: Tensor,
    /// Normalizes the sum of the three.
    pub norm: Norm,
    /// The layers, first to last.
    pub layers: Vec<Layer>,
}

/// The parameters of a layer.
pub(crate) struct Layer {
    /// What a token looks for in other tokens.
    pub query: Linear,
    /// What other tokens find in a token.
    pub key: Linear,
    /// What a token passes to the tokens that find it.
    pub value: Linear,
    /// Combines the attention heads.
    pub attention: Linear,
    /// Normalizes the result of the attention.
    pub attention_norm: Norm,
    /// The first matrix of the feed-forward network.
    pub intermediate: Linear,
    /// The second matrix of the feed-forward network.
    pub output: Linear,
    /// Normalizes the result of the layer.
    pub output_norm: Norm,
}

/// A matrix with a row for each output dimension, and a value to add to each.
pub(crate) struct Linear {
    pub weight: Tensor,
    pub bias: Tensor,
}

/// The scale and shift of a normalization, for each dimension.
pub(crate) struct Norm {
    pub weight: Tensor,
    pub bias: Tensor,
}

impl Parameters {
    /// Finds all parameters in a file.
    ///
    /// # Errors
    /// Returns an error if a tensor is missing, or has another shape, type or size.
    pub fn find(file: &Safetensors, config: &Config) -> Result<Self> {
        let hidden = config.hidden;
        let table = |name: &str, rows| file.tensor(&format!("embeddings.{name}_embeddings.weight"), &[rows, hidden]);
        Ok(Self {
            words: table("word", config.vocabulary)?,
            positions: table("position", config.positions)?,
            types: table("token_type", config.types)?,
            norm: Norm::find(file, "embeddings.LayerNorm", hidden)?,
            layers: (0..config.layers).map(|number| Layer::find(file, number, config)).collect::<Result<_>>()?,
        })
    }
}

impl Layer {
    fn find(file: &Safetensors, number: usize, config: &Config) -> Result<Self> {
        let (hidden, intermediate) = (config.hidden, config.intermediate);
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let linear = |part: &str, inputs, outputs| Linear::find(file, &name(part), inputs, outputs);
        let norm = |part: &str| Norm::find(file, &name(part), hidden);
        Ok(Self {
            query: linear("attention.self.query", hidden, hidden)?,
            key: linear("attention.self.key", hidden, hidden)?,
            value: linear("attention.self.value", hidden, hidden)?,
            attention: linear("attention.output.dense", hidden, hidden)?,
            attention_norm: norm("attention.output.LayerNorm")?,
            intermediate: linear("intermediate.dense", hidden, intermediate)?,
            output: linear("output.dense", intermediate, hidden)?,
            output_norm: norm("output.LayerNorm")?,
        })
    }
}

impl Linear {
    fn find(file: &Safetensors, name: &str, inputs: usize, outputs: usize) -> Result<Self> {
        Ok(Self {
            weight: file.tensor(&format!("{name}.weight"), &[outputs, inputs])?,
            bias: file.tensor(&format!("{name}.bias"), &[outputs])?,
        })
    }
}

impl Norm {
    fn find(file: &Safetensors, name: &str, size: usize) -> Result<Self> {
        Ok(Self {
            weight: file.tensor(&format!("{name}.weight"), &[size])?,
            bias: file.tensor(&format!("{name}.bias"), &[size])?,
        })
    }
}
