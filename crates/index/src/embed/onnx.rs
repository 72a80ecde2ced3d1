//! Runs fastembed models on ONNX Runtime.
//!
//! Each input is embedded separately. In a batch, all inputs are padded to the longest one, which
//! costs more than it saves on a CPU (22 inputs per second one by one, 17 in batches of 32). A
//! batch also changes the last digits of a vector depending on the other inputs, and is not
//! permitted for dynamically quantized models.
//!
//! - **Cost:** loading reads the whole model and takes a few hundred milliseconds; embedding an
//!   input of 200 tokens takes a few tens of milliseconds with a small model

use super::prompts::Prompts;
use super::{Choice, Embedder};
use fastembed::{
    EmbeddingModel, InitOptionsUserDefined, OutputKey, Pooling, TextEmbedding, TextInitOptions, TokenizerFiles,
    UserDefinedEmbeddingModel,
};
use ort::environment::{Environment, EnvironmentBuilder};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_text::one_line;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// Files that a model directory must contain.
const FILES: [&str; 5] =
    ["model.onnx", "tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"];
/// Optional files of a model directory: weights that did not fit into the model's own file, the
/// configuration for pooling token vectors into one vector, and the prompts for questions (the last
/// two in the format of sentence-transformers).
const WEIGHTS: &str = "model.onnx_data";
const POOLING: &str = "1_Pooling/config.json";
const PROMPTS: &str = "config_sentence_transformers.json";
/// Maximum number of tokens that a model reads from an input. The time grows with the length, and
/// most small models were trained on shorter inputs.
const MAX_TOKENS: usize = 256;
/// Version of the choice of the output. Increment it if the same model gives different vectors.
const VERSION: u64 = 1;
/// Outputs of a model in a directory, the preferred one first. `sentence_embedding` is the result of all
/// modules; some models have dense layers after the token vectors of `last_hidden_state`, which fastembed
/// prefers. For the models that it knows, it knows the output as well.
const OUTPUTS: &[OutputKey] = &[
    OutputKey::ByName("sentence_embedding"),
    OutputKey::OnlyOne,
    OutputKey::ByName("text_embeds"),
    OutputKey::ByName("last_hidden_state"),
];
/// The environment of ONNX Runtime. All models in a process share one environment.
static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

/// A model that is loaded into ONNX Runtime.
struct Onnx {
    name: String,
    dimensions: usize,
    prompts: Prompts,
    model: Mutex<LoadedModel>,
}

/// A fastembed model, or a model in a directory.
struct LoadedModel {
    model: TextEmbedding,
    /// For a model in a directory, how the vectors of tokens are pooled.
    pooling: Option<Pooling>,
}

impl LoadedModel {
    fn embed(&mut self, text: &str) -> fastembed::Result<Vec<f32>> {
        let Some(pooling) = &self.pooling else {
            return Ok(self.model.embed([text], None)?.pop().unwrap_or_default());
        };
        match self.model.transform([text], None)?.into_raw().first() {
            Some(output) => Ok(output.select_and_pool_output(&OUTPUTS, Some(pooling.clone()))?.into_iter().collect()),
            None => Ok(Vec::new()),
        }
    }
}

impl Embedder for Onnx {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: &[&str], as_question: bool) -> Result<Vec<Vec<f32>>> {
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        texts
            .iter()
            .map(|text| model.embed(&self.prompts.apply(text, as_question)))
            .collect::<fastembed::Result<_>>()
            .map_err(|cause| run_error(&self.name, &cause))
    }
}

/// Computes the digest of a model: of the files in its directory, or of a downloaded model's name
/// and revision.
pub(super) fn digest(choice: &Choice) -> Result<u128> {
    let directory = Path::new(&choice.model);
    let mut digest = Xxh3::new();
    digest.update(&MAX_TOKENS.to_le_bytes());
    digest.update(&VERSION.to_le_bytes());
    if directory.is_dir() {
        for name in FILES {
            digest.update(&xxh3_128(&required(directory, name)?).to_le_bytes());
        }
        for name in [WEIGHTS, POOLING, PROMPTS] {
            digest.update(&xxh3_128(&optional(directory, name)?.unwrap_or_default()).to_le_bytes());
        }
        return Ok(digest.digest128());
    }
    let model = named(&choice.model)?;
    let place = revision_file(choice, &model);
    if !place.is_file() {
        load(choice)?;
    }
    digest.update(format!("{model:?}").as_bytes());
    digest.update(&std::fs::read(&place).unwrap_or_default());
    Ok(digest.digest128())
}

pub(super) fn load(choice: &Choice) -> Result<Box<dyn Embedder>> {
    let directory = Path::new(&choice.model);
    let named = if directory.is_dir() { None } else { Some(named(&choice.model)?) };
    let environment = environment(choice)?;
    let (mut model, prompts) = match named {
        Some(model) => {
            let prompts = Prompts::for_model(&model);
            (LoadedModel { model: download(choice, &model, environment)?, pooling: None }, prompts)
        }
        None => {
            (read(choice, environment)?, Prompts::read(optional(directory, PROMPTS)?.as_deref().unwrap_or_default()))
        }
    };
    // The number of dimensions is taken from the model's output.
    let dimensions = model.embed("dimensions").map_err(|cause| run_error(&choice.model, &cause))?.len();
    Ok(Box::new(Onnx { name: choice.model.clone(), dimensions, prompts, model: Mutex::new(model) }))
}

fn read(choice: &Choice, environment: Environment) -> Result<LoadedModel> {
    let directory = Path::new(&choice.model);
    let [onnx, tokenizer_file, config_file, special_tokens_map_file, tokenizer_config_file] =
        FILES.map(|name| required(directory, name));
    let tokenizer = TokenizerFiles {
        tokenizer_file: tokenizer_file?,
        config_file: config_file?,
        special_tokens_map_file: special_tokens_map_file?,
        tokenizer_config_file: tokenizer_config_file?,
    };
    let pooling = pooling(&optional(directory, POOLING)?.unwrap_or_default());
    let mut model = UserDefinedEmbeddingModel::new(onnx?, tokenizer).with_pooling(pooling.clone());
    if let Some(weights) = optional(directory, WEIGHTS)? {
        model = model.with_external_initializer(WEIGHTS.to_owned(), weights);
    }
    let options = InitOptionsUserDefined::new().with_environment(environment).with_max_length(MAX_TOKENS);
    let model = TextEmbedding::try_new_from_user_defined(model, options).map_err(|cause| {
        Error::new(
            Kind::Model,
            format!("{} does not contain a working model: {}", choice.model, one_line(&cause.to_string())),
            format!("check the files {}", FILES.join(", ")),
        )
    })?;
    Ok(LoadedModel { model, pooling: Some(pooling) })
}

/// Returns the pooling method from a model's configuration, or the mean by default.
///
/// fastembed's own default is the vector of the first token, for which few current models are
/// trained.
fn pooling(config: &[u8]) -> Pooling {
    let config: serde_json::Value = serde_json::from_slice(config).unwrap_or_default();
    if config["pooling_mode_cls_token"] == true { Pooling::Cls } else { Pooling::Mean }
}

fn download(choice: &Choice, model: &EmbeddingModel, environment: Environment) -> Result<TextEmbedding> {
    let options = TextInitOptions::new(model.clone())
        .with_environment(environment)
        .with_cache_dir(choice.downloads.clone())
        .with_show_download_progress(choice.progress)
        .with_max_length(MAX_TOKENS);
    TextEmbedding::try_new(options).map_err(|cause| {
        let source = std::error::Error::source(&cause).map(|source| format!(": {}", one_line(&source.to_string())));
        Error::new(
            Kind::Model,
            format!(
                "cannot download the model {}: {}{}",
                choice.model,
                one_line(&cause.to_string()),
                source.unwrap_or_default()
            ),
            Remedy::GiveModelDirectory,
        )
    })
}

/// Returns the path of the file in which a download records the model's revision. Like fastembed,
/// it prefers `HF_HOME`.
fn revision_file(choice: &Choice, model: &EmbeddingModel) -> PathBuf {
    let cache = std::env::var_os("HF_HOME").map_or_else(|| choice.downloads.clone(), PathBuf::from);
    let code = TextEmbedding::get_model_info(model).map_or("", |info| &info.model_code);
    cache.join(format!("models--{}", code.replace('/', "--"))).join("refs").join("main")
}

/// Returns the model with the given name: fastembed's own name (`BGESmallENV15`), or the repository
/// that the model is downloaded from (`Xenova/bge-small-en-v1.5`).
fn named(name: &str) -> Result<EmbeddingModel> {
    let models = TextEmbedding::list_supported_models();
    let by_page =
        || models.iter().find(|info| info.model_code.eq_ignore_ascii_case(name)).map(|info| info.model.clone());
    EmbeddingModel::from_str(name).ok().or_else(by_page).ok_or_else(|| {
        let mut names: Vec<String> = models.iter().map(|info| format!("{:?}", info.model)).collect();
        names.sort();
        Error::new(
            Kind::Model,
            format!("{name} is neither a directory nor a fastembed model"),
            format!("pass a directory that contains {}, or one of: {}", FILES.join(", "), names.join(", ")),
        )
    })
}

/// Opens the ONNX Runtime library before anything else uses it.
///
/// Other calls would open the library implicitly, and panic if it is missing.
fn environment(choice: &Choice) -> Result<Environment> {
    let mut shared = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = shared.as_ref() {
        return Ok(environment.clone());
    }
    let environment = runtime(choice)?.with_name("whichfn").build().map_err(|cause| no_runtime(&cause))?;
    *shared = Some(environment.clone());
    Ok(environment)
}

#[cfg(feature = "embed")]
fn runtime(choice: &Choice) -> Result<EnvironmentBuilder> {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    let path = match &choice.ort_dylib {
        // Otherwise a relative path would be searched in the program's directory.
        Some(given) => given.canonicalize().map_err(|cause| no_runtime(&format!("{}: {cause}", given.display())))?,
        None => format!("{DLL_PREFIX}onnxruntime{DLL_SUFFIX}").into(),
    };
    ort::init_from(path).map_err(|cause| match &cause {
        // The system's message is in the source of the error.
        ort::LoadDynamicError::Dlopen { error, path } => {
            let message = std::error::Error::source(error).map_or(error.to_string(), |message| message.to_string());
            no_runtime(&format!("{}: {message}", path.display()))
        }
        _ => no_runtime(&cause),
    })
}

#[cfg(not(feature = "embed"))]
fn runtime(_: &Choice) -> Result<EnvironmentBuilder> {
    Ok(ort::init())
}

fn no_runtime(cause: &dyn std::fmt::Display) -> Error {
    Error::new(Kind::Model, format!("cannot load ONNX Runtime: {}", one_line(&cause.to_string())), Remedy::NameRuntime)
}

fn required(directory: &Path, name: &str) -> Result<Vec<u8>> {
    optional(directory, name)?.ok_or_else(|| {
        let next = format!("a model directory must contain {}", FILES.join(", "));
        Error::new(Kind::Model, format!("{} does not contain {name}", directory.display()), next)
    })
}

fn optional(directory: &Path, name: &str) -> Result<Option<Vec<u8>>> {
    let path = directory.join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(Error::io(Kind::Model, "read", &path, &cause)),
    }
}

fn run_error(name: &str, cause: &fastembed::Error) -> Error {
    Error::new(
        Kind::Model,
        format!("the model {name} failed: {}", one_line(&cause.to_string())),
        "check that its inputs are input_ids and attention_mask, and its output is last_hidden_state or sentence_embedding",
    )
}
