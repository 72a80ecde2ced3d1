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

use super::links;
use anstyle::{AnsiColor, Style};
use std::borrow::Cow;
use std::fmt::{Display, Write};
use std::io::IsTerminal;
use std::path::Path;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use whichfn_search::answer::{CodeLine, TokenSort};
use whichfn_text::{encoded_byte, path_text, word_ranges};

pub(super) const PLACE: Style = AnsiColor::Magenta.on_default();
pub(super) const LINE: Style = AnsiColor::Green.on_default();
pub(super) const NAME: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
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

    /// Adds a location to click.
    pub fn place(&mut self, path: &Path, line: u32, column: Option<u32>) -> &mut Self {
        let address = links::address(path, line, column.unwrap_or(1));
        if let Some(address) = &address {
            let _ = write!(self.text, "\x1b]8;;{address}\x1b\\");
        }
        self.path(PLACE, path).put(":").styled(LINE, line);
        if let Some(column) = column {
            self.put(":").styled(LINE, column);
        }
        if address.is_some() {
            self.text += "\x1b]8;;\x1b\\";
        }
        self
    }

    /// Adds a path to the line.
    pub fn path(&mut self, style: Style, path: &Path) -> &mut Self {
        let _ = write!(self.text, "{style}{}{style:#}", quoted(path));
        self
    }

    /// Adds the lines of another page.
    pub fn append(&mut self, page: Self) {
        self.text += &page.text;
    }

    /// Ends the line.
    pub fn end(&mut self) {
        self.text.push('\n');
    }

    /// Returns the form of a name that fits on the current line of a screen after two spaces: the
    /// whole name, or else its last part, which distinguishes it from other names.
    pub fn fitting_name<'n>(&self, name: &'n str, columns: usize) -> Cow<'n, str> {
        let last = name.rsplit(['.', ':']).next().unwrap_or(name);
        match self.columns() + 2 + name.width() > columns && last.len() < name.len() {
            true => format!("…{last}").into(),
            false => name.into(),
        }
    }

    /// Returns the number of columns used on the last line.
    pub fn columns(&self) -> usize {
        let line = self.text.rfind('\n').map_or(0, |at| at + 1);
        signs(&self.text[line..]).last().map_or(0, |(_, end)| end)
    }

    /// Returns the text with lines truncated at a width in columns. A truncated line ends in an
    /// ellipsis, and its styles end there as well.
    pub fn fitted(&self, columns: usize) -> String {
        self.text.split_inclusive('\n').map(|line| fitted_line(line, columns)).collect()
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
        Self { text: lines.collect::<String>() + "…\n" }
    }

    /// Returns the text with the escapes of its styles.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Truncates a line with its line break. The only escapes are for styles, which end in `m`, and for
/// links, which end in a backslash. Escapes take no column, and the escapes after the cut are kept,
/// so that no style or link continues.
fn fitted_line(line: &str, columns: usize) -> Cow<'_, str> {
    if signs(line).last().is_none_or(|(_, end)| end <= columns) {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut is_cut = false;
    for (sign, end) in signs(line) {
        let takes_room = !sign.starts_with(['\u{1b}', '\n']);
        if takes_room && end >= columns {
            // A single ellipsis represents everything that does not fit.
            out.push_str(if is_cut { "" } else { "…" });
            is_cut = true;
        } else if !is_cut || !takes_room {
            out.push_str(sign);
        }
    }
    Cow::Owned(out)
}

/// Removes the escapes of styles, and keeps those of links.
pub(super) fn without_styles(text: &str) -> String {
    signs(text).map(|(sign, _)| sign).filter(|sign| !sign.starts_with("\u{1b}[")).collect()
}

/// Returns the characters and escapes of a line, each with its end column.
fn signs(line: &str) -> impl Iterator<Item = (&str, usize)> {
    let (mut rest, mut at) = (line, 0);
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = match first {
            '\u{1b}' if rest.starts_with("\u{1b}]") => rest.find('\\').map_or(rest.len(), |end| end + 1),
            '\u{1b}' => rest.find('m').map_or(rest.len(), |end| end + 1),
            _ => first.len_utf8(),
        };
        at += match first {
            // A tab moves to the next tab stop of the terminal.
            '\t' => 8 - at % 8,
            '\u{1b}' | '\n' => 0,
            _ => first.width().unwrap_or(0),
        };
        let (sign, after) = rest.split_at(length);
        rest = after;
        Some((sign, at))
    })
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

    #[test]
    fn cuts_lines_at_the_width_of_the_terminal() {
        assert_eq!(fitted_line("12345\n", 5), "12345\n");
        assert_eq!(fitted_line("123456\n", 5), "1234…\n");
        assert_eq!(fitted_line("大きさ\n", 5), "大き…\n", "a wide sign takes two columns");
        assert_eq!(fitted_line("大きさ\n", 4), "大…\n");
        assert_eq!(fitted_line("\u{1b}[1m123456\u{1b}[0m\n", 5), "\u{1b}[1m1234…\u{1b}[0m\n", "its style ends");
        assert_eq!(fitted_line("a\tb\n", 8), "a…\n");
        let mut page = Page::default();
        page.put("a.py:1");
        assert_eq!(page.fitting_name("Session::renew", 22), "Session::renew");
        assert_eq!(page.fitting_name("Session::renew", 21), "…renew");
        let (open, close) = ("\u{1b}]8;;file:///mm\u{1b}\\", "\u{1b}]8;;\u{1b}\\");
        assert_eq!(fitted_line(&format!("{open}123456{close}7\n"), 5), format!("{open}1234…{close}\n"), "a link ends");
    }

    proptest! {
        #[test]
        fn no_fitted_line_is_wider_than_the_terminal(text in "[a-zé大\\t ]{0,40}", columns in 1usize..30) {
            let fitted = fitted_line(&text, columns);
            prop_assert!(signs(&fitted).last().is_none_or(|(_, end)| end <= columns), "{fitted}");
        }

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
