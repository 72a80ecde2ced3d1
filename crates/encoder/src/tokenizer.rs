//! Splits a text into tokens as BERT does (Devlin et al. 2019, section 3): words at white space,
//! punctuation and ideographs, and each word into the longest tokens of the vocabulary (WordPiece,
//! Wu et al. 2016).
//!
//! - **Cost:** reads a text only until it has enough tokens. A word takes at most the square of its
//!   length, which [`Vocabulary::longest_word`] limits.
//! - **Differs:** a text that contains the name of a special token, such as `[SEP]`, is split like any
//!   other text, so a text cannot end itself early.

use crate::characters::{is_accent, is_removed, is_word};
use crate::vocabulary::Vocabulary;
use std::ops::ControlFlow;
use unicode_normalization::UnicodeNormalization;

/// Returns the ids of a text's tokens: `[CLS]`, at most `max_tokens - 2` tokens, and `[SEP]`.
pub(crate) fn tokenize(vocabulary: &Vocabulary, text: &str, max_tokens: usize) -> Vec<u32> {
    let most = max_tokens.saturating_sub(1).max(1);
    let mut words = Words { vocabulary, most, ids: vec![vocabulary.start], word: String::new(), length: 0 };
    let kept = text.chars().filter(|&c| !is_removed(c));
    let flow = match vocabulary.strips_accents {
        true => kept.nfd().filter(|&c| !is_accent(c)).try_for_each(|c| words.push(c)),
        false => kept.into_iter().try_for_each(|c| words.push(c)),
    };
    if flow.is_continue() {
        let _ = words.end_word();
    }
    words.ids.truncate(most);
    words.ids.push(vocabulary.end);
    words.ids
}

/// The tokens of a text so far, and the word at its end.
struct Words<'v> {
    vocabulary: &'v Vocabulary,
    /// Number of tokens that are enough.
    most: usize,
    ids: Vec<u32>,
    /// The beginning of the current word, not more than the longest word.
    word: String,
    /// Length of the current word in characters.
    length: usize,
}

impl Words<'_> {
    /// Adds a normalized character. Breaks if there are enough tokens.
    fn push(&mut self, c: char) -> ControlFlow<()> {
        if c.is_whitespace() {
            return self.end_word();
        }
        if is_word(c) {
            self.end_word()?;
            self.append(c);
            return self.end_word();
        }
        match self.vocabulary.lowercase {
            true => c.to_lowercase().for_each(|c| self.append(c)),
            false => self.append(c),
        }
        ControlFlow::Continue(())
    }

    fn append(&mut self, c: char) {
        self.length += 1;
        if self.length <= self.vocabulary.longest_word {
            self.word.push(c);
        }
    }

    /// Adds the tokens of the current word, and starts the next one.
    fn end_word(&mut self) -> ControlFlow<()> {
        if self.length > 0 {
            let before = self.ids.len();
            if self.length > self.vocabulary.longest_word || !self.split_word() {
                self.ids.truncate(before);
                self.ids.push(self.vocabulary.unknown);
            }
            self.word.clear();
            self.length = 0;
        }
        if self.ids.len() < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Adds the longest token at the beginning of the word, then of the rest, and so on. Returns
    /// false if a rest begins with no token.
    fn split_word(&mut self) -> bool {
        let mut rest = &*self.word;
        let mut tokens = &self.vocabulary.first;
        while !rest.is_empty() {
            let ends = rest.char_indices().rev().map(|(at, c)| at + c.len_utf8());
            let Some((id, end)) = ends.into_iter().find_map(|end| Some((tokens.get(&rest[..end])?, end))) else {
                return false;
            };
            self.ids.push(*id);
            rest = &rest[end..];
            tokens = &self.vocabulary.next;
        }
        true
    }
}
