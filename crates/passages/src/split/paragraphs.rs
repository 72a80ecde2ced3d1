//! Splits a long section into blocks of lines.

use super::{LONGEST_PASSAGE, has_word, is_blank};

/// Returns the blocks of lines from `start` to `end` (0-based, exclusive), without empty lines
/// around them. A block has at most [`LONGEST_PASSAGE`] lines. It ends at the last empty line that
/// leaves it at least half full, or else at the limit. Blocks without any word are left out.
pub(super) fn blocks(lines: &[&str], mut start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut blocks = Vec::new();
    while start < end {
        let limit = end.min(start + LONGEST_PASSAGE);
        let at = match limit == end {
            true => end,
            false => (start + LONGEST_PASSAGE / 2..limit).rev().find(|&at| is_blank(lines[at])).unwrap_or(limit),
        };
        let block = &lines[start..at];
        if let Some(first) = block.iter().position(|line| !is_blank(line))
            && block.iter().any(|line| has_word(line))
        {
            let last = block.iter().rposition(|line| !is_blank(line)).unwrap_or(first);
            blocks.push((start + first, start + last + 1));
        }
        start = at;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_section_is_split_at_an_empty_line_in_its_second_half() {
        let mut lines = vec!["words"; 100];
        lines[10] = "";
        lines[30] = "";
        assert_eq!(blocks(&lines, 0, 100), [(0, 30), (31, 70), (70, 100)]);
    }

    #[test]
    fn blocks_without_words_are_left_out() {
        assert_eq!(blocks(&["", "a", "", ""], 0, 4), [(1, 2)]);
        assert!(blocks(&["---", "==="], 0, 2).is_empty());
    }
}
