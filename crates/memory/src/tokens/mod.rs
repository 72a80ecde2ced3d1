//! Splits texts into tokens with OpenAI's tokenizer `o200k_base`. Other models use slightly
//! different tokenizers, whose counts differ by a few percent.
//!
//! **Cost:** 11 ms for the first text, which unpacks the vocabulary (1.1 MB in the program).
//!
//! **Alternatives:** `tiktoken-rs` builds its tables in 0.2 s and has 8 MB of vocabularies;
//! `bpe-openai` makes the program 36 MB larger; hash tables that are used in place make it 3 MB
//! larger.
//!
//! **Tested by:** texts that `tiktoken-rs` 0.12.1 has split (`tests/tokens.jsonl`).

mod pairs;
mod pieces;
mod vocabulary;

use pairs::tokens_of;
use pieces::pieces;
use vocabulary::number_of;

/// Returns the number of tokens of a text.
pub fn count_tokens(text: &str) -> usize {
    let mut count = 0;
    each(text, |_| count += 1);
    count
}

/// A text that is encoded repeatedly, each time with a different end.
///
/// Only the part after the common prefix is encoded, so a small addition to a prompt is cheap.
#[derive(Debug, Default)]
pub struct GrowingText {
    text: String,
    tokens: Vec<u32>,
    /// For each piece, the number of bytes and tokens up to its end.
    ends: Vec<(usize, usize)>,
}

impl GrowingText {
    /// Returns the number of tokens of a text, and the number of leading tokens that it shares with
    /// the previous text.
    pub fn encode(&mut self, text: &str) -> (usize, usize) {
        let common = self.text.chars().zip(text.chars()).take_while(|(old, new)| old == new);
        let common: usize = common.map(|(old, _)| old.len_utf8()).sum();
        // A line break joins all white space before it. The end of any other piece depends on at
        // most the next piece, so both texts share all but the last two common pieces.
        let common = text[..common].trim_end().len();
        let kept = self.ends.partition_point(|&(end, _)| end <= common).saturating_sub(2);
        let (mut byte, first) = kept.checked_sub(1).map_or((0, 0), |last| self.ends[last]);
        let old = self.tokens.split_off(first);
        self.ends.truncate(kept);
        for piece in pieces(&text[byte..]) {
            each_of(piece, |token| self.tokens.push(token));
            byte += piece.len();
            self.ends.push((byte, self.tokens.len()));
        }
        self.text.clear();
        self.text.push_str(text);
        let shared = self.tokens[first..].iter().zip(&old).take_while(|(new, old)| new == old).count();
        (self.tokens.len(), first + shared)
    }
}

/// Calls `token` with each token of a text, in order. Special tokens of the model never occur.
fn each(text: &str, mut token: impl FnMut(u32)) {
    pieces(text).for_each(|piece| each_of(piece, &mut token));
}

/// Calls `token` with each token of a piece, in order.
fn each_of(piece: &str, mut token: impl FnMut(u32)) {
    match number_of(piece.as_bytes()) {
        Some(number) => token(number),
        None => tokens_of(piece.as_bytes(), token),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        each(text, |token| tokens.push(token));
        tokens
    }

    #[test]
    fn tokenizes_texts_like_tiktoken() {
        for line in include_str!("../../tests/tokens.jsonl").lines() {
            let (text, expected): (String, Vec<u32>) = serde_json::from_str(line).expect("a text and its tokens");
            assert_eq!(tokens(&text), expected, "{text:?}");
            assert_eq!(count_tokens(&text), expected.len(), "{text:?}");
        }
    }

    #[test]
    fn tokenizes_a_long_line_of_one_letter() {
        let text = "a".repeat(300_000);
        assert!(count_tokens(&text) < 300_000 / 2);
    }

    #[test]
    fn a_growing_text_splits_white_space_again() {
        let mut growing = GrowingText::default();
        for text in ["\n\t\t!", "\n\t\t\n", "a \n  b", "a \n  \n"] {
            assert_eq!(growing.encode(text).0, count_tokens(text), "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_growing_text_has_the_tokens_of_the_full_text(
            start in r"([a-zA-Z]{1,6}|'(s|re)|\p{Lo}|\p{M}|[0-9]{1,5}|[ \t\r\n/]{1,3}|\s|[!-/:-@]|.){0,12}",
            ends in proptest::collection::vec(r"([a-zA-Z]{1,6}|'(s|re)|\p{Lu}|\p{M}|[0-9]{1,5}|[ \r\n/]{1,3}|[!-/]|.){0,6}", 1..5),
        ) {
            let (mut growing, mut last) = (GrowingText::default(), Vec::new());
            for end in ends {
                let text = format!("{start}{end}");
                let expected = tokens(&text);
                let shared = expected.iter().zip(&last).take_while(|(new, old)| new == old).count();
                prop_assert_eq!(growing.encode(&text), (expected.len(), shared), "{:?}", text);
                prop_assert_eq!(&growing.tokens, &expected);
                last = expected;
            }
        }
    }
}
