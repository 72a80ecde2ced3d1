//! YAML and JSON: the values of key paths, by indentation. A value with few lines is one passage, and
//! a longer one is split into its parts.
//!
//! Nothing is evaluated: an alias is only a word, however often it would be expanded.

use super::{HeadingChain, LONGEST_PASSAGE, Section, has_word, indent};

/// Maximum number of levels that are split. Deeper values are split into blocks of lines.
pub(super) const DEEPEST: usize = 12;

pub(super) fn sections(lines: &[&str]) -> Vec<Section> {
    let mut sections = Vec::new();
    split(lines, (0, lines.len()), &HeadingChain::default(), &mut sections);
    sections
}

/// Splits the lines from `start` to `end` (0-based, exclusive), the value of the keys in `path`.
fn split(lines: &[&str], (start, end): (usize, usize), path: &HeadingChain, sections: &mut Vec<Section>) {
    let depth = path.0.len();
    let parts = match end - start <= LONGEST_PASSAGE || depth >= DEEPEST {
        true => Vec::new(),
        // The first line of a value is its key.
        false => parts(lines, (start + usize::from(depth > 0), end)),
    };
    if parts.len() < 2 && parts.first().is_none_or(|part| part.1 == end && part.0 == start) {
        sections.push(Section { start, end, headings: path.titles() });
        return;
    }
    // The key is in the path of every part.
    let mut single = start + usize::from(depth > 0);
    for &(from, to, key) in &parts {
        if to - from > 1 {
            push(sections, (single.min(from), from), path);
            single = to;
            let mut inner = HeadingChain(path.0.clone());
            inner.open(depth + 1, name(lines[key]));
            if inner.0.len() == depth {
                // Without a name of its own, a part is not split again.
                push(sections, (from, to), path);
            } else {
                split_part(lines, (from, to, key), &inner, sections);
            }
        }
    }
    push(sections, (single, end), path);
}

/// Splits a part whose key is at line `key`, after the comments above it.
fn split_part(
    lines: &[&str],
    (from, to, key): (usize, usize, usize),
    path: &HeadingChain,
    sections: &mut Vec<Section>,
) {
    if to - from <= LONGEST_PASSAGE {
        return push(sections, (from, to), path);
    }
    push(sections, (from, key), path);
    split(lines, (key, to), path, sections);
}

fn push(sections: &mut Vec<Section>, (start, end): (usize, usize), path: &HeadingChain) {
    if end > start {
        sections.push(Section { start, end, headings: path.titles() });
    }
}

/// Returns the parts on the outermost level of a range of lines: the first line with its comments,
/// the line after the last one, and the line of the key.
fn parts(lines: &[&str], (start, end): (usize, usize)) -> Vec<(usize, usize, usize)> {
    let is_content = |line: &&str| has_word(line) && !is_comment(line);
    let Some(outermost) = lines[start..end].iter().filter(|line| is_content(line)).map(|line| indent(line)).min()
    else {
        return Vec::new();
    };
    let is_here = |at: &usize| is_content(&lines[*at]) && indent(lines[*at]) == outermost;
    let is_item = |at: &usize| lines[*at].trim_start().starts_with("- ");
    let has_keys = (start..end).any(|at| is_here(&at) && !is_item(&at));
    let keys: Vec<usize> = (start..end).filter(is_here).filter(|at| !has_keys || !is_item(at)).collect();
    let mut parts: Vec<(usize, usize, usize)> = Vec::with_capacity(keys.len());
    let mut least = start;
    for (place, &key) in keys.iter().enumerate() {
        let from = (least..key).rev().take_while(|&above| is_comment(lines[above])).last().unwrap_or(key);
        if place > 0
            && let Some(before) = parts.last_mut()
        {
            before.1 = from;
        }
        parts.push((from, end, key));
        least = key + 1;
    }
    parts
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with(['#', '/'])
}

/// Returns the key of a line, or the text of a list item.
fn name(line: &str) -> &str {
    let line = line.trim();
    let item = line.trim_start_matches("- ");
    let key = match item.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        Some((key, _)) => key,
        None => item.split_once(": ").map_or_else(|| item.trim_end_matches(':'), |(key, _)| key),
    };
    match (line.len() > item.len(), item.split_once(": ")) {
        // `- name: Build` is the item called Build.
        (true, Some((_, value))) => value.trim_matches(['"', '\'', ',']),
        _ => key.trim_matches(['"', '\'', ',', '{', '[', ' ']),
    }
}
