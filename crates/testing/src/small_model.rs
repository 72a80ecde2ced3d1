//! A small sentence encoder with random numbers, in the files of a real one.

use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

/// Number of dimensions of a vector.
pub const HIDDEN: usize = 8;
/// Number of heads of a layer's attention.
pub const HEADS: usize = 2;
/// Number of dimensions between the two matrices of a layer.
pub const INNER: usize = 12;
/// Number of layers.
pub const LAYERS: usize = 2;
/// Maximum number of tokens.
pub const POSITIONS: usize = 24;

/// The vocabulary of the small model. The id of a token is its place.
pub const TOKENS: [&str; 30] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "un", "##a", "##b", "##aff", "##able", "##s", "cafe", "file",
    "read", "size", "of", "the", "!", ".", "_", "(", ")", "中", "文", "“", "0", "1", "##1",
];

/// The files of a small model.
pub struct Model {
    /// Content of `config.json`.
    pub config: String,
    /// Content of `modules.json`.
    pub modules: String,
    /// Content of `1_Pooling/config.json`.
    pub pooling: String,
    /// Content of `tokenizer.json`; with `None`, `vocab.txt` is written instead.
    pub tokenizer: Option<String>,
    /// Name, shape and numbers of each tensor.
    pub tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

impl Model {
    /// Creates a model whose numbers depend on `seed`.
    pub fn new(seed: u64) -> Self {
        let vocabulary: BTreeMap<_, _> = TOKENS.iter().zip(0..).collect();
        let tokenizer = serde_json::json!({
            "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                           "strip_accents": null, "lowercase": true},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                      "max_input_chars_per_word": 100, "vocab": vocabulary},
        });
        Self {
            config: config().to_string(),
            modules: modules(&["Transformer", "Pooling", "Normalize"]),
            pooling: pooling("mean_tokens"),
            tokenizer: Some(tokenizer.to_string()),
            tensors: tensors(seed),
        }
    }

    /// Writes the files of the model to a new folder, with this file of weights.
    pub fn write(&self, weights: &[u8]) -> TempDir {
        let folder = tempfile::tempdir().expect("folder");
        self.write_to(folder.path(), weights);
        folder
    }

    /// Writes the files of the model to a folder, with this file of weights.
    pub fn write_to(&self, folder: &Path, weights: &[u8]) {
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect("written");
        std::fs::create_dir_all(folder.join("1_Pooling")).expect("folder");
        write("config.json", self.config.as_bytes());
        write("modules.json", self.modules.as_bytes());
        write("1_Pooling/config.json", self.pooling.as_bytes());
        match &self.tokenizer {
            Some(text) => write("tokenizer.json", text.as_bytes()),
            None => write("vocab.txt", TOKENS.join("\n").as_bytes()),
        }
        write("model.safetensors", weights);
    }

    /// Returns the file of weights in the type F32.
    pub fn weights(&self) -> Vec<u8> {
        self.weights_as("F32", 0, |number| number.to_le_bytes().to_vec())
    }

    /// Returns the file of weights, with numbers of a type and some spaces after the header.
    pub fn weights_as(&self, dtype: &str, spaces: usize, bytes: impl Fn(f32) -> Vec<u8>) -> Vec<u8> {
        let mut header = serde_json::json!({"__metadata__": {"format": "pt"}});
        let mut data = Vec::new();
        for (name, (shape, numbers)) in &self.tensors {
            let start = data.len();
            data.extend(numbers.iter().flat_map(|&number| bytes(number)));
            header[name] = serde_json::json!({"dtype": dtype, "shape": shape, "data_offsets": [start, data.len()]});
        }
        safetensors(&(header.to_string() + &" ".repeat(spaces)), &data)
    }
}

/// Returns a file in the safetensors format.
pub fn safetensors(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

/// Returns the configuration of the small model.
pub fn config() -> serde_json::Value {
    serde_json::json!({
        "architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu", "layer_norm_eps": 1e-12,
        "hidden_size": HIDDEN, "intermediate_size": INNER, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS,
        "max_position_embeddings": POSITIONS, "type_vocab_size": 2, "vocab_size": TOKENS.len(),
    })
}

/// Returns a list of modules of these classes.
pub fn modules(classes: &[&str]) -> String {
    let module = |class: &&str| {
        let path = if *class == "Transformer" { String::new() } else { format!("1_{class}") };
        serde_json::json!({"path": path, "type": format!("sentence_transformers.models.{class}")})
    };
    serde_json::Value::from_iter(classes.iter().map(module)).to_string()
}

/// Returns a configuration of the pooling with one mode on.
pub fn pooling(mode: &str) -> String {
    let mut file = serde_json::json!({"word_embedding_dimension": HIDDEN, "pooling_mode_cls_token": false,
                                      "pooling_mode_mean_tokens": false, "pooling_mode_max_tokens": false});
    file[format!("pooling_mode_{mode}")] = true.into();
    file.to_string()
}

fn tensors(seed: u64) -> BTreeMap<String, (Vec<usize>, Vec<f32>)> {
    let mut state = seed;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let shapes = shapes();
    let fill = |(name, shape): (String, Vec<usize>)| {
        let numbers = (0..shape.iter().product()).map(|_| number()).collect();
        (name, (shape, numbers))
    };
    shapes.into_iter().map(fill).collect()
}

/// Returns the name and shape of each tensor of the small model.
fn shapes() -> Vec<(String, Vec<usize>)> {
    let table = |name: &str, rows| (format!("embeddings.{name}_embeddings.weight"), vec![rows, HIDDEN]);
    let mut shapes = vec![table("word", TOKENS.len()), table("position", POSITIONS), table("token_type", 2)];
    let mut norms = vec!["embeddings.LayerNorm".to_owned()];
    for layer in (0..LAYERS).map(|number| format!("encoder.layer.{number}")) {
        norms.extend(["attention.output", "output"].map(|part| format!("{layer}.{part}.LayerNorm")));
        let square = ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"];
        let wide = [("intermediate.dense", INNER, HIDDEN), ("output.dense", HIDDEN, INNER)];
        for (part, outputs, inputs) in square.map(|part| (part, HIDDEN, HIDDEN)).into_iter().chain(wide) {
            shapes.push((format!("{layer}.{part}.weight"), vec![outputs, inputs]));
            shapes.push((format!("{layer}.{part}.bias"), vec![outputs]));
        }
    }
    let parts = |norm: String| ["weight", "bias"].map(|part| (format!("{norm}.{part}"), vec![HIDDEN]));
    shapes.extend(norms.into_iter().flat_map(parts));
    shapes
}
