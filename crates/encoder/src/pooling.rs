//! Combines the vectors of tokens into one, after Sentence-BERT (Reimers & Gurevych 2019, section
//! 3).
//!
//! **Differs:** only the mean and the first token are supported, which nearly all published models
//! use. Every vector is normalized, even if `modules.json` has no such module.

use crate::directory::{Directory, invalid, unsupported};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use whichfn_system::error::Result;

const MODULES: &str = "modules.json";
const MODE: &str = "pooling_mode_";

/// A step of a model in `modules.json`.
#[derive(Debug, Deserialize)]
struct Module {
    path: String,
    #[serde(rename = "type")]
    class: String,
}

/// The configuration of a pooling module. Most keys name a mode that is on or off.
#[derive(Debug, Deserialize)]
struct File {
    word_embedding_dimension: usize,
    #[serde(flatten)]
    modes: BTreeMap<String, serde_json::Value>,
}

/// How the vectors of tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pooling {
    /// The mean of all tokens.
    Mean,
    /// The first token, `[CLS]`.
    First,
}

impl Pooling {
    /// Reads the modules and the mode of pooling.
    ///
    /// # Errors
    /// Returns an error if a file is missing or invalid, if the modules are not a transformer, one
    /// pooling and optionally a normalization, or if the mode is not supported.
    pub fn read(directory: &mut Directory, hidden: usize) -> Result<Self> {
        let modules: Vec<Module> = directory.require_json(MODULES)?;
        let classes: Vec<&str> = modules.iter().filter_map(|module| module.class.rsplit('.').next()).collect();
        let (["Transformer", "Pooling"] | ["Transformer", "Pooling", "Normalize"]) = classes[..] else {
            return Err(unsupported(&directory.file(MODULES), format!("the modules are {classes:?}")));
        };
        if !modules[0].path.is_empty() {
            return Err(unsupported(&directory.file(MODULES), format!("the weights are in {:?}", modules[0].path)));
        }
        let name = format!("{}/config.json", modules[1].path);
        let file: File = directory.require_json(&name)?;
        let path = directory.file(&name);
        if file.word_embedding_dimension != hidden {
            let size = file.word_embedding_dimension;
            return Err(invalid(&path, format!("word_embedding_dimension is {size}, but hidden_size is {hidden}")));
        }
        let is_on = |(mode, on): (&String, &serde_json::Value)| {
            mode.strip_prefix(MODE).filter(|_| on == true).map(str::to_owned)
        };
        let modes: Vec<String> = file.modes.iter().filter_map(is_on).collect();
        match modes.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["mean_tokens"] => Ok(Self::Mean),
            ["cls_token"] => Ok(Self::First),
            _ => Err(unsupported(&path, format!("the pooling modes are {modes:?}"))),
        }
    }

    /// Combines the columns of a text in a matrix with a row for each dimension and a column for each
    /// of `tokens` tokens. Returns a vector of length one, or of zeros if the model computed no finite
    /// vector, as damaged weights can cause.
    pub fn apply(self, states: &[f32], tokens: usize, text: Range<usize>) -> Vec<f32> {
        let used = if self == Self::First { text.start..text.start + 1 } else { text };
        let sum = |row: &[f32]| row[used.clone()].iter().sum();
        let vector: Vec<f32> = states.chunks_exact(tokens).map(sum).collect();
        // Normalization cancels the division by the number of tokens.
        let length = vector.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>().sqrt();
        if !length.is_normal() {
            return vec![0.0; vector.len()];
        }
        vector.into_iter().map(|value| (f64::from(value) / length) as f32).collect()
    }
}
