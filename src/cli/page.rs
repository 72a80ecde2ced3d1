//! Text for users. The text may come from anywhere (names, documentation, paths, model replies,
//! other programs' errors), but none of its characters control the terminal, fakes a line, or
//! changes the reading direction.
//!
//! A control character (C0, DEL, C1), a bidirectional control and a line separator are written in
//! JSON notation, `\u001b`: a terminal shows them, and a line of JSON keeps its value. A path that
//! contains such characters is quoted in the style of git (`core.quotePath`, but letters of other
//! scripts are kept): `"evil\033[31m\n.py"`. Tabs are kept, because they only move the cursor. A
//! path with invalid UTF-8 is written to a pipe byte for byte, the same as in ripgrep, and is
//! quoted on a terminal.

pub(super) use super::layout::DIM;
use super::layout::{Mark, Part, fitted};
use super::links;
use anstyle::{AnsiColor, Style};
use std::borrow::Cow;
use std::fmt::{Display, Write};
use std::io::IsTerminal;
use std::path::Path;
use whichfn_search::answer::{CodeLine, TokenSort};
use whichfn_text::{encoded_byte, path_text, word_ranges};

pub(super) const PLACE: Style = AnsiColor::Magenta.on_default();
pub(super) const LINE: Style = AnsiColor::Green.on_default();
pub(super) const NAME: Style = Style::new().bold();
/// Style of a word that matches the question, the same as in grep.
const MET: Style = AnsiColor::Red.on_default().bold();

/// Checks whether a terminal or a user could misinterpret a character, instead of seeing it as a
/// character on its line.
fn is_order(c: char) -> bool {
    (c.is_control() && c != '\t')
        || encoded_byte(c).is_some()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes all characters that could control a terminal, including line breaks.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    shown(text, is_order)
}

/// Escapes the characters that could control a terminal, except line breaks.
pub(super) fn visible_lines(text: &str) -> Cow<'_, str> {
    shown(text, |c| c != '\n' && is_order(c))
}

fn shown(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            let _ = match encoded_byte(c) {
                Some(byte) => write!(out, "\\x{byte:02x}"),
                // All others are below 0x10000.
                None => write!(out, "\\u{:04x}", u32::from(c)),
            };
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Formats a path for a screen or a list: unchanged, or quoted in the style of git. For a pipe,
/// invalid UTF-8 is encoded by [`path_text`]; [`super::output`] converts it back to bytes.
pub(super) fn quoted(path: &Path) -> String {
    quoted_for(path, std::io::stdout().is_terminal())
}

fn quoted_for(path: &Path, is_terminal: bool) -> String {
    let path = path_text(path);
    if !path.chars().any(|c| c == '\t' || (is_order(c) && (is_terminal || encoded_byte(c).is_none()))) {
        return path;
    }
    let mut out = String::from('"');
    for c in path.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_order(c) => {
                if let Some(byte) = encoded_byte(c) {
                    let _ = write!(out, "\\{byte:03o}");
                    continue;
                }
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(out, "\\{byte:03o}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Lines for a user. Control characters in added text are escaped; only [`Page::styled`] and
/// [`Page::path`] add their own escapes.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    /// Parts of the text that a narrow screen shows in another way, in their order.
    marks: Vec<Mark>,
}

impl Page {
    /// Adds text to the line. Writing to a string cannot fail.
    pub fn put(&mut self, text: impl Display) -> &mut Self {
        self.text += &visible(&text.to_string());
        self
    }

    /// Adds text to the line in a style.
    pub fn styled(&mut self, style: Style, text: impl Display) -> &mut Self {
        let _ = write!(self.text, "{style}{}{style:#}", visible(&text.to_string()));
        self
    }

    /// Adds a string in a style, with the words that match the question highlighted. `met` contains
    /// them in lower case, sorted.
    pub fn marked(&mut self, style: Style, text: &str, met: &[String]) -> &mut Self {
        let is_met = |word: &str| met.binary_search(&word.to_lowercase()).is_ok();
        let mut at = 0;
        for word in word_ranges(text).filter(|word| is_met(&text[word.clone()])) {
            self.styled(style, &text[at..word.start]).styled(MET, &text[word.clone()]);
            at = word.end;
        }
        self.styled(style, &text[at..])
    }

    /// Adds a line of code with syntax colors.
    pub fn code(&mut self, line: &CodeLine, met: &[String]) -> &mut Self {
        let mut at = 0;
        for (range, sort) in &line.tokens {
            // Skip tokens that overlap, or cut a character; their text is still printed.
            let (Some(before), Some(token)) = (line.text.get(at..range.start), line.text.get(range.clone())) else {
                continue;
            };
            let style = match sort {
                TokenSort::Keyword => AnsiColor::Cyan.on_default(),
                TokenSort::String => AnsiColor::Green.on_default(),
                TokenSort::Comment => DIM,
            };
            self.marked(Style::new(), before, met).marked(style, token, met);
            at = range.end;
        }
        self.marked(Style::new(), &line.text[at..], met)
    }

    /// Adds text that a narrow screen shows as this part of a line.
    pub fn part(&mut self, part: Part, write: impl FnOnce(&mut Self) -> &mut Self) -> &mut Self {
        let start = self.text.len();
        write(self);
        self.marks.push(Mark { part, range: start..self.text.len() });
        self
    }

    /// Adds a name.
    pub fn name(&mut self, name: impl Display) -> &mut Self {
        self.part(Part::Name, |page| page.styled(NAME, name))
    }

    /// Adds a line with a sentence.
    pub fn prose(&mut self, style: Style, text: impl Display) -> &mut Self {
        self.part(Part::Prose, |page| page.styled(style, text)).end();
        self
    }

    /// Adds a location to click.
    pub fn place(&mut self, path: &Path, line: u32, column: Option<u32>) -> &mut Self {
        let address = links::address(path, line, column.unwrap_or(1));
        if let Some(address) = &address {
            let _ = write!(self.text, "\x1b]8;;{address}\x1b\\");
        }
        self.path(PLACE, path).part(Part::Position, |page| {
            page.put(":").styled(LINE, line);
            if let Some(column) = column {
                page.put(":").styled(LINE, column);
            }
            if address.is_some() {
                page.text += "\x1b]8;;\x1b\\";
            }
            page
        })
    }

    /// Adds a path to the line.
    pub fn path(&mut self, style: Style, path: &Path) -> &mut Self {
        let _ = write!(self.text, "{style}");
        self.part(Part::Path, |page| {
            page.text += &quoted(path);
            page
        });
        let _ = write!(self.text, "{style:#}");
        self
    }

    /// Adds the lines of another page.
    pub fn append(&mut self, page: Self) {
        let at = self.text.len();
        let moved = |Mark { part, range }| Mark { part, range: at + range.start..at + range.end };
        self.marks.extend(page.marks.into_iter().map(moved));
        self.text += &page.text;
    }

    /// Ends the line.
    pub fn end(&mut self) {
        self.text.push('\n');
    }

    /// Returns the text with lines that fit into a number of columns.
    pub fn fitted(&self, columns: usize) -> String {
        fitted(&self.text, &self.marks, columns)
    }

    /// Keeps as many of the first lines as fit into `most` bytes, but at least one; the last ends
    /// in an ellipsis.
    pub fn cut(&self, most: usize) -> Self {
        let mut length = 0;
        let lines = self.text.split_inclusive('\n').take_while(|line| {
            let is_first = length == 0;
            length += line.len();
            is_first || length + "…\n".len() <= most
        });
        let text: String = lines.collect();
        let marks = self.marks.iter().filter(|mark| mark.range.end <= text.len()).cloned().collect();
        Self { text: text + "…\n", marks }
    }

    /// Returns the text with the escapes of its styles.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn quoted_text(path: &str) -> String {
        quoted_for(Path::new(path), true)
    }

    #[test]
    fn escapes_control_characters() {
        assert_eq!(visible("a\u{1b}]0;T\u{7}b"), r"a\u001b]0;T\u0007b");
        assert_eq!(visible("\u{9b}31m \u{202e}evil\u{7f}"), r"\u009b31m \u202eevil\u007f");
        assert_eq!(visible("one\ntwo\tthree"), "one\\u000atwo\tthree");
        assert_eq!(visible_lines("one\ntwo\r\n"), "one\ntwo\\u000d\n");
        assert!(matches!(visible("größe 大きさ 👩‍👩‍👧"), Cow::Borrowed(_)), "letters and their joiners stay");
    }

    #[test]
    fn quotes_paths_like_git_if_necessary() {
        assert_eq!(quoted_text("src/größe \"1\".py"), "src/größe \"1\".py");
        assert_eq!(quoted_text("evil\u{1b}[31m\n\"x\"\\.py"), r#""evil\033[31m\n\"x\"\\.py""#);
        assert_eq!(quoted_text("a\u{202e}b\tc"), r#""a\342\200\256b\tc""#);
        assert_eq!(
            quoted_text("caf\u{10ffe9}.py"),
            r#""caf\364\217\277\251.py""#,
            "a name of UTF-8 that looks like bytes"
        );
    }

    proptest! {
        #[test]
        fn leaves_no_control_characters(text in "\\PC*|[\\x00-\\u{10ffff}]*") {
            prop_assert!(!visible(&text).chars().any(is_order));
            prop_assert!(!quoted_text(&text).chars().any(is_order));
            prop_assert_eq!(visible_lines(&text).matches('\n').count(), text.matches('\n').count());
        }

        /// Checks that a line of JSON keeps its value when its control characters are escaped.
        #[test]
        fn json_keeps_its_value(text in "[\\x00-\\u{2fff}]*") {
            let value = serde_json::Value::from(text);
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&visible(&value.to_string())).ok(), Some(value));
        }
    }
}
