//! Texts to tokens, by a real tokenizer: OpenAI's `o200k_base`. Other models cut texts a little differently; counts
//! differ by some percent.
//!
//! Price:    nothing to load: the vocabulary is a table in the program (4 MB), of which only what is looked up is read
//! Why not:  `tiktoken-rs` builds its tables anew in each process, in 0.2 s; `bpe-openai` makes the program 36 MB larger
//! Checked:  by property against `tiktoken-rs`, which `build.rs` takes the vocabulary from

mod pairs;
mod pieces;
mod slot;
mod vocabulary;

use pairs::tokens_of;
use pieces::pieces;
use vocabulary::number_of;

/// How many tokens a text has.
pub fn count_tokens(text: &str) -> usize {
    let mut count = 0;
    each(text, |_| count += 1);
    count
}

/// The tokens of a text, as numbers. Nothing in it is taken for a sign of the model's own.
pub fn tokens(text: &str) -> Vec<u32> {
    let mut tokens = Vec::new();
    each(text, |token| tokens.push(token));
    tokens
}

/// The tokens of a text that is encoded again and again with another end.
///
/// Only what follows the common prefix is encoded, so that a prompt that grows by a little costs a little.
#[derive(Debug, Default)]
pub struct GrowingText {
    text: String,
    tokens: Vec<u32>,
    /// By piece: the bytes and the tokens up to its end.
    ends: Vec<(usize, usize)>,
}

impl GrowingText {
    /// Returns the number of tokens of a text, and how many at its start are those of the text before.
    pub fn encode(&mut self, text: &str) -> (usize, usize) {
        let common = self.text.bytes().zip(text.bytes()).take_while(|(old, new)| old == new).count();
        // What is a piece is decided by at most the piece after it: those before the last two that are common to both texts
        // are the same.
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

/// Calls back with the tokens of a text, in order.
fn each(text: &str, mut token: impl FnMut(u32)) {
    pieces(text).for_each(|piece| each_of(piece, &mut token));
}

/// Calls back with the tokens of a piece, in order.
fn each_of(piece: &str, mut token: impl FnMut(u32)) {
    match number_of(piece.as_bytes()) {
        Some(whole) => token(whole),
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
    fn as_many_are_counted_as_are_made() {
        for (text, count) in [("", 0), ("hello world", 2), ("{\"a\":\"b\"}\n", 5), ("😀", 1)] {
            assert_eq!((count_tokens(text), tokens(text).len()), (count, count), "{text}");
        }
    }

    #[test]
    fn the_project_itself_is_cut_as_tiktoken_cuts_it() {
        for text in [
            include_str!("pieces.rs"),
            include_str!("../../../README.md"),
            include_str!("../../../docs/SPEC.md"),
            include_str!("../../../Cargo.lock"),
        ] {
            assert_eq!(tokens(text), reference(text));
        }
    }

    #[test]
    fn a_long_line_of_one_letter_is_cut_in_one_go() {
        let text = "a".repeat(300_000);
        assert!(count_tokens(&text) < 300_000 / 2);
        assert_eq!(tokens(&text[..3000]), reference(&text[..3000]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// Letters of all cases, marks, digits, signs, white space and suffixes, in any order.
        #[test]
        fn any_text_is_cut_as_tiktoken_cuts_it(text in r"([a-zA-Z]{1,6}|['’](s|T|re|VE|m|ll|D|ſ)|\p{Lu}|\p{Lt}|\p{Ll}|\p{Lm}|\p{Lo}|\p{M}|\p{N}|[0-9]{1,5}|[ \t\r\n/]{1,3}|\s|[!-/:-@]|\PC|.){0,12}") {
            prop_assert_eq!(tokens(&text), reference(&text), "{:?}", text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_growing_text_has_the_tokens_of_the_whole_text(
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
