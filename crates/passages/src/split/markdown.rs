//! Markdown: sections between headings, which may be written in HTML. A `#` in a fenced code block is
//! not a heading, and the title in the front matter is the outermost heading.

use super::{Section, SectionBuilder, is_blank};

/// Maximum number of lines of a heading in HTML.
const HTML_LINES: usize = 6;

pub(super) fn sections(lines: &[&str]) -> Vec<Section> {
    let mut builder = SectionBuilder::default();
    let mut at = front_matter(lines, &mut builder);
    let mut fence: Option<&str> = None;
    while at < lines.len() {
        let line = lines[at];
        match (fence, fence_mark(line)) {
            (Some(open), Some(mark)) if mark.starts_with(open) && line.trim() == mark => fence = None,
            (Some(_), _) => {}
            (None, Some(mark)) => fence = Some(mark),
            (None, None) => {
                if let Some((level, title)) = numbered_heading(line) {
                    builder.open(lines, at, 1, (level, &without_tags(title)));
                } else if let Some(level) = underlined_level(lines, at) {
                    builder.open(lines, at, 2, (level, &without_tags(line)));
                    at += 1;
                } else if let Some(heading) = html_heading(lines, at) {
                    builder.open(lines, at, heading.lines, (heading.level, &without_tags(&heading.html)));
                    at += heading.lines - 1;
                }
            }
        }
        at += 1;
    }
    builder.finish(lines)
}

/// Skips the front matter (`---` around YAML, or `+++` around TOML) at the start of the file, opens
/// its title as a heading, and returns the number of the line after it.
fn front_matter(lines: &[&str], builder: &mut SectionBuilder) -> usize {
    let Some(&mark @ ("---" | "+++")) = lines.first() else { return 0 };
    let Some(end) = lines.iter().skip(1).position(|line| line.trim_end() == mark).map(|at| at + 1) else { return 0 };
    let title = lines[1..end].iter().find_map(|line| {
        let (key, value) = line.split_once([':', '='])?;
        (key.trim() == "title").then(|| value.trim().trim_matches(['"', '\'']))
    });
    title.iter().for_each(|title| builder.chain.open(0, title));
    end + 1
}

/// Returns the backticks or tildes with which a line opens or closes a code block.
fn fence_mark(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| "`~".contains(*c))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    let is_inline = mark == '`' && line[length..].contains('`');
    (length >= 3 && !is_inline).then(|| &line[..length])
}

/// Returns the level and title of `## Title`.
fn numbered_heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches(' ');
    let title = text.trim_start_matches('#');
    let level = text.len() - title.len();
    let is_heading = (1..=6).contains(&level) && line.len() - text.len() <= 3;
    (is_heading && (title.is_empty() || title.starts_with([' ', '\t'])))
        .then(|| (level, title.trim().trim_end_matches('#').trim_end()))
}

/// Returns the level of a title that is underlined with `===` or `---`.
fn underlined_level(lines: &[&str], at: usize) -> Option<usize> {
    let (title, under) = (lines[at], lines.get(at + 1)?.trim_end());
    let is_text = !is_blank(title) && !title.starts_with([' ', '\t', '|', '>', '-', '*', '#', '<', '=']);
    let starts = at == 0 || is_blank(lines[at - 1]);
    let is_line = |mark: char| under.len() >= 3 && under.chars().all(|c| c == mark);
    (is_text && starts).then_some(())?;
    if is_line('=') { Some(1) } else { is_line('-').then_some(2) }
}

/// A heading that is written in HTML: `<h2 id="name">Title</h2>`.
struct HtmlHeading {
    level: usize,
    /// Text of the heading with its tags.
    html: String,
    lines: usize,
}

/// Returns the HTML heading that starts at a line and ends at most [`HTML_LINES`] lines later.
fn html_heading(lines: &[&str], at: usize) -> Option<HtmlHeading> {
    let digit = lines[at].trim_start_matches(' ').strip_prefix("<h")?.bytes().next()?;
    let level = usize::from(digit.checked_sub(b'0').filter(|level| (1..=6).contains(level))?);
    let close = format!("</h{level}>");
    let count = lines[at..].iter().take(HTML_LINES).position(|line| line.contains(&close))? + 1;
    let html = lines[at..at + count].join(" ");
    let html = html.split_once(&close).map(|(html, _)| html.to_owned())?;
    Some(HtmlHeading { level, html, lines: count })
}

/// Returns a title without HTML tags and without an explicit anchor (`{#name}`).
fn without_tags(title: &str) -> String {
    let title = title.find(" {#").map_or(title, |at| &title[..at]);
    let mut plain = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(open) = rest.find('<') {
        let Some(close) = rest[open..].find('>') else { break };
        plain.push_str(&rest[..open]);
        rest = &rest[open + close + 1..];
    }
    plain.push_str(rest);
    plain
}
