//! reStructuredText and plain text: sections between underlined titles, and descriptions of objects
//! (`.. confval:: NAME` with indented lines below).

use super::{Section, SectionBuilder, indent, is_blank};
use std::sync::LazyLock;
use whichfn_text::word_list;

/// Directives that describe one object: a setting, an option, or a part of an interface.
static DESCRIPTIONS: LazyLock<Vec<&str>> = LazyLock::new(|| word_list(include_str!("rst_descriptions.txt")));

/// Level of the heading of a description: below all titles.
const DESCRIPTION_LEVEL: usize = 1_000;

pub(super) fn sections(lines: &[&str]) -> Vec<Section> {
    let mut builder = SectionBuilder::default();
    // Underlines, with or without a line above the title, in the order of their first use.
    let mut styles: Vec<(char, bool)> = Vec::new();
    let (mut at, mut in_description) = (0, false);
    while at < lines.len() {
        if let Some(title) = title_at(lines, at) {
            let level = styles.iter().position(|style| *style == title.style).unwrap_or(styles.len());
            if level == styles.len() {
                styles.push(title.style);
            }
            builder.open(lines, at, title.lines, (level + 1, &without_roles(title.text)));
            at += title.lines;
            in_description = false;
            continue;
        }
        if let Some(name) = description_at(lines, at) {
            builder.open(lines, at, 1, (DESCRIPTION_LEVEL, name));
            in_description = true;
        } else if in_description && !is_blank(lines[at]) && indent(lines[at]) == 0 {
            // The text after a description belongs to the section around it.
            builder.open(lines, at, 0, (DESCRIPTION_LEVEL, ""));
            in_description = false;
        }
        at += 1;
    }
    builder.finish(lines)
}

/// Maximum length of the name of a role in characters, so that long titles take linear time.
const LONGEST_ROLE: usize = 64;

/// Returns a title without the names of roles: ":setting:`DEBUG`" gives "DEBUG".
fn without_roles(title: &str) -> String {
    let mut plain = String::with_capacity(title.len());
    for (number, part) in title.split(":`").enumerate() {
        if number > 0 {
            let mut before = plain.char_indices().rev().take(LONGEST_ROLE);
            let role = before.find(|(_, c)| *c == ':' || c.is_whitespace()).filter(|(_, c)| *c == ':');
            role.into_iter().for_each(|(at, _)| plain.truncate(at));
        }
        plain.push_str(part);
    }
    plain
}

struct Title<'t> {
    text: &'t str,
    /// The underline's character, and whether there is a line above the title.
    style: (char, bool),
    lines: usize,
}

/// Returns the title that starts at a line.
fn title_at<'t>(lines: &[&'t str], at: usize) -> Option<Title<'t>> {
    let rule = |at: usize| lines.get(at).and_then(|line| rule(line));
    let text = |at: usize| lines.get(at).copied().filter(|line| !is_blank(line) && super::has_word(line));
    let starts = at == 0 || is_blank(lines[at - 1]) || lines[at - 1].starts_with("..");
    if !starts {
        return None;
    }
    if let (Some(over), Some(title), Some(under)) = (rule(at), text(at + 1), rule(at + 2)) {
        return (over == under).then_some(Title { text: title, style: (over.0, true), lines: 3 });
    }
    let (title, (mark, length)) = (text(at)?, rule(at + 1)?);
    let fits = length >= title.trim_end().chars().count().min(4) && length >= 3;
    let ends = lines.get(at + 2).is_none_or(|line| is_blank(line) || indent(line) == 0);
    (fits && ends && indent(title) == 0 && self::rule(title).is_none()).then_some(Title {
        text: title,
        style: (mark, false),
        lines: 2,
    })
}

/// Returns the character and the length of a line that consists of one repeated punctuation
/// character.
fn rule(line: &str) -> Option<(char, usize)> {
    let line = line.trim_end();
    let mark = line.chars().next().filter(char::is_ascii_punctuation)?;
    (line.len() >= 3 && line.chars().all(|c| c == mark)).then_some((mark, line.len()))
}

/// Returns the name in `.. confval:: NAME`, if indented lines follow.
fn description_at<'t>(lines: &[&'t str], at: usize) -> Option<&'t str> {
    let (directive, name) = lines[at].strip_prefix(".. ")?.split_once("::")?;
    let directive = directive.rsplit(':').next()?;
    let name = name.trim();
    let below = lines[at + 1..].iter().find(|line| !is_blank(line))?;
    (DESCRIPTIONS.contains(&directive) && !name.is_empty() && indent(below) > 0).then_some(name)
}
