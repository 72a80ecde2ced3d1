//! TOML, INI and similar formats: tables with the comments above them.

use super::{HeadingChain, Section};

pub(super) fn sections(lines: &[&str]) -> Vec<Section> {
    let mut sections = Vec::new();
    let (mut start, mut headings, mut string) = (0, Vec::new(), None);
    for (at, line) in lines.iter().enumerate() {
        string = open_string(line, string);
        if string.is_some() {
            continue;
        }
        let Some(name) = table_name(line) else { continue };
        let above = comments_above(lines, at, start);
        sections.push(Section { start, end: above, headings });
        (start, headings) = (above, key_path(name));
    }
    sections.push(Section { start, end: lines.len(), headings });
    sections.retain(|section| section.end > section.start);
    sections
}

/// Returns the quotation marks of the multi-line string that is open after a line.
fn open_string(line: &str, open: Option<&'static str>) -> Option<&'static str> {
    match open {
        Some(mark) => (line.matches(mark).count() % 2 == 0).then_some(mark),
        None => ["\"\"\"", "'''"].into_iter().find(|mark| line.matches(mark).count() % 2 == 1),
    }
}

/// Returns the name in `[name]` or `[[name]]`.
fn table_name(line: &str) -> Option<&str> {
    let line = line.trim();
    let inner = line.strip_prefix('[')?;
    let inner = inner.strip_prefix('[').unwrap_or(inner);
    let (name, rest) = inner.split_once(']')?;
    let rest = rest.trim_start_matches(']').trim_start();
    let is_header =
        !name.trim().is_empty() && !name.contains(['=', ',']) && (rest.is_empty() || rest.starts_with(['#', ';']));
    is_header.then(|| name.trim())
}

/// Splits a name at the dots outside quotation marks.
fn key_path(name: &str) -> Vec<String> {
    let mut chain = HeadingChain::default();
    let (mut start, mut quote) = (0, None);
    for (at, c) in name.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '.' => {
                chain.open(chain.0.len() + 1, name[start..at].trim_matches(['"', '\'', ' ']));
                start = at + 1;
            }
            None => {}
        }
    }
    chain.open(chain.0.len() + 1, name[start..].trim_matches(['"', '\'', ' ']));
    chain.titles()
}

/// Returns the number of the first comment line directly above a line, but not before `least`.
pub(super) fn comments_above(lines: &[&str], at: usize, least: usize) -> usize {
    let is_comment = |line: &str| line.trim_start().starts_with(['#', ';']);
    (least..at).rev().take_while(|&above| is_comment(lines[above])).last().unwrap_or(at)
}
