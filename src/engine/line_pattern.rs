//! The regular expression of `--match`, which is applied line by line with ripgrep's matcher.
//!
//! **Invariant:** no match contains a line break. As in ripgrep, `\s` and `[^a]` do not match one,
//! and a pattern that contains one literally is invalid.

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use std::ops::RangeInclusive;
use whichfn_system::error::{Error, Kind, Result};

/// A regular expression that lines match.
#[derive(Debug, Clone)]
pub struct LinePattern(RegexMatcher);

impl LinePattern {
    /// Compiles a pattern. Its syntax is ripgrep's.
    ///
    /// # Errors
    /// Returns an error that gives the reason if the pattern is invalid or too large.
    pub fn new(pattern: &str) -> Result<Self> {
        // A line may also end with `\r\n`, as with ripgrep's option `--crlf`.
        RegexMatcherBuilder::new().multi_line(true).crlf(true).build(pattern).map(Self).map_err(|cause| {
            let cause = cause.to_string();
            let reason = cause.lines().last().unwrap_or_default().trim_start_matches("error: ");
            let next = "correct the pattern, or escape special characters with a backslash";
            Error::new(Kind::Usage, format!("the pattern of --match is invalid: {reason}"), next)
        })
    }

    /// Returns the lines of a text that match.
    pub fn matches(&self, text: &str) -> MatchingLines {
        let bytes = text.as_bytes();
        let (mut numbers, mut number, mut at) = (Vec::new(), 1, 0);
        // The matcher never fails: its error type has no reason to report.
        while let Ok(Some(found)) = self.0.find_at(bytes, at) {
            if found.start() == bytes.len() && bytes.last().is_none_or(|&last| last == b'\n') {
                // After the last line break, there is no further line.
                break;
            }
            number += memchr::memchr_iter(b'\n', &bytes[at..found.start()]).count() as u32;
            numbers.push(number);
            let Some(length) = memchr::memchr(b'\n', &bytes[found.start()..]) else { break };
            (at, number) = (found.start() + length + 1, number + 1);
        }
        MatchingLines(numbers)
    }
}

/// The lines of a text that match a pattern.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MatchingLines(Vec<u32>);

impl MatchingLines {
    /// Checks whether there is such a line in a range of 1-based numbers.
    pub fn any_in(&self, lines: RangeInclusive<u32>) -> bool {
        let first = self.0.partition_point(|number| number < lines.start());
        self.0.get(first).is_some_and(|number| lines.contains(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pattern: &str, text: &str) -> Vec<u32> {
        LinePattern::new(pattern).unwrap().matches(text).0
    }

    #[test]
    fn each_matching_line_counts_once() {
        assert_eq!(lines("a", "a a\nb\na\n"), [1, 3]);
        assert_eq!(lines("^b$", "a\r\nb\r\nc b"), [2]);
        assert_eq!(lines("(?i)ERROR", "no\nan error"), [2]);
        assert_eq!(lines("größe", "größe\ngrösse\n"), [1]);
    }

    #[test]
    fn no_match_extends_over_a_line_break() {
        assert_eq!(lines(r"a\s*b", "a\nb\na b\n"), [3]);
        assert!(lines("a[^x]b", "a\nb").is_empty());
        assert!(lines("(?s)a.b", "a\nb").is_empty());
        let error = LinePattern::new(r"a\nb").unwrap_err();
        assert!(error.what().contains("is not allowed"), "{error}");
    }

    #[test]
    fn empty_matches_are_in_existing_lines() {
        assert_eq!(lines("x*", "a\n\nb\n"), [1, 2, 3]);
        assert_eq!(lines("^$", "a\n\nb\n"), [2]);
        assert!(lines("^$", "").is_empty());
        assert_eq!(lines("$", "a"), [1]);
    }

    #[test]
    fn a_range_of_lines_includes_both_ends() {
        let found = MatchingLines(vec![3, 8]);
        assert!(found.any_in(1..=3) && found.any_in(3..=4) && found.any_in(8..=8));
        assert!(!found.any_in(1..=2) && !found.any_in(4..=7) && !found.any_in(9..=20));
    }
}
