//! Opens damaged, truncated and foreign models. Each gives an error that names the file, and no panic.

use crate::{HIDDEN, Model, config, modules, open, opened, pooling, safetensors};
use proptest::prelude::*;
use serde_json::json;
use whichfn_testing::cases;

/// Returns the error of a model.
fn error(model: &Model, weights: &[u8]) -> String {
    open(model.write(weights).path()).map(|_| "none").expect_err("an invalid model")
}

/// Returns the header and the numbers of a file.
fn parts(file: &[u8]) -> (serde_json::Value, Vec<u8>) {
    let length = u64::from_le_bytes(file[..8].try_into().expect("eight bytes")) as usize;
    (serde_json::from_slice(&file[8..8 + length]).expect("JSON"), file[8 + length..].to_vec())
}

#[test]
fn a_truncated_file_of_weights_is_an_error() {
    let model = Model::new(1);
    let file = model.weights();
    let ends = (0..20).map(|part| file.len() * part / 20).chain([0, 1, 7, 8, 9, file.len() - 1]);
    for end in ends {
        let message = error(&model, &file[..end]);
        assert!(message.contains("model.safetensors") && message.contains("\nnext: "), "{end}: {message}");
    }
}

#[test]
fn a_header_is_checked() {
    let model = Model::new(1);
    let word = "embeddings.word_embeddings.weight";
    let change = |key: &str, value: serde_json::Value| {
        let (mut header, data) = parts(&model.weights());
        header[word][key] = value;
        error(&model, &safetensors(&header.to_string(), &data))
    };
    let (mut header, data) = parts(&model.weights());
    let range = header[word]["data_offsets"].clone();
    let [start, end] = [0, 1].map(|at| range[at].as_u64().expect("an offset"));
    let cases = [
        (change("dtype", json!("I64")), "has the type \"I64\" instead of F32, F16 or BF16"),
        (change("dtype", json!("F16")), "bytes, but its shape does not"),
        (change("shape", json!([HIDDEN, 30])), "has the shape [8, 30] instead of [30, 8]"),
        (change("shape", json!([u64::MAX, u64::MAX])), "has the shape"),
        (change("shape", json!([-1, 8])), "cannot parse the tensor"),
        (change("data_offsets", json!([start - 4, end - 4])), "overlaps the one before it"),
        (change("data_offsets", json!([end, start])), "truncated or damaged"),
        (change("data_offsets", json!([start, u64::MAX])), "truncated or damaged"),
        (change("data_offsets", json!([start])), "cannot parse the tensor"),
        (change("data_offsets", json!([start, end - 4])), "bytes, but its shape does not"),
    ];
    for (message, expected) in cases {
        assert!(message.contains(expected), "{message:?} does not contain {expected:?}");
    }
    header.as_object_mut().expect("an object").remove(word);
    let message = error(&model, &safetensors(&header.to_string(), &data));
    assert!(message.contains("the tensor embeddings.word_embeddings.weight is missing"), "{message}");
}

#[test]
fn a_foreign_file_of_weights_is_an_error() {
    let model = Model::new(1);
    let length = |length: u64| [&length.to_le_bytes()[..], b"{}"].concat();
    let cases = [
        (length(u64::MAX), "more than 1048576"),
        (length(1 << 20), "but only 2 follow"),
        (length(3), "but only 2 follow"),
        (length(1), "cannot parse its header"),
        (length(2), "is missing"),
        (b"PK\x03\x04 a zip file of PyTorch".to_vec(), "not a safetensors file"),
        (safetensors("[]", b""), "cannot parse its header"),
        (safetensors(&"[".repeat(1000), b""), "cannot parse its header"),
        (safetensors("{\"a\": 1}", b""), "cannot parse the tensor \"a\""),
    ];
    for (file, expected) in cases {
        let message = error(&model, &file);
        assert!(message.contains(expected), "{message:?} does not contain {expected:?}");
    }
}

#[test]
fn another_architecture_is_an_error() {
    let weights = Model::new(1).weights();
    let cases = [
        ("architectures", json!(["BertForMaskedLM"]), "unsupported model: model_type \"bert\""),
        ("model_type", json!("mpnet"), "unsupported model: model_type \"mpnet\""),
        ("hidden_act", json!("relu"), "hidden_act \"relu\""),
        ("position_embedding_type", json!("relative_key"), "position_embedding_type \"relative_key\""),
        ("is_decoder", json!(true), "it is a decoder"),
        ("hidden_size", json!(0), "hidden_size is 0"),
        ("hidden_size", json!(u64::MAX), "hidden_size is 18446744073709551615"),
        ("hidden_size", json!(16), "word_embedding_dimension is 8"),
        ("hidden_size", json!(-8), "invalid value"),
        ("num_attention_heads", json!(3), "not a multiple"),
        ("num_hidden_layers", json!(1 << 24), "encoder.layer.2.attention.self.query.weight is missing"),
        ("intermediate_size", json!(1 << 24), "has the shape"),
        ("max_position_embeddings", json!(1), "every text has two tokens"),
        ("layer_norm_eps", json!(-1.0), "layer_norm_eps"),
        ("vocab_size", json!(29), "has the number 29, but vocab_size is 29"),
    ];
    for (key, value, expected) in cases {
        let mut file = config();
        file[key] = value;
        let message = error(&Model { config: file.to_string(), ..Model::new(1) }, &weights);
        assert!(message.contains(expected), "{message:?} does not contain {expected:?}");
    }
}

#[test]
fn other_modules_and_tokenizers_are_errors() {
    let (weights, tokenizer) = (Model::new(1).weights(), Model::new(1).tokenizer.expect("a tokenizer"));
    let pooled = |text: String| Model { pooling: text, ..Model::new(1) };
    let listed = |text: String| Model { modules: text, ..Model::new(1) };
    let split = |from: &str, to: &str| Model { tokenizer: Some(tokenizer.replace(from, to)), ..Model::new(1) };
    let cases = [
        (pooled(pooling("max_tokens")), "the pooling modes are [\"max_tokens\"]"),
        (pooled(pooling("none").replace("true", "1")), "the pooling modes are []"),
        (pooled("{}".to_owned()), "missing field `word_embedding_dimension`"),
        (listed(modules(&["Transformer", "Pooling", "Dense"])), "\"Dense\""),
        (
            listed(modules(&["Transformer", "Pooling"]).replace("1_Pooling", "../1_Pooling")),
            "leads out of the directory",
        ),
        (
            listed(modules(&["Transformer", "Pooling"]).replace("1_Pooling", "none")),
            "does not contain none/config.json",
        ),
        (listed("{".to_owned()), "modules.json is invalid"),
        (split("WordPiece", "Unigram"), "unknown variant `Unigram`"),
        (split("BertNormalizer", "Lowercase"), "unknown variant `Lowercase`"),
        (split("\"##\"", "\"@@\""), "differs from the one of BERT"),
        (split("[SEP]", "[END]"), "the token \"[SEP]\" is missing"),
        (split("100", "100000"), "max_input_chars_per_word is 100000"),
        (split("29", "4000000000"), "has the number 4000000000"),
    ];
    for (model, expected) in cases {
        let message = error(&model, &weights);
        assert!(message.contains(expected), "{message:?} does not contain {expected:?}");
    }
}

#[test]
fn missing_files_are_errors() {
    let model = Model::new(1);
    for name in ["config.json", "modules.json", "1_Pooling/config.json", "tokenizer.json", "model.safetensors"] {
        let folder = model.write(&model.weights());
        let path = folder.path().join(name);
        std::fs::remove_file(&path).expect("removed");
        let message = open(folder.path()).map(|_| ()).expect_err("a missing file");
        assert!(message.contains(name) && message.contains("\nnext: "), "{message}");
        // A directory in the place of the file.
        std::fs::create_dir(&path).expect("folder");
        assert!(open(folder.path()).is_err(), "{name}");
    }
    assert!(open(std::path::Path::new("no such directory")).is_err());
}

/// Weights that are no numbers give a vector, not a panic.
#[test]
fn infinite_weights_give_zeros() {
    for number in [f32::NAN, f32::INFINITY, f32::MAX] {
        let mut model = Model::new(1);
        model.tensors.values_mut().for_each(|(_, numbers)| numbers.fill(number));
        let vector = opened(&model).encode("read the file");
        assert!(vector.len() == HIDDEN && vector.iter().all(|value| value.is_finite()), "{vector:?}");
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// A model with changed bytes opens or gives an error, and a model that opens encodes.
    #[test]
    fn changed_bytes_never_panic(changes in prop::collection::vec((0usize..4000, any::<u8>()), 1..6), which in 0..4) {
        let mut model = Model::new(2);
        let mut weights = model.weights();
        let mut text = match which {
            0 => std::mem::take(&mut weights),
            1 => std::mem::take(&mut model.config).into_bytes(),
            2 => std::mem::take(&mut model.pooling).into_bytes(),
            _ => model.tokenizer.take().expect("a tokenizer").into_bytes(),
        };
        for (at, byte) in changes {
            let length = text.len();
            text[at % length] = if which == 0 { byte } else { byte % 95 + 32 };
        }
        match which {
            0 => weights = text,
            1 => model.config = String::from_utf8(text).unwrap_or_default(),
            2 => model.pooling = String::from_utf8(text).unwrap_or_default(),
            _ => model.tokenizer = Some(String::from_utf8(text).unwrap_or_default()),
        }
        if let Ok(encoder) = open(model.write(&weights).path()) {
            prop_assert_eq!(encoder.encode("read the file").len(), HIDDEN);
        }
    }
}
