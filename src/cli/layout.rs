//! Fits the lines of a page to the width of a terminal.
//!
//! A location and the name after it are always shown: paths are shortened in their middle, then a
//! name is shown without the parts before its last one, then the name moves to the next row. Prose
//! is wrapped. Everything else is cut at the end of its row, which then ends in an ellipsis.

use anstyle::Style;
use std::borrow::Cow;
use std::ops::Range;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(super) const DIM: Style = Style::new().dimmed();
/// Sign for what is left out.
const ELLIPSIS: &str = "…";
/// Indentation of the rows after the first.
const INDENT: &str = "    ";
/// Minimum number of columns for text that is cut: two spaces, a character and an ellipsis.
const SHORTEST: usize = 4;

/// Treatment of a part of a line that is too wide. Text without a part is cut at the end of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A path, which is shortened in its middle.
    Path,
    /// The numbers after a path, which stay with it.
    Position,
    /// A name, which is shown after the path or on the next row.
    Name,
    /// Text that moves to the next row.
    Kept,
    /// Text for which paths are shortened if that is enough; it is cut otherwise.
    Wanted,
    /// A sentence, which is wrapped between words.
    Prose,
}

/// A part of a text.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub part: Part,
    pub range: Range<usize>,
}

/// A piece of a line, with the escapes in it.
#[derive(Clone)]
struct Piece<'t> {
    part: Option<Part>,
    text: Cow<'t, str>,
}

impl Piece<'_> {
    fn is(&self, part: Part) -> bool {
        self.part == Some(part)
    }
}

/// Returns a text with lines that fit into `columns`. The marks are sorted and do not overlap.
pub(super) fn fitted(text: &str, marks: &[Mark], columns: usize) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let first = marks.partition_point(|mark| mark.range.start < at);
        let last = marks.partition_point(|mark| mark.range.start < end);
        let inside: Vec<Mark> = marks[first..last]
            .iter()
            .map(|mark| Mark { part: mark.part, range: mark.range.start - at..mark.range.end - at })
            .collect();
        out += &fitted_line(line, &inside, columns);
        at = end;
    }
    out
}

fn fitted_line<'t>(line: &'t str, marks: &[Mark], columns: usize) -> Cow<'t, str> {
    if width(line) <= columns {
        return Cow::Borrowed(line);
    }
    let mut pieces = pieces(line, marks);
    shorten(&mut pieces, columns);
    if pieces.iter().any(|piece| piece.is(Part::Prose)) {
        let line: String = pieces.iter().map(|piece| &*piece.text).collect();
        return wrapped(&line, columns).into();
    }
    rows(&pieces, columns).into()
}

/// Splits a line at its marks.
fn pieces<'t>(line: &'t str, marks: &[Mark]) -> Vec<Piece<'t>> {
    let (mut pieces, mut at) = (Vec::new(), 0);
    for Mark { part, range } in marks {
        pieces.push(Piece { part: None, text: line[at..range.start].into() });
        pieces.push(Piece { part: Some(*part), text: line[range.clone()].into() });
        at = range.end;
    }
    pieces.push(Piece { part: None, text: line[at..].into() });
    pieces
}

/// Shortens the paths and the name of a line until its essential parts fit into one row, or until
/// nothing more can be shortened.
fn shorten(pieces: &mut Vec<Piece<'_>>, columns: usize) {
    let is_until = |parts: &[Part]| {
        let last = pieces.iter().rposition(|piece| piece.part.is_some_and(|part| parts.contains(&part)));
        last.map_or(0, |last| last + 1)
    };
    let place = is_until(&[Part::Path, Part::Position]);
    let name = is_until(&[Part::Path, Part::Position, Part::Name]);
    let wanted = is_until(&[Part::Path, Part::Position, Part::Name, Part::Wanted]);
    for end in [wanted, name] {
        if let Some(shorter) = with_shorter_paths(pieces, end, columns, true) {
            *pieces = shorter;
            return;
        }
    }
    let mut last_names = pieces.clone();
    last_names
        .iter_mut()
        .filter(|piece| piece.is(Part::Name))
        .for_each(|piece| piece.text = last_part(&piece.text).into());
    if let Some(shorter) = with_shorter_paths(&last_names, name, columns, true) {
        *pieces = shorter;
    } else if let Some(shorter) = with_shorter_paths(pieces, place, columns, false) {
        *pieces = shorter;
    }
}

/// Returns the pieces with paths that are as long as possible while the first `end` pieces fit;
/// `None` if they never do. With `keeps_files`, the names of files stay whole.
fn with_shorter_paths<'t>(
    pieces: &[Piece<'t>],
    end: usize,
    columns: usize,
    keeps_files: bool,
) -> Option<Vec<Piece<'t>>> {
    let shorter = |most: usize| {
        let mut shorter = pieces.to_vec();
        for piece in shorter.iter_mut().filter(|piece| piece.is(Part::Path)) {
            piece.text = shortened_path(&piece.text, most, keeps_files).into_owned().into();
        }
        shorter
    };
    let fits = |most: &usize| shorter(*most)[..end].iter().map(|piece| width(&piece.text)).sum::<usize>() <= columns;
    let longest = pieces.iter().filter(|piece| piece.is(Part::Path)).map(|path| path.text.width()).max();
    let lengths: Vec<usize> = (1..=longest.unwrap_or(0).max(1)).collect();
    let fitting = lengths.partition_point(fits);
    (fitting > 0).then(|| shorter(fitting))
}

/// Shortens a path to `most` columns if possible: without the directories in its middle, then
/// without its first directory, then, unless `keeps_file` is set, without any directory and without
/// the middle of its last part.
fn shortened_path(path: &str, most: usize, keeps_file: bool) -> Cow<'_, str> {
    if path.width() <= most {
        return path.into();
    }
    let parts: Vec<&str> = path.split('/').collect();
    let [first, inner @ .., file] = &parts[..] else { return shortened_file(path, most, keeps_file) };
    let ends = (1..=inner.len()).map(|skipped| inner[skipped..].iter().chain([file]).copied().collect::<Vec<_>>());
    let ends: Vec<String> = ends.map(|end| end.join("/")).collect();
    let with_first = ends.iter().map(|end| format!("{first}/{ELLIPSIS}/{end}"));
    let without = ends.iter().map(|end| format!("{ELLIPSIS}/{end}")).chain([format!("{ELLIPSIS}/{file}")]);
    let fitting = with_first.chain(without.clone()).find(|shorter| shorter.width() <= most);
    match fitting {
        Some(shorter) => shorter.into(),
        None if keeps_file => without.last().unwrap_or_default().into(),
        None => shortened_file(file, most, keeps_file).into_owned().into(),
    }
}

/// Leaves out the middle of a file's name.
fn shortened_file(file: &str, most: usize, keeps_file: bool) -> Cow<'_, str> {
    let columns = file.width();
    if keeps_file || columns <= most {
        return file.into();
    }
    let kept = most.saturating_sub(1);
    let after = kept / 2;
    let (mut start, mut end, mut at) = (String::new(), String::new(), 0);
    for c in file.chars() {
        at += c.width().unwrap_or(0);
        if at <= kept - after {
            start.push(c);
        } else if at > columns - after {
            end.push(c);
        }
    }
    format!("{start}{ELLIPSIS}{end}").into()
}

/// Returns the last part of a qualified name, which distinguishes it from other names, after an
/// ellipsis; or the whole name if it has one part.
fn last_part(name: &str) -> String {
    let plain: String = signs(name).map(|(sign, _)| sign).filter(|sign| !sign.starts_with('\u{1b}')).collect();
    let last = plain.rsplit(['.', ':']).next().unwrap_or_default();
    if last.is_empty() || last.len() == plain.len() || plain.contains(' ') {
        return name.to_owned();
    }
    let (mut out, mut before) = (ELLIPSIS.to_owned(), plain.len() - last.len());
    for (sign, _) in signs(name) {
        if sign.starts_with('\u{1b}') || before == 0 {
            out += sign;
        } else {
            before = before.saturating_sub(sign.len());
        }
    }
    out
}

/// Arranges pieces in rows: a name or kept text that does not fit starts the next row.
fn rows(pieces: &[Piece<'_>], columns: usize) -> String {
    let indent = indent(pieces, columns);
    let (mut out, mut row, mut space) = (String::new(), String::new(), "");
    // Number of bytes of the row that must not be cut.
    let mut kept = 0;
    for piece in pieces {
        let may_break = matches!(piece.part, Some(Part::Name | Part::Kept));
        if may_break && width(&row) + space.len() + width(&piece.text) > columns && width(row.trim()) > 0 {
            out += &cut_after(&row, kept, columns);
            out.push('\n');
            space = "";
            let text = indent.clone() + &piece.text;
            row = match width(&text) <= columns {
                true => text,
                false if piece.is(Part::Name) => indent.clone() + &last_part(&piece.text),
                false => wrapped(&text, columns),
            };
            // Only the last of wrapped rows continues.
            let last = row.rfind('\n').map_or(0, |end| end + 1);
            out += &row[..last];
            row.drain(..last);
            kept = row.len();
            continue;
        }
        row += space;
        space = "";
        match &*piece.text {
            "  " => space = "  ",
            text => row += text,
        }
        if piece.part.is_some() && width(&row) <= columns {
            kept = row.len();
        }
    }
    out + &cut_after(&row, kept, columns)
}

/// Cuts a row, but not within its first `kept` bytes. If only an ellipsis would follow them, there is
/// none.
fn cut_after(row: &str, kept: usize, columns: usize) -> Cow<'_, str> {
    let (before, after) = row.split_at(kept);
    if width(row) <= columns || width(before) + SHORTEST <= columns || width(before) > columns {
        return cut(row, columns);
    }
    let escapes = signs(after).map(|(sign, _)| sign).filter(|sign| sign.starts_with(['\u{1b}', '\n']));
    (before.to_owned() + &escapes.collect::<String>()).into()
}

/// Returns the start of the rows after the first: the lines of a tree continue.
fn indent(pieces: &[Piece<'_>], columns: usize) -> String {
    let before = pieces.iter().take_while(|piece| piece.part.is_none());
    let before: String = before.map(|piece| &*piece.text).collect();
    let signs = signs(&before).map(|(sign, _)| sign).filter(|sign| !sign.starts_with('\u{1b}'));
    let lines: Option<String> = signs
        .map(|sign| match sign {
            "├" | "│" => Some("│"),
            "└" | "─" | " " => Some(" "),
            _ => None,
        })
        .collect();
    match lines.filter(|lines| lines.width() <= columns / 2) {
        Some(lines) => format!("{DIM}{lines}{DIM:#}{INDENT}"),
        None => INDENT.to_owned(),
    }
}

/// Wraps a line between words, and cuts words that are wider than a row.
fn wrapped(line: &str, columns: usize) -> String {
    wrapped_between_words(line, columns).split_inclusive('\n').map(|row| cut(row, columns)).collect()
}

/// Wraps a line between words.
pub(super) fn wrapped_between_words(line: &str, columns: usize) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        if used > 0 && used + width(word.trim_end()) > columns {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out += INDENT;
            used = INDENT.len();
        }
        out += word;
        used += width(word);
    }
    out
}

/// Cuts a row with its line break. The only escapes are for styles, which end in `m`, and for links,
/// which end in a backslash. Escapes take no column, and the escapes after the cut are kept, so that
/// no style or link continues.
pub(super) fn cut(row: &str, columns: usize) -> Cow<'_, str> {
    if width(row) <= columns {
        return Cow::Borrowed(row);
    }
    let mut out = String::with_capacity(row.len());
    let mut is_cut = false;
    for (sign, end) in signs(row) {
        let takes_column = !sign.starts_with(['\u{1b}', '\n']);
        if takes_column && end >= columns {
            // A single ellipsis represents everything that does not fit.
            out.push_str(if is_cut { "" } else { ELLIPSIS });
            is_cut = true;
        } else if !is_cut || !takes_column {
            out.push_str(sign);
        }
    }
    Cow::Owned(out)
}

/// Removes the escapes of styles, and keeps those of links.
pub(super) fn without_styles(text: &str) -> String {
    signs(text).map(|(sign, _)| sign).filter(|sign| !sign.starts_with("\u{1b}[")).collect()
}

/// Returns the number of columns of a line.
fn width(line: &str) -> usize {
    signs(line).filter(|(sign, _)| *sign != "\n").last().map_or(0, |(_, end)| end)
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
    use super::super::page::{NAME, Page};
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;

    const BANNER: &str = "core/boot/src/main/java/org/springframework/boot/SpringApplicationBannerPrinter.java";

    /// Returns a line for a result on a screen of this width, without its escapes.
    fn result(path: &str, name: &str, columns: usize) -> String {
        let mut page = Page::default();
        page.place(Path::new(path), 118, None).put("  ").name(name).put("  ");
        page.part(Part::Kept, |page| page.styled(DIM, "function · likely, 58 %")).end();
        anstream::adapter::strip_str(&page.fitted(columns)).to_string()
    }

    #[test]
    fn paths_are_shortened_in_the_middle() {
        for (most, expected) in [
            (90, BANNER),
            (81, "core/…/src/main/java/org/springframework/boot/SpringApplicationBannerPrinter.java"),
            (80, "core/…/main/java/org/springframework/boot/SpringApplicationBannerPrinter.java"),
            (60, "core/…/boot/SpringApplicationBannerPrinter.java"),
            (43, "core/…/SpringApplicationBannerPrinter.java"),
            (41, "…/SpringApplicationBannerPrinter.java"),
            (36, "SpringApplicationBannerPrinter.java"),
            (20, "SpringAppl…nter.java"),
        ] {
            assert_eq!(shortened_path(BANNER, most, false), expected, "{most}");
        }
        assert_eq!(shortened_path(BANNER, 20, true), "…/SpringApplicationBannerPrinter.java");
        assert_eq!(shortened_path("/a/b/c.py", 8, true), "/…/c.py");
        assert_eq!(shortened_path("大きさ/大きさ/c.py", 13, true), "大きさ/…/c.py", "a wide sign takes two columns");
        assert_eq!(shortened_path("大きさ/大きさ/c.py", 12, true), "…/c.py");
    }

    #[test]
    fn the_line_and_the_name_stay_on_every_screen() {
        assert_eq!(
            result(BANNER, "Printer.print", 80),
            "core/…/boot/SpringApplicationBannerPrinter.java:118  Printer.print\n    function · likely, 58 %\n"
        );
        assert_eq!(
            result(BANNER, "SpringApplicationBannerPrinter.print", 80),
            "…/SpringApplicationBannerPrinter.java:118  SpringApplicationBannerPrinter.print\n    function · likely, 58 %\n"
        );
        assert_eq!(
            result(BANNER, "SpringApplicationBannerPrinter.print", 60),
            "core/…/boot/SpringApplicationBannerPrinter.java:118  …print\n    function · likely, 58 %\n"
        );
        assert_eq!(
            result(BANNER, "SpringApplicationBannerPrinter.print", 40),
            "SpringApplicationBannerPrinter.java:118\n    SpringApplicationBannerPrinter.print\n    function · likely, 58 %\n"
        );
        assert_eq!(result("a.py", "Session.renew", 200), "a.py:118  Session.renew  function · likely, 58 %\n");
    }

    #[test]
    fn a_name_that_ends_at_the_edge_is_whole() {
        let line = |columns| {
            let mut page = Page::default();
            page.place(Path::new("a.py"), 1, None).put("  ").name("renew").put("  ").put("return 1").end();
            anstream::adapter::strip_str(&page.fitted(columns)).to_string()
        };
        assert_eq!(line(13), "a.py:1  renew\n");
        assert_eq!(line(16), "a.py:1  renew\n", "two spaces and an ellipsis say nothing");
        assert_eq!(line(17), "a.py:1  renew  r…\n");
    }

    #[test]
    fn the_lines_of_a_tree_continue() {
        let mut page = Page::default();
        page.styled(DIM, "│  ├─ ").place(Path::new(BANNER), 118, Some(20)).put("  ");
        page.name("SpringApplicationBannerPrinter.print").put("  ").put("printer.print(banner)").end();
        let seen = anstream::adapter::strip_str(&page.fitted(50)).to_string();
        assert_eq!(
            seen,
            "│  ├─ …/SpringApplicationBannerPrinter.java:118:20\n│  │      SpringApplicationBannerPrinter.print  p…\n"
        );
    }

    #[test]
    fn prose_is_wrapped() {
        let mut page = Page::default();
        page.prose(DIM, "the words of this sentence take three rows").put("code of one row").end();
        let seen = anstream::adapter::strip_str(&page.fitted(20)).to_string();
        assert_eq!(seen, "the words of this\n    sentence take\n    three rows\ncode of one row\n");
    }

    #[test]
    fn cuts_other_lines_at_the_width_of_the_terminal() {
        assert_eq!(cut("12345\n", 5), "12345\n");
        assert_eq!(cut("123456\n", 5), "1234…\n");
        assert_eq!(cut("大きさ\n", 5), "大き…\n", "a wide sign takes two columns");
        assert_eq!(cut("大きさ\n", 4), "大…\n");
        assert_eq!(cut("\u{1b}[1m123456\u{1b}[0m\n", 5), "\u{1b}[1m1234…\u{1b}[0m\n", "its style ends");
        assert_eq!(cut("a\tb\n", 8), "a…\n");
        let (open, close) = ("\u{1b}]8;;file:///mm\u{1b}\\", "\u{1b}]8;;\u{1b}\\");
        assert_eq!(cut(&format!("{open}123456{close}7\n"), 5), format!("{open}1234…{close}\n"), "a link ends");
    }

    proptest! {
        #[test]
        fn no_row_is_wider_than_the_terminal(
            before in "[├│ ]{0,6}", path in "([a-z大]{1,9}/){0,5}[a-z大]{1,20}", name in "[a-z大.:]{1,30}",
            text in "[a-zé大\\t ]{0,40}", columns in 1usize..100,
        ) {
            let mut page = Page::default();
            page.put(before).place(Path::new(&path), 1234, Some(5)).put("  ").part(Part::Name, |page| {
                page.marked(NAME, &name, &["a".to_owned()])
            });
            page.put("  ").part(Part::Wanted, |page| page.styled(DIM, "(a note)")).put("  ").put(&text).end();
            page.prose(DIM, &text);
            for row in page.fitted(columns).lines() {
                prop_assert!(width(row) <= columns, "{columns}: {row}");
            }
        }
    }
}
