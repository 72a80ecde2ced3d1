//! How a file is written: its line breaks and its indentation, which additions follow, and the gap
//! before an addition, which a removal takes back.

use super::Kept;

/// Line breaks of files, longest first: `\n` is also the end of `\r\n`.
pub(super) const LINE_BREAKS: [&str; 2] = ["\r\n", "\n"];

/// Returns the line break of a text.
pub(super) fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Returns lines with the line breaks of a file.
pub(super) fn with_breaks_of(file: &str, lines: &str) -> String {
    lines.replace('\n', line_break(file))
}

/// Returns the indentation of the first indented line; two spaces if there is none.
pub(super) fn indentation(file: &str) -> &str {
    let indented = file.lines().map(|line| &line[..line.len() - line.trim_start().len()]);
    indented.filter(|space| !space.is_empty()).find(|space| space.len() < 9).unwrap_or("  ")
}

/// Appends lines to a file. In a file that exists, they follow one line break, which separates them
/// from a file that ends with a line break by an empty line, and which [`without_addition`] removes.
pub(super) fn appended(former: Option<&str>, lines: &str) -> String {
    match former {
        None => lines.to_owned(),
        Some(former) => format!("{former}{}{}", with_breaks_of(former, "\n"), with_breaks_of(former, lines)),
    }
}

/// Returns the text around an addition without the line break before it, unless lines that someone
/// added behind it would then continue the line before it; `Nothing` if the addition was the whole
/// file.
pub(super) fn without_addition(before: &str, addition: &str, after: &str) -> Kept {
    if before.is_empty() && after.trim().is_empty() {
        return Kept::Nothing;
    }
    let kept = before.strip_suffix(line_break(addition)).unwrap_or(before);
    let is_line_end = kept.is_empty() || kept.ends_with('\n');
    let kept = if is_line_end || after.is_empty() { kept } else { before };
    Kept::Text(format!("{kept}{after}"))
}
