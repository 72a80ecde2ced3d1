//! Windows of 20 lines, where consecutive windows overlap by 10.
//!
//! A window is therefore two blocks of 10 lines, and words are stored by block, so each is stored
//! once.

use whichfn_syntax::varint;
use whichfn_text::after_breaks;

/// Number of lines of a block.
pub const BLOCK_LINES: u32 = 10;
/// Number of lines of a window (FragRel, section 4.1: window 20, slice 10).
pub const WINDOW_LINES: u32 = 2 * BLOCK_LINES;

/// Returns the number of blocks of a file with `lines` lines; the last block may be short.
pub fn blocks_in(lines: u32) -> u32 {
    lines.div_ceil(BLOCK_LINES)
}

/// Returns the number of windows of a file with `lines` lines. No window is entirely inside
/// another, so a short file has one.
pub fn windows_in(lines: u32) -> u32 {
    match blocks_in(lines) {
        0 => 0,
        blocks => (blocks - 1).max(1),
    }
}

/// Returns the first and last line of a window. Line numbers start at 1.
pub fn window_lines(lines: u32, window: u32) -> (u32, u32) {
    let start = window * BLOCK_LINES + 1;
    (start, (start + WINDOW_LINES - 1).min(lines))
}

/// Ends of the lines of a file: the offset of the byte after each line's line break.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineEnds(Vec<u32>);

impl LineEnds {
    /// Finds the line ends of a string.
    pub fn new(text: &str) -> Self {
        let mut ends: Vec<u32> = after_breaks(text).map(|end| end as u32).collect();
        if !text.is_empty() && !text.ends_with('\n') {
            ends.push(text.len() as u32);
        }
        Self(ends)
    }

    /// Unpacks bytes from [`LineEnds::pack`].
    pub fn unpack(mut bytes: &[u8]) -> Self {
        let mut at = 0;
        Self(
            std::iter::from_fn(|| varint::read(&mut bytes))
                .map(|length| {
                    // Only damaged bytes add up to more than a file can have.
                    at = length.saturating_add(at);
                    at
                })
                .collect(),
        )
    }

    /// Packs the lengths of all lines: one byte for most.
    pub fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.0.len() + 16);
        let mut last = 0;
        for &end in &self.0 {
            varint::write(&mut out, end - last);
            last = end;
        }
        out
    }

    /// Returns the number of lines.
    pub fn count(&self) -> u32 {
        self.0.len() as u32
    }

    /// Returns the byte range of the lines `first..=last`, truncated at the end of the file. Line
    /// numbers start at 1.
    pub fn bytes(&self, first: u32, last: u32) -> (u32, u32) {
        let end = |line: u32| match line {
            0 => 0,
            line => self.0.get(line as usize - 1).or(self.0.last()).copied().unwrap_or(0),
        };
        (end(first.saturating_sub(1)), end(last))
    }

    /// Returns the line that contains a byte. Line numbers start at 1.
    pub fn line(&self, byte: u32) -> u32 {
        self.0.partition_point(|&end| end <= byte) as u32 + 1
    }

    /// Returns the byte after each block, in order.
    pub fn blocks(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.chunks(BLOCK_LINES as usize).filter_map(|lines| lines.last()).map(|&end| end as usize)
    }

    /// Returns the byte range of each window, in order.
    pub fn windows(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..windows_in(self.count())).map(|window| {
            let (first, last) = window_lines(self.count(), window);
            self.bytes(first, last)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(lines: u32) -> Vec<(u32, u32)> {
        (0..windows_in(lines)).map(|window| window_lines(lines, window)).collect()
    }

    #[test]
    fn windows_overlap_by_ten_lines_and_cover_the_file() {
        assert_eq!(all(0), []);
        assert_eq!(all(1), [(1, 1)]);
        assert_eq!(all(20), [(1, 20)]);
        assert_eq!(all(21), [(1, 20), (11, 21)]);
        assert_eq!(all(40), [(1, 20), (11, 30), (21, 40)]);
    }

    #[test]
    fn line_ranges_include_line_breaks() {
        let ends = LineEnds::new("one\r\ntwo\n\nfour");
        assert_eq!(
            (ends.count(), ends.bytes(1, 1), ends.bytes(2, 3), ends.bytes(4, 9)),
            (4, (0, 5), (5, 10), (10, 14))
        );
        assert_eq!([ends.line(0), ends.line(4), ends.line(5), ends.line(13)], [1, 1, 2, 4]);
        assert_eq!(LineEnds::unpack(&ends.pack()), ends);
    }
}
