//! The position of a name in a text, in the units that editors and terminals use.

use whichfn_text::one_line;

/// The position of a name in its text.
pub(super) struct NamePosition {
    /// 1-based line number.
    pub line: u32,
    /// 1-based column in characters.
    pub column: u32,
    /// 1-based column in bytes.
    pub byte: u32,
    /// Start and end of the name in the line, as 0-based UTF-16 offsets.
    pub utf16: (u32, u32),
    /// Text of the line with its whitespace collapsed.
    pub text: String,
}

impl NamePosition {
    /// Returns the position of `name` at `offset`, which is a character boundary of `text`. Use an
    /// empty name for a position alone.
    pub fn new(text: &str, offset: usize, name: &str) -> Self {
        let begin = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let before = &text[begin..offset];
        let utf16 = before.encode_utf16().count() as u32;
        Self {
            line: memchr::memchr_iter(b'\n', &text.as_bytes()[..begin]).count() as u32 + 1,
            column: before.chars().count() as u32 + 1,
            byte: before.len() as u32 + 1,
            utf16: (utf16, utf16 + name.encode_utf16().count() as u32),
            text: text[begin..].lines().next().map(one_line).unwrap_or_default(),
        }
    }
}
