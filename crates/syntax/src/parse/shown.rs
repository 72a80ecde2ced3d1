//! Extracts the parts of a definition that are stored for display: its span, its signature on one
//! line, and the first paragraph of its documentation.

use super::facts::Span;
use crate::tree::Node;
use whichfn_text::file_name;

/// Maximum length of a stored signature in bytes.
pub(super) const SIGNATURE: usize = 240;
/// Maximum length in bytes of documentation that is stored for display. The whole documentation is
/// indexed.
pub(super) const SHOWN_DOC: usize = 480;

pub(super) fn span(start: Node<'_>, end: Node<'_>) -> Span {
    Span {
        start_byte: start.start() as u32,
        end_byte: end.end() as u32,
        start_line: start.first_line() as u32 + 1,
        end_line: end.last_line() as u32 + 1,
    }
}

/// Joins words on one line in the style of a signature, without spaces inside parentheses that are
/// on separate lines in the source. If a word would exceed `longest` bytes (not counting the space
/// before it), the line ends with "…" instead.
pub(super) fn folded(text: &str, longest: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() + word.len() > longest {
            line.push('…');
            break;
        }
        if !line.is_empty() && !line.ends_with('(') && !word.starts_with(')') {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Returns the last name in a type, without type arguments: `Vec` for `Vec<T>`, `Display` for
/// `fmt::Display`, `Foo` for `&'a mut Foo`.
pub(super) fn plain_type_name(text: &str) -> &str {
    let text = text.split(['<', '[', '(']).next().unwrap_or(text).trim();
    let last = text.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).find(|part| !part.is_empty());
    last.unwrap_or(text)
}

pub(super) fn display_doc(doc: &str) -> String {
    let paragraph = doc.trim().split("\n\n").next().unwrap_or_default();
    folded(paragraph, SHOWN_DOC)
}

pub(super) fn file_stem(path: &str) -> &str {
    let name = file_name(path);
    name.split('.').next().unwrap_or(name)
}
