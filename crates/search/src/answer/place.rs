//! Positions in files, in the units that editors and terminals use.

use whichfn_text::one_line;

/// A position in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// File path, relative to the root.
    pub path: String,
    /// 1-based line number; 0 for the file as a whole.
    pub line: u32,
    /// 1-based column in characters; 0 for the line as a whole.
    pub column: u32,
    /// 1-based column in bytes; 0 for the line as a whole.
    pub byte: u32,
    /// Start and end of the name at this position in the line, as 0-based UTF-16 offsets.
    pub utf16: (u32, u32),
    /// Text of the line with its whitespace collapsed; empty if the file has changed since indexing.
    pub text: String,
}

impl Place {
    /// Creates the place of a line, without its text; 0 for the file as a whole.
    pub fn of_line(path: &str, line: u32) -> Self {
        Self { path: path.to_owned(), line, ..Self::default() }
    }

    /// Returns the place of `name` at `offset`, which is a character boundary of `text`. Use an empty
    /// name for a position alone.
    pub(super) fn of_name(path: &str, text: &str, offset: usize, name: &str) -> Self {
        let begin = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let before = &text[begin..offset];
        let utf16 = before.encode_utf16().count() as u32;
        Self {
            path: path.to_owned(),
            line: memchr::memchr_iter(b'\n', &text.as_bytes()[..begin]).count() as u32 + 1,
            column: before.chars().count() as u32 + 1,
            byte: before.len() as u32 + 1,
            utf16: (utf16, utf16 + name.encode_utf16().count() as u32),
            text: text[begin..].lines().next().map(one_line).unwrap_or_default(),
        }
    }
}
