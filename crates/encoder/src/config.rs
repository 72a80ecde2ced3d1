//! The architecture and sizes of a model, from `config.json`.

use crate::directory::{Directory, invalid, unsupported};
use serde::Deserialize;
use whichfn_system::error::Result;

const FILE: &str = "config.json";
/// Maximum of each size. Every size is also the length of a tensor, so the file of weights limits
/// what is allocated.
const MAX_SIZE: usize = 1 << 24;

/// The fields of `config.json` that change what a model computes.
#[derive(Debug, Deserialize)]
struct File {
    architectures: Vec<String>,
    hidden_act: String,
    hidden_size: usize,
    intermediate_size: usize,
    #[serde(default)]
    is_decoder: bool,
    layer_norm_eps: f32,
    max_position_embeddings: usize,
    model_type: String,
    num_attention_heads: usize,
    num_hidden_layers: usize,
    position_embedding_type: Option<String>,
    type_vocab_size: usize,
    vocab_size: usize,
}

/// The sizes of a model. All are at least one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Config {
    /// Dimensions of a token, a multiple of `heads`.
    pub hidden: usize,
    /// Dimensions between the two matrices of a feed-forward network.
    pub intermediate: usize,
    /// Number of layers.
    pub layers: usize,
    /// Number of attention heads.
    pub heads: usize,
    /// Maximum number of tokens, including `[CLS]` and `[SEP]`. At least two.
    pub positions: usize,
    /// Number of segment types, of which only the first is used.
    pub types: usize,
    /// Number of tokens in the vocabulary.
    pub vocabulary: usize,
    /// Added to the variance when a token is normalized.
    pub epsilon: f32,
}

impl Config {
    /// Reads the configuration.
    ///
    /// # Errors
    /// Returns an error if the file is missing or invalid, or describes another architecture.
    pub fn read(directory: &mut Directory) -> Result<Self> {
        let file: File = directory.require_json(FILE)?;
        let path = directory.file(FILE);
        if let Some(reason) = unsupported_part(&file) {
            return Err(unsupported(&path, reason));
        }
        if let Some((name, size)) = sizes(&file).into_iter().find(|(_, size)| !(1..=MAX_SIZE).contains(size)) {
            return Err(invalid(&path, format!("{name} is {size}, but must be between 1 and {MAX_SIZE}")));
        }
        if file.max_position_embeddings < 2 {
            return Err(invalid(&path, "max_position_embeddings is 1, but every text has two tokens"));
        }
        if !file.hidden_size.is_multiple_of(file.num_attention_heads) {
            return Err(invalid(&path, "hidden_size is not a multiple of num_attention_heads"));
        }
        if !(0.0..1.0).contains(&file.layer_norm_eps) {
            return Err(invalid(&path, format!("layer_norm_eps is {}, but must be below 1", file.layer_norm_eps)));
        }
        Ok(Self {
            hidden: file.hidden_size,
            intermediate: file.intermediate_size,
            layers: file.num_hidden_layers,
            heads: file.num_attention_heads,
            positions: file.max_position_embeddings,
            types: file.type_vocab_size,
            vocabulary: file.vocab_size,
            epsilon: file.layer_norm_eps,
        })
    }
}

/// Returns the name and value of each size.
fn sizes(file: &File) -> [(&'static str, usize); 7] {
    [
        ("hidden_size", file.hidden_size),
        ("intermediate_size", file.intermediate_size),
        ("max_position_embeddings", file.max_position_embeddings),
        ("num_attention_heads", file.num_attention_heads),
        ("num_hidden_layers", file.num_hidden_layers),
        ("type_vocab_size", file.type_vocab_size),
        ("vocab_size", file.vocab_size),
    ]
}

/// Returns what the forward pass does not implement.
fn unsupported_part(file: &File) -> Option<String> {
    let positions = file.position_embedding_type.as_deref().unwrap_or("absolute");
    if file.model_type != "bert" || !file.architectures.iter().any(|name| name == "BertModel") {
        return Some(format!("model_type {:?} with architectures {:?}", file.model_type, file.architectures));
    }
    if file.hidden_act != "gelu" {
        return Some(format!("hidden_act {:?}", file.hidden_act));
    }
    if positions != "absolute" {
        return Some(format!("position_embedding_type {positions:?}"));
    }
    file.is_decoder.then(|| "it is a decoder".to_owned())
}
