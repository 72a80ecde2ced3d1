//! The texts of a question that may occur literally in the code.

use super::LiteralPart;
use super::align::Alignment;
use super::blocks::WordWeights;
use crate::search::{Question, QuestionForm, message_lines, message_text};
use std::sync::LazyLock;
use whichfn_text::{is_framing_verb, is_question, is_scaffold, is_stop_word, plain_words, word_list};

/// Maximum number of words of a question that is compared as a whole. Longer texts are reports,
/// which contain messages among other text.
const MAX_WORDS: usize = 60;
/// Maximum number of flags, codes and constants that are searched.
const MAX_TOKENS: usize = 4;
/// Maximum number of lines of a trace that are compared.
const MAX_LINES: usize = 4;
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

/// Minimum share of the strings that a text that is not marked contains. A sentence may occur in a
/// long text of help, which says nothing about the sentence.
const MIN_PRECISION: f32 = 0.5;

/// Words around a quoted text that say only that a program prints it.
static PRINTING: LazyLock<Vec<&str>> = LazyLock::new(|| word_list(include_str!("printing_words.txt")));

/// A text that may occur literally in the code.
pub(super) struct Phrase {
    /// Words in order, in lower case.
    pub words: Vec<String>,
    /// The part of the question that it is.
    pub part: LiteralPart,
    /// True if the question marks the text as literal: a message, or a text in quotation marks.
    is_marked: bool,
    /// True if it is written like a text that a program prints, not like words to search for.
    is_printed: bool,
}

impl Phrase {
    fn new(text: &str, part: LiteralPart, is_marked: bool) -> Self {
        let mut words = Vec::new();
        plain_words(text, |word| words.push(word.to_owned()));
        let is_printed = text.starts_with(char::is_uppercase)
            || text.contains([':', '\'', '/', '%'])
            || text.contains(|c: char| c.is_ascii_digit());
        Self { words, part, is_marked, is_printed: is_printed || is_marked }
    }

    /// Checks whether enough of the phrase is in the code.
    pub fn accepts(&self, found: &Alignment, weights: &WordWeights) -> bool {
        let share = found.weight / weights.known();
        let is_whole = found.run == self.words.len() && (self.is_marked || found.run >= MIN_WORDS);
        if !self.is_marked && found.precision < MIN_PRECISION {
            return false;
        }
        match self.is_marked {
            _ if is_whole => true,
            // Text around placeholders may be as short as "merging %s".
            _ if found.is_complete && self.is_printed && found.run >= 2 => true,
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
    if question.form == QuestionForm::Trace {
        let lines = message_lines(text).into_iter().map(|line| without_places(message_text(line)));
        let phrases = lines.map(|line| Phrase::new(&line, LiteralPart::Line, true));
        return phrases.filter(|one| (2..=MAX_WORDS).contains(&one.words.len())).take(MAX_LINES).collect();
    }
    let whole = Phrase::new(text, LiteralPart::Whole, false);
    let part = if whole.is_printed { LiteralPart::Whole } else { LiteralPart::Sentence };
    let whole = Phrase { part, ..whole };
    if whole.words.len() > MAX_WORDS || question.form == QuestionForm::Description {
        return Vec::new();
    }
    if question.form == QuestionForm::Message {
        let message = Phrase::new(message_text(text), LiteralPart::Whole, true);
        // A single word is a value, as in "KeyError: 'name'".
        let part = if message.words.len() > 1 { LiteralPart::Whole } else { LiteralPart::Example };
        return vec![Phrase { part, ..message }];
    }
    let is_statement = !is_question(text) && whole.words.len() >= MIN_WORDS;
    let part = if asks_where_printed(text) { LiteralPart::Whole } else { LiteralPart::Example };
    let quoted = quoted(text).map(|text| Phrase::new(text, part, true)).filter(|phrase| phrase.words.len() > 1);
    Some(whole).filter(|_| is_statement).into_iter().chain(quoted).collect()
}

/// Checks whether the words around the quoted texts say only that a program prints them.
fn asks_where_printed(text: &str) -> bool {
    let outside = text.split(['"', '`']).step_by(2).flat_map(str::split_whitespace);
    let mut words = outside.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    words.all(|word| {
        let word = word.as_str();
        word.is_empty() || is_stop_word(word) || is_scaffold(word) || is_framing_verb(word) || PRINTING.contains(&word)
    })
}

/// Returns a line without the places in files that it contains.
fn without_places(line: &str) -> String {
    let is_place =
        |word: &&str| word.contains('/') || word.split(':').nth(1).is_some_and(|line| line.parse::<u32>().is_ok());
    line.split_whitespace().filter(|word| !is_place(word)).collect::<Vec<_>>().join(" ")
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
