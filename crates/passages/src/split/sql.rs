//! SQL: statements that end with a semicolon at the end of a line, outside a quoted body (`$$`).

use super::{Section, has_word};

/// Maximum number of words of a statement that name it.
const NAMING_WORDS: usize = 6;

pub(super) fn sections(lines: &[&str]) -> Vec<Section> {
    let mut sections = Vec::new();
    let (mut start, mut in_body) = (0, false);
    for (at, line) in lines.iter().enumerate() {
        in_body ^= line.matches("$$").count() % 2 == 1;
        if !in_body && line.trim_end().ends_with(';') {
            sections.push(Section { start, end: at + 1, headings: name(&lines[start..=at]) });
            start = at + 1;
        }
    }
    if start < lines.len() {
        sections.push(Section { start, end: lines.len(), headings: name(&lines[start..]) });
    }
    sections
}

/// Returns the first words of a statement, up to a parenthesis.
fn name(lines: &[&str]) -> Vec<String> {
    let first = lines.iter().find(|line| has_word(line) && !line.trim_start().starts_with("--"));
    let words = first.map(|line| line.split(['(', ';']).next().unwrap_or_default().split_whitespace());
    let name = words.map(|words| words.take(NAMING_WORDS).collect::<Vec<_>>().join(" ")).unwrap_or_default();
    if name.is_empty() { Vec::new() } else { vec![super::shortened(&name)] }
}
