//! Compares the words of a message with the words of strings.
//!
//! - **Invariant:** the alignment with the highest weight is found, where the words between two
//!   matched words may be skipped in the message only at a gap of the strings
//! - **Cost:** words of the message times words of the strings

/// Maximum number of words of a message that replace one placeholder.
const MAX_SKIPPED: usize = 16;
/// Factor of the score of strings that the whole message can come from.
const COMPLETE_FACTOR: f32 = 1.25;

/// A word or boundary in the strings of a piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word in lower case, and its offset in the file.
    Word(String, usize),
    /// A placeholder.
    Gap,
    /// The end of a string that continues in the next one.
    Join,
    /// The end of a string that is unrelated to the next one.
    End,
}

/// The best match between a message and strings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Alignment {
    /// Sum of the weights of the matched words.
    pub weight: f32,
    /// Number of matched words.
    pub matched: usize,
    /// Number of words in the longest consecutive match.
    pub run: usize,
    /// Share of the words from the first to the last matched string that are matched.
    pub precision: f32,
    /// True if the strings contain all words of the message, or a placeholder where it has others,
    /// and the message contains all words of the strings.
    pub is_complete: bool,
    /// Offset of the first matched word.
    pub offset: usize,
}

/// A partial alignment that ends at a word of the strings.
#[derive(Clone, Copy, Default)]
struct Chain {
    weight: f32,
    matched: usize,
    /// Number of consecutive matched words at the end.
    current_run: usize,
    run: usize,
    /// Index of the first matched token.
    first: usize,
    /// Index of the first matched word of the message.
    start: usize,
}

impl Alignment {
    /// Returns the weight, reduced for words of the strings that the message does not contain: a
    /// program prints all of them.
    pub fn score(&self) -> f32 {
        self.weight * self.precision * if self.is_complete { COMPLETE_FACTOR } else { 1.0 }
    }
}

impl Chain {
    fn extended(self, weight: f32, (token, word): (usize, usize), is_consecutive: bool) -> Self {
        let current_run = if is_consecutive { self.current_run + 1 } else { 1 };
        Self {
            weight: self.weight + weight,
            matched: self.matched + 1,
            current_run,
            run: self.run.max(current_run),
            first: if self.matched == 0 { token } else { self.first },
            start: if self.matched == 0 { word } else { self.start },
        }
    }

    /// Checks whether this chain is better: heavier, or as heavy with a longer consecutive match.
    fn is_better(&self, other: &Self) -> bool {
        (self.weight, self.run) > (other.weight, other.run)
    }
}

/// Returns the best match between a message and strings; `None` if they share no word.
/// `weights` contains the weight of each word of the message.
pub(super) fn align(words: &[String], weights: &[f32], tokens: &[Token]) -> Option<Alignment> {
    // Chains that end at the previous word, and at any word since the last gap, by message word.
    let mut previous = vec![Chain::default(); words.len()];
    let mut before_gap = vec![Chain::default(); words.len()];
    let (mut best, mut best_end, mut last_word) = (Chain::default(), 0, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::End => {
                previous.fill(Chain::default());
                before_gap.fill(Chain::default());
            }
            Token::Gap | Token::Join => {
                for (before, &chain) in before_gap.iter_mut().zip(&previous) {
                    if chain.is_better(before) {
                        *before = chain;
                    }
                }
                previous.fill(Chain::default());
            }
            Token::Word(word, _) => {
                let mut next = vec![Chain::default(); words.len()];
                for message in (0..words.len().min(weights.len())).filter(|&message| words[message] == *word) {
                    let adjacent = message.checked_sub(1).map(|last| previous[last]).unwrap_or_default();
                    let mut chain = adjacent.extended(weights[message], (at, message), true);
                    let follows_gap = !matches!(at.checked_sub(1).map(|last| &tokens[last]), Some(Token::Word(..)));
                    for skipped in 1..=MAX_SKIPPED.min(if follows_gap { message } else { 0 }) {
                        let over = before_gap[message - skipped].extended(weights[message], (at, message), false);
                        if over.is_better(&chain) {
                            chain = over;
                        }
                    }
                    next[message] = chain;
                    if chain.is_better(&best) {
                        (best, best_end, last_word) = (chain, at, message);
                    }
                }
                previous = next;
            }
        }
    }
    let Some(Token::Word(_, offset)) = tokens.get(best.first) else { return None };
    let words_between = string_words(tokens, best.first, best_end);
    let precision = best.matched as f32 / words_between.max(1) as f32;
    let is_gap = |token: Option<usize>| token.and_then(|at| tokens.get(at)) == Some(&Token::Gap);
    let is_complete = best.matched == words_between
        && (best.start == 0 || is_gap(best.first.checked_sub(1)))
        && (last_word + 1 == words.len() || is_gap(Some(best_end + 1)));
    (best.matched > 0).then_some(Alignment {
        weight: best.weight,
        matched: best.matched,
        run: best.run,
        precision,
        is_complete,
        offset: *offset,
    })
}

/// Returns the number of words in the strings from one token to another.
fn string_words(tokens: &[Token], first: usize, last: usize) -> usize {
    let is_end = |token: &Token| matches!(token, Token::End | Token::Join);
    let start = tokens[..first].iter().rposition(is_end).map_or(0, |end| end + 1);
    let end = tokens[last..].iter().position(is_end).map_or(tokens.len(), |end| last + end);
    tokens[start..end].iter().filter(|token| matches!(token, Token::Word(..))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(strings: &str) -> Vec<Token> {
        let token = |(at, word): (usize, &str)| match word {
            "_" => Token::Gap,
            "|" => Token::End,
            "+" => Token::Join,
            word => Token::Word(word.to_owned(), at),
        };
        strings.split_whitespace().enumerate().map(|(at, word)| token((at, word))).collect()
    }

    fn aligned(message: &str, strings: &str) -> Option<Alignment> {
        let words: Vec<String> = message.split_whitespace().map(str::to_owned).collect();
        align(&words, &vec![1.0; words.len()], &tokens(strings))
    }

    #[test]
    fn placeholders_match_any_words() {
        let found =
            aligned("cannot open my file now no such file", "usage | cannot open _ no such file |").expect("it");
        assert_eq!((found.weight, found.run, found.precision, found.offset), (5.0, 3, 1.0, 2));
    }

    #[test]
    fn words_are_skipped_only_at_placeholders() {
        let found = aligned("cannot quickly open it", "cannot open it").expect("two words");
        assert_eq!((found.weight, found.run), (2.0, 2));
    }

    #[test]
    fn a_message_is_complete_if_placeholders_replace_all_other_words() {
        let is_complete = |message, strings| aligned(message, strings).is_some_and(|found| found.is_complete);
        assert!(is_complete("conflict content merge conflict in readme md", "usage | conflict _ merge conflict in _"));
        assert!(is_complete("auto merging readme md", "auto merging _"));
        assert!(!is_complete("auto merging readme md", "auto merging | readme"));
        assert!(!is_complete("auto merging readme md", "auto merging _ for object"));
        assert!(!is_complete("then auto merging it", "auto merging _"));
    }

    #[test]
    fn unrelated_strings_are_not_combined() {
        let found = aligned("read the file", "read | the | file").expect("one word");
        assert_eq!((found.weight, found.run), (1.0, 1));
        assert_eq!(aligned("read", "write"), None);
    }

    #[test]
    fn precision_covers_the_matched_strings_only() {
        let found = aligned("cannot open it now", "a list + cannot open + now or never").expect("three words");
        assert_eq!((found.weight, found.precision), (3.0, 0.6));
    }
}
