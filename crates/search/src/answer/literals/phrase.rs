//! The texts of a question that may occur literally in the code.

use super::align::Alignment;
use super::blocks::WordWeights;
use crate::search::{Question, QuestionForm, message_text};
use whichfn_text::{is_question, plain_words};

/// Maximum number of words of a question that is compared as a whole. Longer texts are reports,
/// which contain messages among other text.
const MAX_WORDS: usize = 60;
/// Maximum number of flags, codes and constants that are searched.
const MAX_TOKENS: usize = 4;
/// Minimum number of words of a text that is not marked as literal.
const MIN_WORDS: usize = 4;
/// Minimum number of consecutive words that a marked text shares with a string, unless the string
/// contains most of it.
const MARKED_RUN: usize = 3;
/// The same for a text that is not marked.
const UNMARKED_RUN: usize = 4;
/// Minimum share of a marked text if fewer consecutive words match.
const MARKED_SHARE: f32 = 0.5;
/// Minimum share of a text that is not marked.
const UNMARKED_SHARE: f32 = 0.7;
/// Minimum share of a text that is not marked if all words of the string match, but fewer of them
/// are consecutive.
const COMPLETE_SHARE: f32 = 0.9;

/// A text that may occur literally in the code.
pub(super) struct Phrase {
    /// Words in order, in lower case.
    pub words: Vec<String>,
    /// True if the question marks the text as literal: a message, or a text in quotation marks.
    is_marked: bool,
}

impl Phrase {
    fn new(text: &str, is_marked: bool) -> Self {
        let mut words = Vec::new();
        plain_words(text, |word| words.push(word.to_owned()));
        Self { words, is_marked }
    }

    /// Checks whether enough of the phrase is in the code.
    pub fn accepts(&self, found: &Alignment, weights: &WordWeights) -> bool {
        let share = found.weight / weights.known();
        let is_complete = found.run == self.words.len() && (self.is_marked || found.run >= MIN_WORDS);
        match self.is_marked {
            _ if is_complete => true,
            true => {
                found.run >= MARKED_RUN
                    || found.run >= 2
                        && (share >= MARKED_SHARE || found.precision == 1.0 && found.matched >= MARKED_RUN)
            }
            false if found.precision == 1.0 => {
                found.run >= UNMARKED_RUN || found.matched >= UNMARKED_RUN && share >= COMPLETE_SHARE
            }
            false => found.run >= UNMARKED_RUN && share >= UNMARKED_SHARE,
        }
    }
}

/// Returns the texts of a question that may occur literally in the code, the most likely first.
pub(super) fn phrases(question: &Question) -> Vec<Phrase> {
    let text = question.text.trim();
    let whole = Phrase::new(text, false);
    if whole.words.len() > MAX_WORDS || question.form == QuestionForm::Description {
        return Vec::new();
    }
    if matches!(question.form, QuestionForm::Message | QuestionForm::Trace) {
        return vec![Phrase::new(message_text(text), true)];
    }
    let is_statement = !is_question(text) && whole.words.len() >= MIN_WORDS;
    let quoted = quoted(text).map(|part| Phrase::new(part, true)).filter(|phrase| phrase.words.len() > 1);
    Some(whole).filter(|_| is_statement).into_iter().chain(quoted).collect()
}

/// Returns the flags (`--no-cache`), codes (`E0382`) and names of constants (`MAX_RETRIES`) in a
/// question. Codes count only in a message, or if the question contains nothing else, because
/// `SHA256` and `RFC3339` have the same form.
pub(super) fn tokens(question: &Question) -> Vec<&str> {
    let words: Vec<&str> = question.text.split(|c: char| c.is_whitespace() || "()[]{}\"'`,;:?!=".contains(c)).collect();
    if words.len() > MAX_WORDS {
        return Vec::new();
    }
    let is_code_form = question.form == QuestionForm::Message || question.text.split_whitespace().count() == 1;
    let is_wanted = |word: &&str| is_flag(word) || is_constant(word) || is_code_form && is_code(word);
    let words = words.into_iter().map(|word| word.trim_end_matches('.'));
    words.filter(is_wanted).take(MAX_TOKENS).collect()
}

fn is_flag(word: &str) -> bool {
    word.strip_prefix("--").is_some_and(|name| {
        name.starts_with(|c: char| c.is_alphabetic())
            && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    })
}

fn is_constant(word: &str) -> bool {
    let has_parts = word.trim_matches('_').contains('_');
    has_parts
        && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && word.contains(|c: char| c.is_ascii_uppercase())
}

/// Checks for capital letters before at least three digits, such as `E0382`, `TS2322` or
/// `ORA-00942`.
fn is_code(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = word.len() - digits.len();
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    (1..=5).contains(&letters) && digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the parts of a text between double quotation marks or backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    ['"', '`'].into_iter().flat_map(|quote| text.split(quote).skip(1).step_by(2).filter(|part| !part.is_empty()))
}
