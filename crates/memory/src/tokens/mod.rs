//! Splits texts into tokens with a real tokenizer, OpenAI's `o200k_base`. Other models split texts
//! a little differently; counts differ by some percent.
//!
//! **Cost:** no loading time: the vocabulary is a table in the program (4 MB), of which only the
//! looked-up parts are read.
//!
//! **Alternatives:** `tiktoken-rs` builds its tables in each process again, in 0.2 s; `bpe-openai`
//! makes the program 36 MB larger.
//!
//! **Tested by:** a property test against `tiktoken-rs`, from which `build.rs` takes the
//! vocabulary.

mod pairs;
mod pieces;
mod slot;
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

/// Returns the tokens of a text, as numbers. Special tokens of the model are never produced.
pub fn tokens(text: &str) -> Vec<u32> {
    let mut tokens = Vec::new();
    each(text, |token| tokens.push(token));
    tokens
}

/// A text that is encoded repeatedly with a different end.
///
/// Only the part after the common prefix is encoded, so that a small addition to a prompt has a
/// small cost.
#[derive(Debug, Default)]
pub struct GrowingText {
    text: String,
    tokens: Vec<u32>,
    /// For each piece, the number of bytes and tokens up to its end.
    ends: Vec<(usize, usize)>,
}

impl GrowingText {
    /// Returns the number of tokens of a text, and the number of tokens at its start that it shares
    /// with the previous text.
    pub fn encode(&mut self, text: &str) -> (usize, usize) {
        let common = self.text.bytes().zip(text.bytes()).take_while(|(old, new)| old == new).count();
        // At most the next piece determines where a piece ends, so all pieces before the last two
        // common ones are the same in both texts.
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

/// Calls `token` with the tokens of a text, in order.
fn each(text: &str, mut token: impl FnMut(u32)) {
    pieces(text).for_each(|piece| each_of(piece, &mut token));
}

/// Calls `token` with the tokens of a piece, in order.
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

    fn reference(text: &str) -> Vec<u32> {
        tiktoken_rs::o200k_base_singleton().encode_ordinary(text)
    }

    #[test]
    fn counts_as_many_tokens_as_it_returns() {
        for (text, count) in [("", 0), ("hello world", 2), ("{\"a\":\"b\"}\n", 5), ("😀", 1)] {
            assert_eq!((count_tokens(text), tokens(text).len()), (count, count), "{text}");
        }
    }

    #[test]
    fn tokenizes_this_project_like_tiktoken() {
        for text in [
            include_str!("pieces.rs"),
            include_str!("../../../../README.md"),
            include_str!("../../../../docs/SPEC.md"),
            include_str!("../../../../Cargo.lock"),
        ] {
            assert_eq!(tokens(text), reference(text));
        }
    }

    #[test]
    fn tokenizes_a_long_line_of_one_letter() {
        let text = "a".repeat(300_000);
        assert!(count_tokens(&text) < 300_000 / 2);
        assert_eq!(tokens(&text[..3000]), reference(&text[..3000]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// Letters of all cases, marks, digits, signs, white space and suffixes, in any order.
        #[test]
        fn tokenizes_any_text_like_tiktoken(text in r"([a-zA-Z]{1,6}|['’](s|T|re|VE|m|ll|D|ſ)|\p{Lu}|\p{Lt}|\p{Ll}|\p{Lm}|\p{Lo}|\p{M}|\p{N}|[0-9]{1,5}|[ \t\r\n/]{1,3}|\s|[!-/:-@]|\PC|.){0,12}") {
            prop_assert_eq!(tokens(&text), reference(&text), "{:?}", text);
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
