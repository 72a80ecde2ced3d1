//! Positions in the form that the protocol uses: URIs for files, 0-based lines and columns, the
//! latter in UTF-16 units.

use serde_json::{Value, json};
use std::ops::Range;
use std::path::Path;
use whichfn_search::answer::Place;
use whichfn_text::{file_uri, path_from_text};

/// Returns the 0-based column of a byte in a line, in UTF-16 units.
pub(super) fn utf16(line: &str, byte: usize) -> u32 {
    let before = line.char_indices().take_while(|(at, _)| *at < byte);
    before.map(|(_, c)| c.len_utf16() as u32).sum()
}

/// Returns the byte offset of a column: the start of the character that contains it, or the end of
/// a shorter line.
pub(super) fn byte(line: &str, utf16: u32) -> usize {
    let mut at = 0;
    for (byte, c) in line.char_indices() {
        at += c.len_utf16() as u32;
        if at > utf16 {
            return byte;
        }
    }
    line.len()
}

/// Returns the range of bytes in a line; the line `number` is 1-based.
pub(super) fn in_line(number: u32, line: &str, bytes: &Range<usize>) -> Value {
    let place = |byte: usize| json!({"line": number.max(1) - 1, "character": utf16(line, byte)});
    json!({"start": place(bytes.start), "end": place(bytes.end)})
}

/// Returns the range of the name at a place.
pub(super) fn range(place: &Place) -> Value {
    let at = |column: u32| json!({"line": place.line.max(1) - 1, "character": column});
    json!({"start": at(place.utf16.0), "end": at(place.utf16.1)})
}

/// Returns the range of whole lines, both inclusive and 1-based.
pub(super) fn lines(first: u32, last: u32) -> Value {
    json!({"start": {"line": first.max(1) - 1, "character": 0}, "end": {"line": last, "character": 0}})
}

/// Returns the URI of a file of a repository.
pub(super) fn uri(root: &Path, path: &str) -> String {
    file_uri(&root.join(path_from_text(path)))
}

/// Returns the name around a byte of a line; `None` if there is no name.
pub(super) fn word_at(line: &str, byte: usize) -> Option<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let start =
        line[..byte].rfind(|c| !is_word(c)).map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
    let end = line[byte..].find(|c| !is_word(c)).map_or(line.len(), |at| byte + at);
    line.get(start..end).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_columns_in_utf16_units() {
        let line = "a👩ö = größe_of(x)";
        assert_eq!([0, 1, 5, 7].map(|byte| utf16(line, byte)), [0, 1, 3, 4]);
        assert_eq!([0, 1, 2, 3, 4, 99].map(|column| byte(line, column)), [0, 1, 1, 5, 7, line.len()]);
        assert_eq!(word_at(line, byte(line, 9)), Some("größe_of"));
        assert_eq!(word_at("a  b", 2), None);
    }

    proptest! {
        #[test]
        fn a_column_leads_back(line in "[aö大👩 ]{0,12}") {
            for (at, _) in line.char_indices() {
                prop_assert_eq!(byte(&line, utf16(&line, at)), at);
                let _ = word_at(&line, at);
            }
        }
    }
}
