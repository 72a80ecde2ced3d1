//! Reads names, paths and signs in text.

use std::ops::Range;
use whichfn_text::occurrences;

/// Maximum number of names in a chain of member accesses.
pub(super) const MAX_CHAIN: usize = 6;

/// Returns the byte ranges of the maximal runs of letters, digits and underscores.
pub(super) fn words_in(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut characters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let (start, _) = characters.find(|(_, c)| is_part(*c))?;
        let mut end = text.len();
        while let Some(&(at, c)) = characters.peek() {
            if !is_part(c) {
                end = at;
                break;
            }
            characters.next();
        }
        Some(start..end)
    })
}

/// Returns the names before a name in a chain of member accesses: `a` and `b` in `a.b.name`.
/// Returns `None` if the name is a member of something else, such as a call's result.
pub(super) fn chain_before(text: &str, at: usize) -> Option<Vec<&str>> {
    let mut chain = Vec::new();
    let mut before = text.get(..at)?;
    while let Some(rest) = separator_stripped(before) {
        let start = rest.char_indices().rev().take_while(|(_, c)| is_name_character(*c)).last().map(|(at, _)| at)?;
        chain.push(&rest[start..]);
        before = &rest[..start];
        if chain.len() > MAX_CHAIN {
            return None;
        }
    }
    chain.reverse();
    Some(chain)
}

/// Returns a path without the ending of the file's name.
pub(super) fn without_ending(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// Returns the path of a file's directory.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the text before a separator that a text ends with: `a.b` in `a.b.`.
pub(super) fn separator_stripped(before: &str) -> Option<&str> {
    let rest = ["::", "->", "?.", ".", "\\"].iter().find_map(|separator| before.strip_suffix(separator))?;
    // A range or a spread is no access: `0..LIMIT`, `...items`.
    (!rest.ends_with('.')).then_some(rest)
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '@'
}

/// Checks whether the object of a method call may have a type, by their names: `config` and
/// `HtmlConfig`. `call` is the text of the call.
pub(super) fn may_have_type(call: &str, method: &str, type_name: &str) -> bool {
    let Some(at) = occurrences(call, method).last() else { return false };
    let object = call[..at].trim_end_matches(['.', '?', ':', '-', '>', '!', ' ', '\n', '\t']);
    let object = object.trim_end_matches([')', '(', '_']);
    let last = object.rsplit(|c: char| !is_name_character(c)).next().unwrap_or_default();
    let (object, type_name) = (last.replace(['_', '$', '@'], "").to_lowercase(), type_name.to_lowercase());
    object.len() > 1 && (type_name.contains(&object) || object.contains(&type_name))
}

/// Returns the offset of a sign outside brackets.
pub(super) fn outside_brackets(text: &str, sign: &str) -> Option<usize> {
    let mut depth = 0_i32;
    text.char_indices().find_map(|(at, c)| {
        let is_here = depth == 0 && text[at..].starts_with(sign);
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        is_here.then_some(at)
    })
}

/// Returns the number of the line at an offset, starting at 1.
pub(super) fn line_at(text: &str, offset: usize) -> u32 {
    1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..offset]).count() as u32
}

/// Returns the text of a line, by its number.
pub(super) fn line_text(text: &str, line: u32) -> &str {
    text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default()
}
