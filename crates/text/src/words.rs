//! Splits identifiers and prose into words.
//!
//! `HTTPServerError`, `http_server_error` and `http-server-error` are split into `http server
//! error`. The first two also produce the whole word `httpservererror`, so that an identifier
//! pasted into a question matches its definition regardless of its spelling. Words are in lower
//! case and not stemmed.
//!
//! **Cost:** one pass, with one buffer as the only allocation per call. [`super::Stemmer`] caches
//! names, so most names are split only once.
//!
//! **Tested by:** `tests/words.rs`, against a reference implementation on random text.

use std::ops::Range;

/// Maximum length of a word in bytes. Longer words are hashes or encoded data, and are dropped.
pub const LONGEST_WORD: usize = 48;

/// Calls `emit` with every word of `text`, in order. For an identifier with several parts, it emits
/// the parts and then the whole identifier.
pub fn words(text: &str, mut emit: impl FnMut(&str)) {
    let mut buffer = String::new();
    names(text).for_each(|name| name_words(name, &mut buffer, &mut emit));
}

/// Calls `emit` with every word of `text`, in order and in lower case. For an identifier, it emits
/// only the parts.
pub fn plain_words(text: &str, mut emit: impl FnMut(&str)) {
    let mut buffer = String::new();
    for part in names(text).flat_map(parts) {
        lower(part, &mut buffer);
        if buffer.len() <= LONGEST_WORD {
            emit(&buffer);
        }
    }
}

/// Returns the byte range of every word of `text`, in order. For an identifier, it returns only the
/// parts.
pub fn word_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    name_ranges(text).flat_map(move |name| {
        parts(&text[name.clone()]).map(move |part| {
            let start = part.as_ptr() as usize - text.as_ptr() as usize;
            start..start + part.len()
        })
    })
}

/// Returns the offsets at which `name` occurs in `text` as a whole word.
pub fn occurrences<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let is_whole =
        move |at: &usize| !is_part(text[..*at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next());
    text.match_indices(name).map(|(at, _)| at).filter(is_whole)
}

/// Returns the maximal runs of letters, digits and underscores in a string.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    name_ranges(text).map(|range| &text[range])
}

/// Returns the byte ranges of the maximal runs of letters, digits and underscores in a string.
pub(super) fn name_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = seek(text, end, true);
        end = seek(text, start, false);
        (start < end).then_some(start..end)
    })
}

/// Returns the first offset at or after `at` that is inside a word, or outside one if `inside` is
/// false. Returns the length of the text if there is none.
fn seek(text: &str, mut at: usize, inside: bool) -> usize {
    let stop = if inside { Byte::Inside } else { Byte::Outside };
    while let Some(&byte) = text.as_bytes().get(at) {
        let kind = BYTES[usize::from(byte)];
        if kind == stop {
            break;
        }
        // Most text is ASCII, and needs no decoding.
        at += match kind {
            Byte::Part => match text[at..].chars().next() {
                Some(c) if is_word(c) == inside => break,
                c => c.map_or(1, char::len_utf8),
            },
            _ => 1,
        };
    }
    at
}

/// The class of a byte: inside a word, outside a word, or undecided.
#[derive(Clone, Copy, PartialEq)]
enum Byte {
    Inside,
    Outside,
    /// Part of a multi-byte character, which must be decoded.
    Part,
}

static BYTES: [Byte; 256] = {
    let mut bytes = [Byte::Part; 256];
    let mut at = 0;
    while at < 128 {
        let byte = at as u8;
        bytes[at] = if byte.is_ascii_alphanumeric() || byte == b'_' { Byte::Inside } else { Byte::Outside };
        at += 1;
    }
    bytes
};

/// Returns the parts of an identifier, in lower case: `parseHTTPDate2` gives `parse http date2`.
pub fn split_identifier(identifier: &str) -> Vec<String> {
    parts(identifier).map(str::to_lowercase).collect()
}

/// Returns the text up to the end of its first sentence or paragraph.
pub fn first_sentence(text: &str) -> &str {
    let text = text.trim_start();
    let paragraph = text.find("\n\n").unwrap_or(text.len());
    let mut from = 0;
    while let Some(at) = text[from..paragraph].find(". ").or_else(|| text[from..paragraph].find(".\n")) {
        let end = from + at;
        // "e.g. " and "i.e. " do not end a sentence.
        if text[..end].ends_with("e.g") || text[..end].ends_with("i.e") {
            from = end + 2;
            continue;
        }
        return &text[..=end];
    }
    &text[..paragraph]
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Calls `emit` with the words of one name. `buffer` is scratch space.
pub(super) fn name_words(name: &str, buffer: &mut String, emit: &mut impl FnMut(&str)) {
    let mut count = 0;
    for part in parts(name) {
        count += 1;
        lower(part, buffer);
        if buffer.len() <= LONGEST_WORD {
            emit(buffer);
        }
    }
    if count > 1 {
        buffer.clear();
        for part in parts(name) {
            part.chars().flat_map(char::to_lowercase).for_each(|c| buffer.push(c));
        }
        if buffer.len() <= LONGEST_WORD {
            emit(buffer);
        }
    }
}

fn lower(part: &str, buffer: &mut String) {
    buffer.clear();
    if part.is_ascii() {
        buffer.push_str(part);
        buffer.make_ascii_lowercase();
    } else {
        part.chars().flat_map(char::to_lowercase).for_each(|c| buffer.push(c));
    }
}

/// Splits a name at underscores, between a lower-case and an upper-case letter (`camelCase`),
/// before the last capital in a run of capitals (`HTTPServer`), and between digits and letters
/// (`sha256Sum`). Digits stay with the letters before them (`utf8`).
fn parts(run: &str) -> impl Iterator<Item = &str> {
    let mut rest = run;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches('_');
        if rest.is_empty() {
            return None;
        }
        let end = part_end(rest);
        let (part, tail) = rest.split_at(end);
        rest = tail;
        Some(part)
    })
}

fn part_end(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let mut previous = '_';
    while let Some((at, c)) = chars.next() {
        if at > 0 {
            let next = chars.peek().map(|&(_, n)| n);
            let camel = previous.is_lowercase() && c.is_uppercase();
            let acronym = previous.is_uppercase() && c.is_uppercase() && next.is_some_and(char::is_lowercase);
            let after_digits = previous.is_numeric() && c.is_alphabetic();
            if c == '_' || camel || acronym || after_digits {
                return at;
            }
        }
        previous = c;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        words(text, |w| out.push(w.to_owned()));
        out
    }

    #[test]
    fn identifier_yields_its_parts_and_itself() {
        assert_eq!(all("HTTPServerError"), ["http", "server", "error", "httpservererror"]);
        assert_eq!(all("http_server_error"), ["http", "server", "error", "httpservererror"]);
        assert_eq!(all("_private"), ["private"]);
        assert_eq!(all("sha256"), ["sha256"]);
        assert_eq!(all("base64Decode"), ["base64", "decode", "base64decode"]);
    }

    #[test]
    fn prose_yields_its_words() {
        assert_eq!(all("Split it, at \"--\" (once)."), ["split", "it", "at", "once"]);
    }

    #[test]
    fn drops_long_runs() {
        assert!(all(&"a".repeat(LONGEST_WORD + 1)).is_empty());
    }

    #[test]
    fn first_sentence_ends_at_a_full_stop_or_a_blank_line() {
        assert_eq!(first_sentence("Parse it. Then stop."), "Parse it.");
        assert_eq!(first_sentence("Parse it, e.g. twice. Stop."), "Parse it, e.g. twice.");
        assert_eq!(first_sentence("Parse it\n\nMore."), "Parse it");
    }
}
