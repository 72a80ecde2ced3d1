//! Rejects source text that a grammar or its scanner cannot parse safely, before it is parsed.
//!
//! A scanner's state is limited to 1,024 bytes. Two scanners write past that limit or abort the
//! program if the text is unlike anything that people write (`docs/limits.md`). Some grammars
//! interpret `<` both as a bracket and as an operator. The parser checks for cancellation only
//! every hundred steps, and in each interval it copies all open alternatives many times: 7,000 open
//! alternatives in 23 kB took 1.9 GB, 4,000 took 0.5 GB, and 2,000 almost nothing. All limits are
//! part of the language's data ([`ParserLimits`]).
//!
//! **Cost:** one pass over the lines, only for languages with limits.

use crate::lang::{ChainLimit, ParserLimits};

/// Size of a scanner's state in bytes. The scanner drops words that do not fit.
const SCANNER_STATE: usize = 1_024;
/// Total length of words from which the scanner may write a few bytes past the end of its state.
const NEAR_SCANNER_STATE: usize = 1_000;

/// Checks whether source text is within the limits of the parser.
pub(super) fn is_safe(limits: &ParserLimits, text: &str) -> bool {
    limits.indent_levels.is_none_or(|most| indent_levels(text) <= most)
        && limits.heredoc_bytes.is_none_or(|most| longest_heredocs(text) <= most)
        && limits.chain.as_ref().is_none_or(|limit| longest_chain(limit, text) <= limit.most)
}

/// Returns the maximum number of times that the sign occurs, and is not closed, without a character
/// that ends a chain in between. Signs in strings and comments count as well, so the result may be
/// too high.
fn longest_chain(limit: &ChainLimit, text: &str) -> usize {
    let (mut is_close, mut is_end) = ([false; 256], [false; 256]);
    limit.close.iter().for_each(|&close| is_close[usize::from(close as u8)] = true);
    limit.ends.bytes().for_each(|end| is_end[usize::from(end)] = true);
    let (mut most, mut length) = (0, 0usize);
    for byte in text.bytes() {
        if byte == limit.sign as u8 {
            length += 1;
            most = most.max(length);
        } else if is_end[usize::from(byte)] {
            length = 0;
        } else if is_close[usize::from(byte)] {
            length = length.saturating_sub(1);
        }
    }
    most
}

/// Returns the maximum number of indentation levels that are open at the same time. Lines inside
/// strings count as well, so the result may be too high.
fn indent_levels(text: &str) -> usize {
    let (mut open, mut most) = (Vec::new(), 0);
    for line in text.lines() {
        let blank = line.len() - line.trim_start_matches([' ', '\t', '\u{c}']).len();
        if blank == line.len() {
            continue;
        }
        let width: usize = line.as_bytes()[..blank].iter().map(|&byte| if byte == b'\t' { 8 } else { 1 }).sum();
        while open.last().is_some_and(|&outer| outer >= width) {
            open.pop();
        }
        open.push(width);
        most = most.max(open.len());
    }
    most
}

/// Returns the maximum total length in bytes of the heredoc delimiters on one line (`<<~WORD`,
/// `<<"TWO WORDS"`).
fn longest_heredocs(text: &str) -> usize {
    let (mut most, mut sum, mut line_start, mut line_end) = (0, 0, 0, 0);
    for (at, sign) in text.match_indices("<<") {
        if at >= line_end {
            sum = 0;
            line_start = text[..at].rfind('\n').map_or(0, |end| end + 1);
            line_end = text[at..].find('\n').map_or(text.len(), |line| at + line);
        }
        let word = text[at + sign.len()..].trim_start_matches(['-', '~']);
        sum += match word.chars().next() {
            Some(quote @ ('"' | '\'' | '`')) => match text[text.len() - word.len() + 1..line_end].find(quote) {
                Some(length) => length,
                None => bytes_of_unclosed_word(&word[1..], quote, &text[line_start..at]),
            },
            _ => word.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(word.len()),
        };
        most = most.max(sum);
    }
    most
}

/// Returns the number of bytes to count for a quoted delimiter whose quote is not closed on its
/// line. `before` is the part of the line before the `<<`.
///
/// The scanner reads up to the next quote, over any number of lines, but delimiters that people
/// write end on their line. An unclosed quote usually ends a string such as `"... <<"`. Therefore,
/// only the first line counts, unless the scanner might write past the end of its state. If the
/// scanner nevertheless reads a shorter delimiter and aborts the program, the next run skips the
/// file.
fn bytes_of_unclosed_word(word: &str, quote: char, before: &str) -> usize {
    let in_string = before.matches(quote).count() % 2 == 1;
    let length = word.chars().take(SCANNER_STATE + 1).take_while(|&c| c != quote).count();
    match length {
        _ if in_string || length > SCANNER_STATE => 0,
        NEAR_SCANNER_STATE..=SCANNER_STATE => length,
        _ => word.find('\n').unwrap_or(word.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_indentation_levels_open_together() {
        assert_eq!(indent_levels("a\n  b\n    c\n\n  d\n     e\n"), 3);
        assert_eq!(indent_levels("a\n\tb\n        c\n"), 2);
        assert_eq!(indent_levels(""), 0);
    }

    #[test]
    fn counts_the_longest_chain_of_a_sign() {
        let limit = ChainLimit { sign: '|', close: None, ends: ";}".to_owned(), most: 2 };
        assert_eq!(longest_chain(&limit, "a | b | c; d | e\n| f } | g"), 2);
        assert_eq!(longest_chain(&limit, "a |\nb |\nc |\n"), 3);
        let limits = ParserLimits { chain: Some(limit), ..ParserLimits::default() };
        assert!(is_safe(&limits, "a | b | c") && !is_safe(&limits, "a | b | c | d"));
    }

    #[test]
    fn counts_heredoc_words_by_line() {
        assert_eq!(longest_heredocs("f(<<A, <<~'B C')\nA\nB C\ng(<<-LONG)\nLONG\n"), 4);
        assert_eq!(longest_heredocs("x << y; x <<\"never closed"), 12);
        assert_eq!(longest_heredocs("<<é"), 2);
    }

    #[test]
    fn string_ending_in_two_angles_starts_no_heredoc() {
        for lines in [0, 100, 145, 200, 10_000] {
            let text = format!("raise \"no #<<\"\n{}puts \"done\"\n", "go(on)\n".repeat(lines));
            assert_eq!(longest_heredocs(&text), 0, "{lines} lines until the next quote");
            let text = format!("raise \"no\n #<<\"\n{}", "go(on)\n".repeat(lines));
            assert_eq!(longest_heredocs(&text) > 250, lines == 145, "{lines} lines, the string begins a line before");
        }
    }

    #[test]
    fn counts_multiline_heredoc_words_that_overflow_the_scanner() {
        let text = |length: usize| format!("x = <<\"{}\"\n", "A\n".repeat(length / 2));
        assert_eq!(longest_heredocs(&text(900)), 1, "the first line");
        assert_eq!(longest_heredocs(&text(1_020)), 1_020);
        assert_eq!(longest_heredocs(&text(1_026)), 0, "the scanner drops it");
    }

    #[test]
    fn angles_stay_open_until_closed_or_end_of_statement() {
        let limit = ChainLimit { sign: '<', close: Some('>'), ends: ";{}".to_owned(), most: 2 };
        assert_eq!(longest_chain(&limit, "Map<List<A<B>>, C<D>> x; a < b; c < d { e < f }"), 3);
        assert_eq!(longest_chain(&limit, &"V<\n".repeat(5_000)), 5_000);
    }
}
