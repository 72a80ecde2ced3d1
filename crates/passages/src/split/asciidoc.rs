//! AsciiDoc: sections between headings. Lines in literal blocks are not headings.

use super::{Section, SectionBuilder};

pub(super) fn sections(lines: &[&str]) -> Vec<Section> {
    let mut builder = SectionBuilder::default();
    let mut block: Option<&str> = None;
    for (at, line) in lines.iter().enumerate() {
        let line = line.trim_end();
        match block {
            Some(open) if line == open => block = None,
            Some(_) => {}
            None if is_literal_mark(line) => block = Some(line),
            None => {
                let title = line.trim_start_matches('=');
                let level = line.len() - title.len();
                if (1..=6).contains(&level) && title.starts_with(' ') {
                    builder.open(lines, at, 1, (level, title));
                }
            }
        }
    }
    builder.finish(lines)
}

fn is_literal_mark(line: &str) -> bool {
    line.len() >= 4 && ['-', '.', '+', '/'].iter().any(|&mark| line.chars().all(|c| c == mark))
}
