//! The tokens of a model and the rules of its tokenizer, from `tokenizer.json` or `vocab.txt`.

use crate::directory::{Directory, invalid, unsupported};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use whichfn_system::error::Result;

const TOKENIZER: &str = "tokenizer.json";
const TOKENIZER_CONFIG: &str = "tokenizer_config.json";
const LINES: &str = "vocab.txt";
/// Maximum of the longest word that a file can ask for. BERT has 100.
const LONGEST_WORD: usize = 1000;
/// Marks a token that continues a word.
const CONTINUES: &str = "##";

/// The parts of `tokenizer.json` that this crate reads. Serde rejects other kinds of tokenizers and
/// names them.
#[derive(Debug, Deserialize)]
struct File {
    normalizer: Normalizer,
    #[serde(rename = "pre_tokenizer")]
    _pre_tokenizer: PreTokenizer,
    model: Model,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
enum Normalizer {
    BertNormalizer { clean_text: bool, handle_chinese_chars: bool, strip_accents: Option<bool>, lowercase: bool },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
enum PreTokenizer {
    BertPreTokenizer,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
enum Model {
    WordPiece {
        unk_token: String,
        continuing_subword_prefix: String,
        max_input_chars_per_word: usize,
        vocab: HashMap<String, u32>,
    },
}

/// The fields of `tokenizer_config.json` that apply to `vocab.txt`.
#[derive(Debug, Default, Deserialize)]
struct TokenizerConfig {
    do_lower_case: Option<bool>,
}

/// The tokens of a model. Every id is below the size of the vocabulary in the configuration.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    /// Ids of the tokens that begin a word.
    pub first: HashMap<String, u32>,
    /// Ids of the tokens that continue a word, without their mark.
    pub next: HashMap<String, u32>,
    /// Id of `[CLS]`, which begins a text.
    pub start: u32,
    /// Id of `[SEP]`, which ends a text.
    pub end: u32,
    /// Id of `[UNK]`, which replaces a word without tokens.
    pub unknown: u32,
    /// Whether words are converted to lower case.
    pub lowercase: bool,
    /// Whether accents are removed.
    pub strips_accents: bool,
    /// Maximum length of a word in characters. A longer word is unknown.
    pub longest_word: usize,
}

impl Vocabulary {
    /// Reads the vocabulary. `size` is the number of tokens that have a vector.
    ///
    /// # Errors
    /// Returns an error if no file has a vocabulary, if the tokenizer is not the one of BERT, if a
    /// special token is missing, or if a token has no vector.
    pub fn read(directory: &mut Directory, size: usize) -> Result<Self> {
        if let Some(file) = directory.read_json(TOKENIZER)? {
            return Self::from_file(file, &directory.file(TOKENIZER), size);
        }
        let Some(lines) = directory.read(LINES)? else { return Err(directory.missing(TOKENIZER)) };
        let config: TokenizerConfig = directory.read_json(TOKENIZER_CONFIG)?.unwrap_or_default();
        let lowercase = config.do_lower_case.unwrap_or(true);
        let path = directory.file(LINES);
        let text = std::str::from_utf8(&lines).map_err(|_| invalid(&path, "it is not UTF-8"))?;
        let tokens = (0..).zip(text.lines()).map(|(id, token)| (token.to_owned(), id)).collect();
        Self::from_tokens(tokens, "[UNK]", &path, size).map(|found| Self {
            lowercase,
            strips_accents: lowercase,
            ..found
        })
    }

    fn from_file(file: File, path: &Path, size: usize) -> Result<Self> {
        let Normalizer::BertNormalizer { clean_text, handle_chinese_chars, strip_accents, lowercase } = file.normalizer;
        let Model::WordPiece { unk_token, continuing_subword_prefix, max_input_chars_per_word, vocab } = file.model;
        if !clean_text || !handle_chinese_chars || continuing_subword_prefix != CONTINUES {
            return Err(unsupported(path, "its tokenizer differs from the one of BERT"));
        }
        if max_input_chars_per_word > LONGEST_WORD {
            let reason = format!("max_input_chars_per_word is {max_input_chars_per_word}, more than {LONGEST_WORD}");
            return Err(unsupported(path, reason));
        }
        Ok(Self {
            lowercase,
            strips_accents: strip_accents.unwrap_or(lowercase),
            longest_word: max_input_chars_per_word,
            ..Self::from_tokens(vocab, &unk_token, path, size)?
        })
    }

    fn from_tokens(tokens: HashMap<String, u32>, unknown: &str, path: &Path, size: usize) -> Result<Self> {
        let highest = tokens.iter().max_by_key(|&(token, id)| (id, token)).map(|(token, &id)| (token.clone(), id));
        if let Some((token, id)) = highest.filter(|&(_, id)| id as usize >= size) {
            return Err(invalid(path, format!("the token {token:?} has the number {id}, but vocab_size is {size}")));
        }
        let special = |token: &str| {
            tokens.get(token).copied().ok_or_else(|| invalid(path, format!("the token {token:?} is missing")))
        };
        let (start, end, unknown) = (special("[CLS]")?, special("[SEP]")?, special(unknown)?);
        let (next, first): (HashMap<_, _>, HashMap<_, _>) =
            tokens.into_iter().partition(|(token, _)| token.starts_with(CONTINUES));
        let next = next.into_iter().map(|(token, id)| (token[CONTINUES.len()..].to_owned(), id)).collect();
        Ok(Self { first, next, start, end, unknown, lowercase: true, strips_accents: true, longest_word: 100 })
    }
}
