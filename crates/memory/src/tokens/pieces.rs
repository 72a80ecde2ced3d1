//! Splits a text into the pieces that are tokenized separately: words with the character before
//! them, numbers of up to three digits, punctuation, and white space. The code follows the regular
//! expression of `o200k_base`, alternative by alternative. Compiling the expression would take
//! longer than tokenizing most texts.
//!
//! ```text
//! [^\r\n\p{L}\p{N}]? [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]* [\p{Ll}\p{Lm}\p{Lo}\p{M}]+
//!     (?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! [^\r\n\p{L}\p{N}]? [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+ [\p{Ll}\p{Lm}\p{Lo}\p{M}]*
//!     (?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! \p{N}{1,3} |  ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
//! ```
//!
//! - **Tested by:** comparison with texts that `tiktoken-rs` split ([`super`]).

use regex_syntax::hir::{Class as Set, HirKind};
use std::sync::LazyLock;

/// A character class in the regular expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// All other characters.
    Sign,
    /// `\p{Lu}` and `\p{Lt}`.
    Upper,
    /// `\p{Ll}`.
    Lower,
    /// `\p{Lm}` and `\p{Lo}`: letters without a case.
    Letter,
    /// `\p{M}`: marks on the previous letter, which are not letters themselves.
    Mark,
    /// `\p{N}`.
    Number,
    /// `\s`.
    Space,
}

impl Class {
    fn from_char(character: char) -> Self {
        static ASCII: LazyLock<[Class; 128]> =
            LazyLock::new(|| std::array::from_fn(|c| Class::look_up(c as u8 as char)));
        ASCII.get(character as usize).copied().unwrap_or_else(|| Self::look_up(character))
    }

    fn look_up(character: char) -> Self {
        static RANGES: LazyLock<Vec<(char, char, Class)>> = LazyLock::new(Class::ranges);
        let next = RANGES.partition_point(|&(first, ..)| first <= character);
        match RANGES[..next].last() {
            Some(&(_, last, class)) if character <= last => class,
            _ => Self::Sign,
        }
    }

    /// Returns the first and last character of each range of a class, sorted.
    fn ranges() -> Vec<(char, char, Self)> {
        let patterns = [
            (r"[\p{Lu}\p{Lt}]", Self::Upper),
            (r"\p{Ll}", Self::Lower),
            (r"[\p{Lm}\p{Lo}]", Self::Letter),
            (r"\p{M}", Self::Mark),
            (r"\p{N}", Self::Number),
            (r"\s", Self::Space),
        ];
        let mut ranges = Vec::new();
        for (pattern, class) in patterns {
            if let Ok(HirKind::Class(Set::Unicode(set))) = regex_syntax::parse(pattern).map(|hir| hir.into_kind()) {
                ranges.extend(set.iter().map(|range| (range.start(), range.end(), class)));
            }
        }
        ranges.sort_unstable_by_key(|&(first, ..)| first);
        ranges
    }

    /// Checks whether the class occurs in the first part of a word:
    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`.
    fn begins(self) -> bool {
        matches!(self, Self::Upper | Self::Letter | Self::Mark)
    }

    /// Checks whether the class occurs in the second part of a word: `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`.
    fn continues(self) -> bool {
        matches!(self, Self::Lower | Self::Letter | Self::Mark)
    }

    /// Checks whether the class is part of `[^\s\p{L}\p{N}]`.
    fn is_sign(self) -> bool {
        matches!(self, Self::Sign | Self::Mark)
    }
}

/// Iterates over the pieces of a text, in order. Their concatenation is the text.
pub(super) fn pieces(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let first = text.chars().next()?;
        // One of the alternatives matches at every character, so no piece is empty.
        let (piece, rest) = text.split_at(length(text, first));
        text = rest;
        Some(piece)
    })
}

/// Returns the length in bytes of the piece at the start of a text.
fn length(text: &str, first: char) -> usize {
    let class = Class::from_char(first);
    let may_lead = class.is_sign() || (class == Class::Space && !is_break(first));
    let after = first.len_utf8();
    let word_from = |word: fn(&str) -> Option<usize>| {
        let led = may_lead.then(|| word(&text[after..]).map(|end| after + end)).flatten();
        led.or_else(|| word(text))
    };
    if let Some(end) = word_from(lower_word).or_else(|| word_from(upper_word)) {
        return end + suffix(&text[end..]);
    }
    if class == Class::Number {
        return text.chars().take(3).take_while(|&c| Class::from_char(c) == Class::Number).map(char::len_utf8).sum();
    }
    signs(text, first).unwrap_or_else(|| white(text))
}

/// Returns the length in bytes of the longest prefix whose characters are all accepted.
fn run(text: &str, accepts: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accepts(c)).unwrap_or(text.len())
}

/// Matches the two parts of a word, of which the second has at least one character. If the first
/// part consumes the whole word, it gives characters back.
fn lower_word(text: &str) -> Option<usize> {
    let first = run(text, |c| Class::from_char(c).begins());
    let second = run(&text[first..], |c| Class::from_char(c).continues());
    if second > 0 {
        return Some(first + second);
    }
    let last = text[..first].char_indices().rev().find(|&(_, c)| Class::from_char(c).continues());
    last.map(|(at, c)| at + c.len_utf8())
}

/// Matches the two parts of a word, of which the first has at least one character.
fn upper_word(text: &str) -> Option<usize> {
    let first = run(text, |c| Class::from_char(c).begins());
    (first > 0).then(|| first + run(&text[first..], |c| Class::from_char(c).continues()))
}

/// Matches `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`. The long s is another case of s.
fn suffix(text: &str) -> usize {
    let Some(after) = text.strip_prefix('\'') else { return 0 };
    let mut letters = after.chars().map(|c| if c == 'ſ' { 's' } else { c.to_ascii_lowercase() });
    let found = match (letters.next(), letters.next()) {
        (Some('s' | 't' | 'm' | 'd'), _) => 1,
        (Some('r' | 'v'), Some('e')) | (Some('l'), Some('l')) => 2,
        _ => return 0,
    };
    1 + after.chars().take(found).map(char::len_utf8).sum::<usize>()
}

/// Matches ` ?[^\s\p{L}\p{N}]+[\r\n/]*`.
fn signs(text: &str, first: char) -> Option<usize> {
    let start = usize::from(first == ' ');
    let end = start + run(&text[start..], |c| Class::from_char(c).is_sign());
    (end > start).then(|| end + run(&text[end..], |c| is_break(c) || c == '/'))
}

/// Matches `\s*[\r\n]+`, `\s+(?!\S)` or `\s+`: white space up to the last line break, or all white
/// space except the character before a word.
fn white(text: &str) -> usize {
    let all = &text[..run(text, |c| Class::from_char(c) == Class::Space)];
    if let Some(at) = all.rfind(is_break) {
        return at + 1;
    }
    match all.char_indices().next_back() {
        Some((last, _)) if last > 0 && all.len() < text.len() => last,
        _ => all.len(),
    }
}

fn is_break(character: char) -> bool {
    matches!(character, '\r' | '\n')
}
