//! Finds the functions whose name occurs anywhere, in code, strings, templates or plain text.

use super::names::{separator_stripped, words_in};
use super::sides::Sides;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use whichfn_index::store::DefinitionRow;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::{DefinitionKind, Language};

/// Minimum number of letters of a string that a function may put a name together from. Shorter ones,
/// such as `"_"`, begin too many names.
const LEAST_LETTERS: usize = 3;

/// Checks whether a name is that of a member of another module or object, by the text before it:
/// `unix::` in `unix::spawn`, but not `self.` in `self.spawn`.
fn is_qualified(language: &Language, before: &str) -> bool {
    let receivers = &language.spec.scopes.receivers;
    separator_stripped(before).is_some_and(|object| !receivers.iter().any(|receiver| object.ends_with(&receiver[..])))
}

/// What the occurrence of a word shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// The word followed by a value begins the name: `_run_` in `f"_run_{name}"`.
    Start,
    /// In the file of the function, the word followed by a value begins the name: `parse` in
    /// `'parse' + name`. As an argument, a word with an underscore may do so in any file.
    OwnStart,
    /// In the file of the function, a value followed by the word is the name: `Handler` in
    /// `name + 'Handler'`.
    OwnEnd,
}

/// Returns the candidates whose name occurs anywhere outside the function itself. A file that has a
/// function of that name of its own, outside types, means that one, unless the candidate is a
/// method or the name is qualified. A name also occurs where the preprocessor puts it together from
/// parts, and where a string begins or ends it.
pub(super) fn mentioned(sides: &Sides<'_>, candidates: &[DefinitionId]) -> FxHashSet<DefinitionId> {
    let graph = sides.graph;
    let signs = |file| sides.language(file).map_or("", |language| &language.spec.api.paste_sign[..]);
    let mut by_word: FxHashMap<&str, Vec<(DefinitionId, Part)>> = FxHashMap::default();
    for &id in candidates {
        let name = word_of(graph.name(id));
        by_word.entry(name).or_default().push((id, Part::Whole));
        // The preprocessor puts names together with its sign only.
        if signs(graph.definition(id).file).is_empty() {
            for (word, part) in parts(name) {
                by_word.entry(word).or_default().push((id, part));
            }
        }
    }
    let in_file = |file: FileId| -> Vec<DefinitionId> {
        let text = sides.sources().text(file);
        let is_free = |id: DefinitionId| graph.definition(id).kind() == DefinitionKind::Function;
        let free = graph.functions_of(file).filter(|&id| is_free(id));
        let own: FxHashSet<&str> = free.map(|id| graph.name(id)).collect();
        let mut found = Vec::new();
        for word in words_in(&text) {
            for &(id, part) in by_word.get(&text[word.clone()]).into_iter().flatten() {
                let row = graph.definition(id);
                let is_inside = row.file == file && own_range(&text, row).contains(&word.start);
                let is_other = row.file != file
                    && is_free(id)
                    && own.contains(graph.name(id))
                    && !sides.language(file).is_some_and(|language| is_qualified(language, &text[..word.start]));
                let is_meant = match part {
                    Part::Whole => !is_inside && !is_other,
                    Part::Start => !is_inside,
                    Part::OwnStart | Part::OwnEnd if is_argument(&text, &word) => {
                        let word = &text[word.clone()];
                        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
                        letters >= LEAST_LETTERS && (row.file == file || word.contains('_'))
                    }
                    Part::OwnStart => row.file == file && is_continued(&text[word.end..]),
                    Part::OwnEnd => row.file == file && continues(&text[..word.start]),
                };
                if is_meant {
                    found.push(id);
                }
            }
        }
        for part in pasted_parts(&text, signs(file)) {
            let is_pasted = |id: &&DefinitionId| graph.name(**id).starts_with(part) || graph.name(**id).ends_with(part);
            found.extend(candidates.iter().filter(is_pasted));
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    let files: Vec<FileId> = graph.file_ids().collect();
    if by_word.is_empty() { FxHashSet::default() } else { files.into_par_iter().flat_map_iter(in_file).collect() }
}

/// Returns the bytes of a function. A function that the parser misread may include what follows it:
/// a closing brace with the indentation of the function ends it.
fn own_range(text: &str, row: DefinitionRow) -> Range<usize> {
    let (start, end) = (row.start_byte as usize, row.end_byte as usize);
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let indent = &text[line..start];
    let own = text.get(start..end).unwrap_or_default();
    let close = if indent.trim().is_empty() { own.find(&format!("\n{indent}}}")) } else { None };
    start..close.map_or(end, |at| start + at + 1 + indent.len() + 1)
}

/// Returns the first word of a name: `valid` in `valid?`. Empty if there is none.
pub(super) fn word_of(name: &str) -> &str {
    words_in(name).next().map_or("", |word| &name[word])
}

/// Returns the beginnings and ends of a name that strings may contain, at underscores and capital
/// letters.
fn parts(name: &str) -> Vec<(&str, Part)> {
    let mut parts = Vec::new();
    let mut previous = ' ';
    for (at, c) in name.char_indices() {
        if c == '_' && at + 1 < name.len() {
            parts.push((&name[..=at], if at > 1 { Part::Start } else { Part::OwnStart }));
        }
        if at > 0 && (c == '_' || (c.is_uppercase() && previous.is_lowercase())) {
            parts.push((&name[at..], Part::OwnEnd));
            parts.push((&name[..at], Part::OwnStart));
        }
        previous = c;
    }
    parts
}

/// Checks whether a word is a string that is passed to a function, which may put a name together from
/// it: `dispatch(self, "_apply", ket)`.
fn is_argument(text: &str, word: &Range<usize>) -> bool {
    let quotes = ['"', '\'', '`'];
    let (before, after) = (text[..word.start].strip_suffix(quotes), text[word.end..].strip_prefix(quotes));
    let ends = |after: &str| after.trim_start().starts_with([',', ')']);
    before.is_some_and(|before| before.trim_end().ends_with(['(', ','])) && after.is_some_and(ends)
}

/// Checks whether a value continues a string after a word: `{name}`, `%s`, or a quote and a sign.
fn is_continued(after: &str) -> bool {
    let is_joined = |rest: &str| {
        let rest = rest.trim_start();
        rest.starts_with(['+', '~']) || rest.starts_with("<<") || rest.starts_with(". $") || rest.starts_with(".$")
    };
    after.starts_with(['{', '%', '$', '#']) || after.strip_prefix(['"', '\'', '`']).is_some_and(is_joined)
}

/// Checks whether a word in a string continues a value: `{name}`, or a sign and a quote.
fn continues(before: &str) -> bool {
    let is_joined = |rest: &str| rest.trim_end().ends_with(['+', '.', '~']);
    before.ends_with('}') || before.strip_suffix(['"', '\'', '`']).is_some_and(is_joined)
}

/// Returns the parts of names before and after each sign that puts names together: `fs__` in
/// `fs__##name`. Parts of fewer than three characters are left out, because they fit most names.
fn pasted_parts<'t>(text: &'t str, sign: &str) -> Vec<&'t str> {
    if sign.is_empty() {
        return Vec::new();
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut parts: Vec<&str> = Vec::new();
    for (at, _) in text.match_indices(sign) {
        let (before, after) = (text[..at].trim_end(), text[at + sign.len()..].trim_start());
        parts.push(&before[before.trim_end_matches(is_part).len()..]);
        parts.push(&after[..after.len() - after.trim_start_matches(is_part).len()]);
    }
    parts.retain(|part| part.len() > 2);
    parts.sort_unstable();
    parts.dedup();
    parts
}
