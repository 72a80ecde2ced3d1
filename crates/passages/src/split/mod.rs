//! Splits a text file into passages: sections with their headings, tables of settings, targets, or
//! blocks of lines.
//!
//! Every format has a splitter that looks only at lines. No markup or data format is parsed
//! completely, so a damaged or hostile file cannot make a splitter fail, and YAML aliases are never
//! expanded.
//!
//! **Cost:** a few passes over the lines; for nested data, one more for each of at most
//! `DEEPEST` levels.

mod asciidoc;
mod markdown;
mod outline;
mod paragraphs;
mod rst;
mod sql;
mod tables;
mod targets;

use whichfn_text::file_name;

/// Maximum number of lines of a passage.
pub const LONGEST_PASSAGE: usize = 40;
/// Maximum number of passages of one file. A table with more rows than fit is truncated.
pub const MOST_PASSAGES: usize = 2_000;
/// Maximum number of lines of a file that are split: more than [`MOST_PASSAGES`] have.
pub const MOST_LINES: usize = 100_000;
/// Maximum number of headings above a passage.
const MOST_HEADINGS: usize = 8;
/// Maximum length of a heading in characters.
const LONGEST_HEADING: usize = 120;

/// A passage of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// 1-based number of the first line.
    pub start_line: u32,
    /// 1-based number of the last line, inclusive.
    pub end_line: u32,
    /// Headings above the passage, from the outermost to its own; empty if there are none.
    pub headings: Vec<String>,
}

/// The passages of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Split {
    /// Passages in the order of the file.
    pub passages: Vec<Passage>,
    /// True if the file has more than [`MOST_PASSAGES`] passages or [`MOST_LINES`] lines, and the rest
    /// was left out.
    pub is_truncated: bool,
}

/// The format of a text file, which determines how it is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Markdown: a passage is a section.
    Markdown,
    /// reStructuredText, or plain text with underlined titles: a passage is a section, or the
    /// description of one object, such as a setting.
    Rst,
    /// AsciiDoc: a passage is a section.
    AsciiDoc,
    /// TOML, INI and similar formats: a passage is a table.
    Tables,
    /// YAML and JSON: a passage is the value of a key path.
    Outline,
    /// A makefile or justfile: a passage is a target.
    Makefile,
    /// A Dockerfile: a passage is a stage.
    Dockerfile,
    /// SQL: a passage is a statement.
    Sql,
    /// Other text: a passage is a block of lines.
    Plain,
}

impl Format {
    /// Returns the format of a file that contains documentation or settings, according to its name,
    /// or `None` for any other file.
    pub fn of(path: &str) -> Option<Self> {
        let name = file_name(path).to_ascii_lowercase();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let starts = |prefix: &str| name == prefix || name.starts_with(&format!("{prefix}."));
        Some(match ending {
            "md" | "markdown" | "mdx" | "qmd" | "mkd" => Self::Markdown,
            "rst" | "rest" | "txt" => Self::Rst,
            "adoc" | "asciidoc" | "asc" => Self::AsciiDoc,
            "toml" | "ini" | "cfg" | "conf" | "properties" | "editorconfig" => Self::Tables,
            "yml" | "yaml" | "json" | "jsonc" | "json5" => Self::Outline,
            "mk" | "mak" => Self::Makefile,
            "dockerfile" => Self::Dockerfile,
            "sql" | "psql" | "pgsql" | "ddl" => Self::Sql,
            _ if starts(".env") => Self::Tables,
            _ if starts("makefile") || starts("gnumakefile") || starts("justfile") => Self::Makefile,
            _ if starts("dockerfile") || starts("containerfile") => Self::Dockerfile,
            _ if starts("readme") || starts("changelog") || starts("contributing") => Self::Rst,
            _ => return None,
        })
    }

    /// Checks whether files of this format contain settings rather than prose.
    pub fn is_settings(self) -> bool {
        !matches!(self, Self::Markdown | Self::Rst | Self::AsciiDoc | Self::Plain)
    }

    /// Returns the format's name in JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Rst => "restructuredtext",
            Self::AsciiDoc => "asciidoc",
            Self::Tables => "tables",
            Self::Outline => "outline",
            Self::Makefile => "makefile",
            Self::Dockerfile => "dockerfile",
            Self::Sql => "sql",
            Self::Plain => "text",
        }
    }
}

/// Lines of a file that belong together, before long ones are split.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Section {
    /// 0-based number of the first line.
    start: usize,
    /// 0-based number of the line after the last one.
    end: usize,
    headings: Vec<String>,
}

/// Splits a file into passages of at most [`LONGEST_PASSAGE`] lines. Sections without any word are
/// left out.
pub fn split(format: Format, text: &str) -> Split {
    let mut rest = text.lines();
    let lines: Vec<&str> = rest.by_ref().take(MOST_LINES).collect();
    let sections = match format {
        Format::Markdown => markdown::sections(&lines),
        Format::Rst => rst::sections(&lines),
        Format::AsciiDoc => asciidoc::sections(&lines),
        Format::Tables => tables::sections(&lines),
        Format::Outline => outline::sections(&lines),
        Format::Makefile => targets::makefile(&lines),
        Format::Dockerfile => targets::dockerfile(&lines),
        Format::Sql => sql::sections(&lines),
        Format::Plain => vec![Section { start: 0, end: lines.len(), headings: Vec::new() }],
    };
    let mut split = Split { passages: Vec::new(), is_truncated: rest.any(has_word) };
    for section in sections {
        for (start, end) in paragraphs::blocks(&lines, section.start, section.end) {
            if split.passages.len() == MOST_PASSAGES {
                split.is_truncated = true;
                return split;
            }
            let headings = section.headings.clone();
            split.passages.push(Passage { start_line: start as u32 + 1, end_line: end as u32, headings });
        }
    }
    split
}

/// The headings that are open at a line, each with its level.
#[derive(Default)]
struct HeadingChain(Vec<(usize, String)>);

impl HeadingChain {
    /// Opens a heading, which closes all headings of its level and deeper ones.
    fn open(&mut self, level: usize, title: &str) {
        self.0.retain(|(other, _)| *other < level);
        let title = shortened(title);
        if self.0.len() < MOST_HEADINGS && !title.is_empty() {
            self.0.push((level, title));
        }
    }

    fn titles(&self) -> Vec<String> {
        self.0.iter().map(|(_, title)| title.clone()).collect()
    }
}

/// Collects sections that start at headings.
#[derive(Default)]
struct SectionBuilder {
    chain: HeadingChain,
    sections: Vec<Section>,
    start: usize,
    /// Number of lines of the heading at the start of the open section.
    heading_lines: usize,
}

impl SectionBuilder {
    /// Ends the open section at line `at`, where a heading of `heading_lines` lines starts. A
    /// section that consists only of its heading is dropped if the new one is below it, because the
    /// new one repeats its heading.
    fn open(&mut self, lines: &[&str], at: usize, heading_lines: usize, (level, title): (usize, &str)) {
        let depth = self.chain.0.last().map_or(0, |(level, _)| *level);
        let has_text = lines[self.body_start(at)..at].iter().any(|line| has_word(line));
        if has_text || (self.heading_lines > 0 && level <= depth) {
            self.close(at);
        }
        self.chain.open(level, title);
        (self.start, self.heading_lines) = (at, heading_lines);
    }

    fn body_start(&self, end: usize) -> usize {
        (self.start + self.heading_lines).min(end)
    }

    fn close(&mut self, end: usize) {
        if end > self.start {
            self.sections.push(Section { start: self.start, end, headings: self.chain.titles() });
        }
    }

    fn finish(mut self, lines: &[&str]) -> Vec<Section> {
        self.close(lines.len());
        self.sections
    }
}

/// Returns a heading on one line, without markup characters around it, in at most
/// [`LONGEST_HEADING`] characters.
fn shortened(title: &str) -> String {
    let title = title.trim().replace('`', "");
    title.chars().take(LONGEST_HEADING).collect()
}

fn has_word(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Returns the number of leading spaces of a line. A tab counts as one.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
