//! Finds the code in the cells of a Jupyter notebook.
//!
//! A notebook is JSON in which each line of source code is a string on a line of its own. Each
//! string is decoded at its own offset, and spaces replace everything else, outputs and images
//! included. So offsets and lines are those of the file. The text of Markdown cells becomes
//! comments.
//!
//! **Cost:** two passes over the file, and a few bytes per line of source.

use super::embedded::Embedded;
use crate::lang::{Notebooks, Spec};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Maximum number of bytes in the code and text of a notebook.
const MAX_CODE: usize = 1 << 20;

/// A notebook, without the outputs of its cells.
#[derive(Deserialize)]
struct Notebook<'s> {
    #[serde(borrow)]
    cells: Vec<Cell<'s>>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Cell<'s> {
    #[serde(borrow)]
    cell_type: Cow<'s, str>,
    /// A string or a list of strings.
    #[serde(borrow)]
    source: &'s RawValue,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    kernelspec: Kernel,
    #[serde(default)]
    language_info: Kernel,
}

/// The program that runs the cells.
#[derive(Default, Deserialize)]
struct Kernel {
    language: Option<String>,
    name: Option<String>,
}

/// The place of a line in a notebook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellLine {
    /// Number of the cell among all cells, starting at 1.
    pub cell: u32,
    /// Number of the line in the cell, starting at 1.
    pub line: u32,
}

/// Checks whether a file is a notebook, by its name.
pub fn is_notebook(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("ipynb"))
}

/// Returns the name of the language of a notebook's code, or `None` if the notebook does not name
/// it or is invalid.
pub(crate) fn kernel(source: &str) -> Option<String> {
    serde_json::from_str::<Notebook<'_>>(source).ok()?.metadata.kernel().map(str::to_owned)
}

/// Returns the text of a notebook's cells with the offsets and lines of the file, and spaces
/// instead of everything else. Returns `None` if the file is not a notebook with one line of source
/// code per line.
pub fn cells_text(source: &str) -> Option<String> {
    let mut text = blanked(source);
    let notebook: Notebook<'_> = serde_json::from_str(source).ok()?;
    notebook.each_line(source, |_, at, line| {
        text.get_mut(at + 1..at + 1 + line.len()).map(|place| place.copy_from_slice(line.as_bytes()))
    })?;
    String::from_utf8(text).ok()
}

/// Returns the place of a line in a notebook, or `None` if the line is not the source of a cell.
pub fn cell_at(source: &str, line: u32) -> Option<CellLine> {
    let notebook: Notebook<'_> = serde_json::from_str(source).ok()?;
    let start = memchr::memchr_iter(b'\n', source.as_bytes()).nth((line as usize).checked_sub(2)?)? + 1;
    let end = memchr::memchr(b'\n', &source.as_bytes()[start..]).map_or(source.len(), |length| start + length);
    (1..).zip(&notebook.cells).find_map(|(cell, one)| {
        let lines = one.lines()?;
        let at = lines.iter().position(|raw| (start..end).contains(&offset(source, raw)))?;
        Some(CellLine { cell, line: at as u32 + 1 })
    })
}

/// Returns the code of a notebook, or `None` if the file is not a notebook with one line of source
/// code per line, or if its code is in a different language.
pub(super) fn read<'s>(spec: &Spec, source: &'s str) -> Option<Embedded<'s>> {
    let notebook: Notebook<'_> = serde_json::from_str(source).ok()?;
    if !notebook.metadata.kernel().is_none_or(|kernel| spec.head.is_called(kernel)) {
        return None;
    }
    let (mut code, mut size, mut is_kept) = (blanked(source), 0, true);
    let comment = spec.head.line_comment.as_bytes();
    notebook.each_line(source, |place, at, line| {
        let is_code = notebook.cells.get(place.cell as usize - 1)?.is_code();
        let line: Cow<'_, str> = match &spec.notebooks {
            Some(rules) if is_code => {
                is_kept = if place.line == 1 { rules.keeps_cell(line) } else { is_kept };
                rules.without_command(line)
            }
            _ => line.into(),
        };
        if is_code && is_kept || !is_code && comment.len() == 1 {
            // The text of a string is never longer than the string in the file.
            code.get_mut(at + 1..at + 1 + line.len())?.copy_from_slice(line.as_bytes());
            size += line.len() + 1;
        }
        if !is_code && comment.len() == 1 {
            code[at] = comment[0];
        }
        Some(())
    })?;
    if size > MAX_CODE {
        return None;
    }
    let code: Cow<'_, str> = String::from_utf8(code).ok()?.into();
    Some(Embedded { code, words: None, size, texts: Vec::new(), markup: None })
}

impl Notebook<'_> {
    /// Calls `visit` with the place of each line of code or Markdown, the offset of its string and
    /// its text. Returns `None` if `visit` does, or if a string is not a line of source code on a
    /// line of its own.
    fn each_line(&self, source: &str, mut visit: impl FnMut(CellLine, usize, &str) -> Option<()>) -> Option<()> {
        let mut end_of_last = 0;
        for (cell, one) in (1..).zip(&self.cells).filter(|(_, one)| one.is_code() || one.cell_type == "markdown") {
            for (line, raw) in (1..).zip(one.lines()?) {
                let at = offset(source, raw);
                memchr::memchr(b'\n', source.as_bytes().get(end_of_last..at)?)?;
                end_of_last = at + raw.get().len();
                let text: String = serde_json::from_str(raw.get()).ok()?;
                let text = text.trim_end_matches(['\n', '\r']);
                if text.contains(['\n', '\r']) {
                    return None;
                }
                visit(CellLine { cell, line }, at, text)?;
            }
        }
        Some(())
    }
}

impl Metadata {
    fn kernel(&self) -> Option<&str> {
        let Self { kernelspec, language_info } = self;
        language_info.name.as_deref().or(kernelspec.language.as_deref()).or(kernelspec.name.as_deref())
    }
}

impl<'s> Cell<'s> {
    fn is_code(&self) -> bool {
        self.cell_type == "code"
    }

    /// Returns the strings of the source, or `None` if it is invalid.
    fn lines(&self) -> Option<Vec<&'s RawValue>> {
        match self.source.get().starts_with('[') {
            true => serde_json::from_str(self.source.get()).ok(),
            false => Some(vec![self.source]),
        }
    }
}

impl Notebooks {
    /// Checks whether a cell whose first line is given contains code in the notebook's language.
    fn keeps_cell(&self, first: &str) -> bool {
        let sign = self.cell_sign.as_str();
        let Some(command) = first.strip_prefix(sign).filter(|_| !sign.is_empty()) else { return true };
        self.code_cells.iter().any(|one| Some(one.as_str()) == command.split_whitespace().next())
    }

    /// Returns a line of code, or the statement that replaces a command to the notebook.
    fn without_command<'l>(&self, line: &'l str) -> Cow<'l, str> {
        let code = line.trim();
        let is_command = |text: &str| {
            let mut rests = self.signs.iter().filter_map(|sign| text.strip_prefix(sign.as_str()));
            rests.any(|rest| rest.starts_with(|c: char| c.is_alphabetic() || "%?!./~-{$".contains(c)))
        };
        let value = code.split_once('=').map_or("", |(_, value)| value.trim_start());
        let is_help = !self.help_sign.is_empty() && code.ends_with(&self.help_sign[..]) && !code.contains('#');
        if !is_command(code) && !is_command(value) && !is_help {
            return line.into();
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let statement = format!("{indent}{}", self.empty_statement);
        if statement.len() > line.len() { "".into() } else { statement.into() }
    }
}

/// Returns spaces with the line breaks of a text.
fn blanked(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { byte } else { b' ' }).collect()
}

/// Returns the offset of a part of the file.
fn offset(source: &str, raw: &RawValue) -> usize {
    raw.get().as_ptr() as usize - source.as_ptr() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Registry;
    use proptest::prelude::*;

    fn read_python(source: &str) -> Option<String> {
        let registry = Registry::builtin().expect("languages");
        let id = registry.detect("a.ipynb").expect("a language");
        read(registry.spec(id).expect("data"), source).map(|read| read.code.into_owned())
    }

    fn notebook(cells: &[(&str, &str)], metadata: &str) -> String {
        let cells: Vec<String> = cells
            .iter()
            .map(|(sort, source)| {
                format!("{{\n\"cell_type\": \"{sort}\",\n\"outputs\": [\"x = 1\"],\n\"source\": [\n{source}\n]\n}}")
            })
            .collect();
        format!("{{\n\"cells\": [{}],\n\"metadata\": {metadata}\n}}", cells.join(","))
    }

    #[test]
    fn code_keeps_its_lines() {
        let source = notebook(&[("markdown", "\"Title\""), ("code", "\"f(\\\"é\\\")\\n\",\n \"g()\"")], "{}");
        let code = read_python(&source).expect("code");
        assert_eq!(code.len(), source.len());
        let lines = |text: &str, sign: &str| text.lines().position(|line| line.contains(sign));
        for (written, read) in [("Title", "#Title"), ("f(", "f(\"é\")"), ("g()", "g()")] {
            assert_eq!(lines(&source, written), lines(&code, read), "{code}");
        }
        assert!(!code.contains("x = 1") && !code.contains("cells"));
        let line = lines(&source, "g()").expect("a line") as u32 + 1;
        assert_eq!(cell_at(&source, line), Some(CellLine { cell: 2, line: 2 }));
        assert_eq!(cell_at(&source, 1), None);
        assert_eq!(cells_text(&source), Some(code.replace('#', " ")));
    }

    #[test]
    fn commands_become_statements() {
        for (line, expected) in [
            ("%matplotlib inline", "pass"),
            ("!pip install x", "pass"),
            ("  files = !ls", "pass"),
            ("help?", "pass"),
            ("a % b", "a % b"),
            ("a != b", "a != b"),
            ("%%time", "pass"),
            ("%%bash", ""),
        ] {
            let code = read_python(&notebook(&[("code", &format!("\"{line}\""))], "{}")).expect("code");
            assert_eq!(code.trim(), expected, "{line}");
        }
    }

    #[test]
    fn other_notebooks_are_not_read() {
        let cells = [("code", "\"f()\"")];
        let kernel = |name: &str| format!("{{\"language_info\": {{\"name\": \"{name}\"}}}}");
        assert!(read_python(&notebook(&cells, &kernel("Python3"))).is_some());
        assert!(read_python(&notebook(&cells, &kernel("cobol"))).is_none());
        assert!(read_python(&notebook(&[("code", "\"f()\\n\", \"g()\"")], "{}")).is_none(), "two lines in one");
        assert!(read_python(&notebook(&[("code", "\"f()\\ng()\"")], "{}")).is_none(), "a string with two lines");
        for invalid in ["", "{}", "[", "{\"cells\": 1}", "{\"cells\": [{\"cell_type\": \"code\", \"source\": 1}]}"] {
            assert_eq!(read_python(invalid), None, "{invalid}");
        }
        assert_eq!(read_python(&"[".repeat(100_000)), None);
    }

    proptest! {
        #[test]
        fn offsets_and_lines_stay_the_same(lines in prop::collection::vec("[a-z\"\\\\é😀 %!?=\t\u{1}]{0,12}", 1..8), is_code: bool) {
            let strings: Vec<String> = lines.iter().map(|line| serde_json::to_string(&format!("{line}\n")).expect("JSON")).collect();
            let source = notebook(&[(if is_code { "code" } else { "markdown" }, &strings.join(",\n"))], "{}");
            let code = read_python(&source).expect("code");
            prop_assert_eq!(code.len(), source.len());
            prop_assert_eq!(code.matches('\n').count(), source.matches('\n').count());
        }
    }
}
