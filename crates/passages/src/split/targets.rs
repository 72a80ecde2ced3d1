//! Makefiles, justfiles and Dockerfiles: targets and stages, each with the comments above it.

use super::Section;
use super::tables::comments_above;

pub(super) fn makefile(lines: &[&str]) -> Vec<Section> {
    parts(lines, target_name)
}

pub(super) fn dockerfile(lines: &[&str]) -> Vec<Section> {
    parts(lines, stage_name)
}

fn parts<'t>(lines: &[&'t str], name: impl Fn(&'t str) -> Option<&'t str>) -> Vec<Section> {
    let mut sections = Vec::new();
    let (mut start, mut headings, mut least) = (0, Vec::new(), 0);
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = name(line) else { continue };
        let above = comments_above(lines, at, least);
        if above > start {
            sections.push(Section { start, end: above, headings: std::mem::take(&mut headings) });
        }
        (start, headings, least) = (above, vec![super::shortened(name)], at + 1);
    }
    if lines.len() > start {
        sections.push(Section { start, end: lines.len(), headings });
    }
    sections
}

/// Returns the names before the colon of a rule. Assignments and special targets are not rules.
fn target_name(line: &str) -> Option<&str> {
    if line.starts_with([' ', '\t', '#', '.', '-', '}']) || line.contains(":=") {
        return None;
    }
    let (name, _) = line.split_once(':')?;
    let name = name.trim().trim_start_matches('@');
    (!name.is_empty() && !name.contains(['=', '"', '(', '{']) || name.starts_with('$')).then_some(name)
}

/// Returns the name of the stage that `FROM image AS name` starts, or else the image.
fn stage_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().filter(|word| !word.starts_with("--"));
    words.next().filter(|word| word.eq_ignore_ascii_case("from"))?;
    let image = words.next()?;
    let is_named = words.next().is_some_and(|word| word.eq_ignore_ascii_case("as"));
    Some(words.next().filter(|_| is_named).unwrap_or(image))
}
