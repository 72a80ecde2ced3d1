//! Cuts the code of a function to the lines that decide whether it is the right one.
//!
//! **Invariant:** lines are printed as written, with their indentation, so that an edit tool finds
//! them. Lines that are left out are named by their numbers.

use std::collections::BTreeSet;
use whichfn_memory::count_tokens;
use whichfn_read::lookup::LineRole;

/// Number of lines before a decisive line that are kept.
const BEFORE: u32 = 3;
/// Number of lines after a decisive line that are kept.
const AFTER: u32 = 5;
/// Largest gap between two kept lines that is filled, because its note would be as long.
const GAP: u32 = 2;
/// Numbers of lines that are tried for an excerpt, most first.
const SIZES: [usize; 8] = [60, 45, 34, 26, 19, 14, 10, 6];

/// Number of lines up to which a requested function is printed in full.
const SHORT: usize = 40;
/// Number of lines of a requested function that are printed if only texts are left out.
const MOST_WITHOUT_TEXTS: usize = 80;
/// Number of lines that are kept of a long comment or string: its beginning.
const TEXT_LINES: usize = 2;

/// The code of a function.
pub(super) struct Code<'a> {
    /// Lines as written.
    pub lines: &'a [String],
    /// 1-based number of the first line.
    pub first: u32,
    /// 1-based number of the line with the name.
    pub head: u32,
    /// 1-based numbers of the decisive lines, most decisive first.
    pub deciding: &'a [u32],
}

impl Code<'_> {
    /// Returns the whole code if it has at most `tokens` tokens, otherwise the longest excerpt that
    /// has at most half as many; `None` if not even a few lines fit. The flag is true if the text is
    /// the whole code.
    pub(super) fn fitting(&self, tokens: usize) -> Option<(String, bool)> {
        // A line has at least about one token, so the tokens of longer code need not be counted.
        if self.lines.len() <= tokens {
            let whole = self.excerpt(self.lines.len());
            if count_tokens(&whole) <= tokens {
                return Some((whole, true));
            }
        }
        // A reader of an excerpt often reads the function again, a reader of the whole does not. So
        // an excerpt leaves tokens to the next candidate, which may fit as a whole.
        let mut excerpts = SIZES.into_iter().filter(|&size| size < self.lines.len()).map(|size| self.excerpt(size));
        excerpts.find(|text| count_tokens(text) <= tokens / 2).map(|text| (text, false))
    }

    /// Returns the code that an agent requested by name in at most `tokens` tokens, and the number of
    /// its lines: all of a short function; of a longer one, all but long comments and strings; of a
    /// very long one, the lines with calls and keywords, outer ones first. `None` if the first lines
    /// are as good.
    pub(super) fn requested(&self, roles: &[LineRole], tokens: usize) -> Option<(String, usize)> {
        if self.lines.len() <= SHORT || roles.len() != self.lines.len() {
            return None;
        }
        let without_texts = self.without_texts(roles);
        let smaller = SIZES.into_iter().map(|size| self.skeleton(roles, &without_texts, size));
        let all = Some(without_texts.clone()).filter(|kept| kept.len() <= MOST_WITHOUT_TEXTS);
        all.into_iter()
            .chain(smaller)
            .map(|kept| self.without_small_gaps(kept))
            .map(|kept| (self.text(&kept), kept.len()))
            .find(|(text, _)| count_tokens(text) <= tokens)
    }

    /// Returns the lines with those in gaps whose note would be as long.
    fn without_small_gaps(&self, kept: BTreeSet<u32>) -> BTreeSet<u32> {
        let mut next = self.first;
        let mut filled = BTreeSet::new();
        for line in kept {
            filled.extend(if line - next <= GAP { next..=line } else { line..=line });
            next = line + 1;
        }
        filled
    }

    /// Returns the lines without the rest of long comments and strings.
    fn without_texts(&self, roles: &[LineRole]) -> BTreeSet<u32> {
        let mut kept = BTreeSet::new();
        let mut run = 0;
        for (number, role) in (self.first..).zip(roles) {
            run = if *role == LineRole::Text { run + 1 } else { 0 };
            if run <= TEXT_LINES {
                kept.insert(number);
            }
        }
        kept
    }

    /// Returns up to `most` of these lines: the head, and lines with calls and keywords, those with
    /// the least indentation first, because they decide whether the others run.
    fn skeleton(&self, roles: &[LineRole], lines: &BTreeSet<u32>, most: usize) -> BTreeSet<u32> {
        let role = |line: u32| roles[(line - self.first) as usize];
        let indent = |line: u32| {
            let text = &self.lines[(line - self.first) as usize];
            text.len() - text.trim_start().len()
        };
        let mut by_weight: Vec<u32> = lines.iter().copied().filter(|&line| role(line) != LineRole::Plain).collect();
        by_weight.sort_by_key(|&line| (line > self.head, role(line) == LineRole::Text, indent(line), line));
        by_weight.into_iter().take(most).chain([self.head]).collect()
    }

    /// Returns about `most` lines: the line with the name, and the lines around decisive ones.
    fn excerpt(&self, most: usize) -> String {
        let last = self.first + self.lines.len() as u32 - 1;
        let all = self.first..=last;
        if all.clone().count() <= most {
            return self.text(&all.collect());
        }
        let mut kept = BTreeSet::from([self.head.clamp(self.first, last)]);
        for &line in self.deciding {
            let around = (line.saturating_sub(BEFORE).max(self.first)..=(line + AFTER).min(last)).collect::<Vec<u32>>();
            let new = around.iter().filter(|line| !kept.contains(line)).count();
            if kept.len() + new <= most {
                kept.extend(around);
            } else if kept.len() < most {
                kept.insert(line);
            }
        }
        // Whatever is left goes to the beginning, which shows what the function works on.
        let start = (self.head..=last).filter(|line| !kept.contains(line)).take(most.saturating_sub(kept.len()));
        let start: Vec<u32> = start.collect();
        kept.extend(start);
        self.text(&kept)
    }

    /// Returns these lines, with a note for each gap.
    fn text(&self, kept: &BTreeSet<u32>) -> String {
        let mut text = String::new();
        let mut next = self.first;
        for &line in kept {
            if line > next && line - next <= GAP {
                (next..line).for_each(|line| self.push(&mut text, line));
            } else if line > next {
                text += &left_out(next, line - 1);
            }
            self.push(&mut text, line);
            next = line + 1;
        }
        let end = self.first + self.lines.len() as u32;
        if next < end {
            text += &left_out(next, end - 1);
        }
        text
    }

    fn push(&self, text: &mut String, line: u32) {
        text.push_str(&self.lines[(line - self.first) as usize]);
        text.push('\n');
    }
}

/// Returns the number of leading lines that fit into `tokens` tokens, at least one if there is any.
pub(super) fn fitting_lines(lines: &[String], tokens: usize) -> usize {
    let mut left = tokens;
    let fits = |(at, line): &(usize, &String)| {
        let cost = count_tokens(line) + 1;
        let fits = cost <= left || *at == 0;
        left = left.saturating_sub(cost);
        fits
    };
    lines.iter().enumerate().take_while(fits).count()
}

/// Appends what an answer lacks.
pub(super) fn with_notes(text: String, notices: &[String]) -> String {
    text + &notices.iter().map(|line| format!("note: {line}\n")).collect::<String>()
}

/// Returns the note for lines that are left out.
pub(super) fn left_out(first: u32, last: u32) -> String {
    if first == last { format!("[line {first}]\n") } else { format!("[lines {first}-{last}]\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: u32) -> Vec<String> {
        (1..=count).map(|line| format!("    step_{line}()")).collect()
    }

    #[test]
    fn short_code_is_printed_as_written() {
        let lines = lines(3);
        let code = Code { lines: &lines, first: 10, head: 10, deciding: &[11] };
        let (text, is_whole) = code.fitting(1_000).expect("it fits");
        assert_eq!((text.as_str(), is_whole), ("    step_1()\n    step_2()\n    step_3()\n", true));
    }

    #[test]
    fn long_code_keeps_its_head_and_decisive_lines() {
        let lines = lines(200);
        let code = Code { lines: &lines, first: 1, head: 1, deciding: &[150] };
        let (text, is_whole) = code.fitting(300).expect("an excerpt fits");
        assert!(!is_whole && text.starts_with("    step_1()\n"), "{text}");
        assert!(text.contains("step_150()") && text.contains("[lines "), "{text}");
        assert!(count_tokens(&text) <= 150, "{text}");
        assert_eq!(code.fitting(3), None);
    }
}
