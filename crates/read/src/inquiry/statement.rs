//! Splits a passage of text into statements: sentences of prose, rows of a table, or lines of any
//! other text.
//!
//! **Limits:** a sentence ends at `.`, `!` or `?` before a space and a capital letter, except after
//! a title or an initial; in other scripts and in dialogue, this is a guess. The shape of its lines
//! decides whether a paragraph is prose.

use super::passage::{Passage, heading_of, paragraphs};
use std::sync::Arc;
use whichfn_text::{one_line, prefix};

/// Maximum number of bytes in a statement; a longer one is split at a space.
const LONGEST: usize = 1_000;
/// Maximum number of words in a name. A longer one is a sentence that contains a colon.
const NAME_WORDS: usize = 4;
/// Minimum number of words in a line of prose.
const PROSE_WORDS: usize = 4;
/// Minimum percentage of letters, spaces and punctuation in a line of prose.
const PROSE: usize = 93;
/// Abbreviations whose full stop does not end a sentence, in lower case.
const TITLES: &[&str] = &["mr", "mrs", "ms", "dr", "st", "prof", "capt", "no", "vs", "e.g", "i.e", "cf", "fig"];

/// A name, and the text after it.
pub type Field = (String, String);
/// Fields of a record, in the order of the text.
pub type Fields = Arc<[Field]>;

/// One statement in the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statement {
    /// 1-based line number in the file; for a sentence, the line where its paragraph begins.
    pub line: u32,
    /// Name before a colon or an equals sign, if the statement has one.
    pub name: Option<String>,
    /// Text as written, on one line, without the name.
    pub text: String,
    /// Fields of the record around the statement: the columns of a row, or all named lines of the
    /// paragraph.
    pub fields: Fields,
    /// True if the statement is a row of a table.
    pub is_row: bool,
    /// Last heading above the statement, without its `#` marks; `None` before the first heading.
    pub heading: Option<String>,
}

/// Returns the statements of a passage, in order.
pub fn statements(passage: &Passage) -> Vec<Statement> {
    if passage.head.is_some() { rows(passage) } else { prose(passage) }
}

fn rows(passage: &Passage) -> Vec<Statement> {
    let Some(head) = &passage.head else { return Vec::new() };
    let numbered = (passage.line..).zip(passage.text.lines());
    // The first line of the file contains the names of the columns.
    let rows = numbered.filter(|(number, line)| *number > 1 && !line.trim().is_empty());
    rows.map(|(line, row)| {
        let fields: Fields = head.row(row).into();
        let cells: Vec<String> = fields.iter().map(|(column, cell)| format!("{column}: {cell}")).collect();
        Statement { line, text: cells.join(", "), fields, is_row: true, ..Statement::default() }
    })
    .filter(|statement| !statement.fields.is_empty())
    .collect()
}

fn prose(passage: &Passage) -> Vec<Statement> {
    let (mut found, mut line, mut heading) = (Vec::new(), passage.line, passage.heading.clone());
    for paragraph in paragraphs(&passage.text) {
        match heading_of(paragraph) {
            Some(words) => heading = Some(words.to_owned()),
            None if is_prose(paragraph) => {
                let joined = one_line(paragraph);
                let sentences = sentences(&joined).into_iter().flat_map(bounded);
                found.extend(sentences.map(|text| Statement {
                    line,
                    text: text.to_owned(),
                    heading: heading.clone(),
                    ..Statement::default()
                }));
            }
            None => found.extend(lines(paragraph, line, heading.as_ref())),
        }
        line += paragraph.matches('\n').count() as u32;
    }
    found
}

fn lines(paragraph: &str, first: u32, heading: Option<&String>) -> Vec<Statement> {
    let named: Vec<(u32, Option<Field>, String)> = items(paragraph, first)
        .into_iter()
        .filter(|(_, line)| line.chars().any(char::is_alphanumeric))
        .map(|(number, line)| (number, named(&line), line.trim().to_owned()))
        .collect();
    let fields: Fields = named.iter().filter_map(|(_, field, _)| field.clone()).collect();
    let mut statements = Vec::new();
    for (line, field, text) in named {
        let (name, text) = match field {
            Some((name, value)) => (Some(name), value),
            None => (None, text),
        };
        let statement = |text: &str| Statement {
            line,
            name: name.clone(),
            text: text.to_owned(),
            fields: Arc::clone(&fields),
            heading: heading.cloned(),
            ..Statement::default()
        };
        statements.extend(bounded(&text).into_iter().map(statement));
    }
    statements
}

/// Returns the lines of a paragraph with their numbers. Indented lines without a name are joined to
/// the list item above them.
fn items(paragraph: &str, first: u32) -> Vec<(u32, String)> {
    let is_item = |line: &str| {
        let marker = line.split(' ').next().unwrap_or_default();
        ["-", "*", "+"].contains(&marker)
            || marker.strip_suffix('.').is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let mut items: Vec<(u32, String)> = Vec::new();
    for (number, line) in (first..).zip(paragraph.lines()) {
        let goes_on = line.starts_with("  ") && !is_item(line.trim_start()) && named(line).is_none();
        match items.last_mut() {
            Some((_, item)) if goes_on && is_item(item.trim_start()) => {
                item.push(' ');
                item.push_str(line.trim());
            }
            _ => items.push((number, line.to_owned())),
        }
    }
    items
}

/// Parses `name: value` or `name = value`, including after a dash or in quotes.
fn named(line: &str) -> Option<Field> {
    let line = line.trim().trim_start_matches(['-', '*']).trim_start();
    let (name, value) = line.split_once(": ").or_else(|| line.split_once(" = ")).or_else(|| line.split_once('='))?;
    let bare = |text: &str| text.trim().trim_matches(['"', '\'', '*', '`']).trim().to_owned();
    let (name, value) = (bare(name), bare(value.trim_end().trim_end_matches(',')));
    let is_name = name.starts_with(char::is_alphabetic)
        && name.split_whitespace().count() <= NAME_WORDS
        && name.chars().all(|c| c.is_alphanumeric() || "_-./ ".contains(c));
    (is_name && !value.is_empty()).then_some((name, value))
}

fn is_prose(paragraph: &str) -> bool {
    let lines: Vec<&str> = paragraph.lines().filter(|line| !line.trim().is_empty()).collect();
    let is_sentence = |line: &&&str| {
        let line = line.trim();
        let count = line.chars().count();
        let plain = line.chars().filter(|c| c.is_alphabetic() || " .,;:'’\"“”!?—-".contains(*c)).count();
        let starts = line.starts_with(|c: char| c.is_alphabetic() || "'\"“‘(—_".contains(c));
        starts
            && plain * 100 >= PROSE * count
            && line.split_whitespace().count() >= PROSE_WORDS
            && named(line).is_none()
    };
    // The last line of a paragraph may be short.
    let count = lines.iter().filter(is_sentence).count() + usize::from(lines.len() > 1);
    count * 3 > lines.len() * 2
}

/// Splits text without line breaks into sentences.
fn sentences(text: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    for (at, _) in text.match_indices(' ') {
        let before = text[start..at].trim_end_matches(['"', '\'', '”', '’', ')', '_']);
        let next = text[at + 1..].trim_start_matches(['"', '\'', '“', '‘', '(', '_']);
        let starts = next.starts_with(|c: char| !c.is_lowercase());
        if before.ends_with(['.', '!', '?']) && starts && !is_abbreviated(before) {
            found.push(&text[start..at]);
            start = at + 1;
        }
    }
    found.push(&text[start..]);
    found
}

/// Checks whether the full stop at the end of the text belongs to a title or an initial.
fn is_abbreviated(text: &str) -> bool {
    let Some(text) = text.strip_suffix('.') else { return false };
    let word = text.rsplit([' ', '(', '“', '"']).next().unwrap_or_default();
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase) && word != "I";
    is_initial || TITLES.contains(&word.to_lowercase().as_str())
}

/// Splits a string into parts of at most [`LONGEST`] bytes, at spaces if possible.
fn bounded(text: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), text);
    while rest.len() > LONGEST {
        let from = prefix(rest, LONGEST).len();
        let cut = rest[..from].rfind(' ').filter(|&at| at > 0).unwrap_or(from);
        found.push(rest[..cut].trim_end());
        rest = rest[cut..].trim_start();
    }
    found.push(rest);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inquiry::TableHead;

    fn read(text: &str) -> Vec<Statement> {
        statements(&Passage { file: "t".into(), line: 1, text: text.into(), ..Passage::default() })
    }

    fn texts(text: &str) -> Vec<String> {
        read(text).into_iter().map(|statement| statement.text).collect()
    }

    #[test]
    fn splits_prose_into_sentences_across_lines() {
        let prose = "Mr. Starbuck looked at the sea, which was\ncalm. \"Where is he?\" asked J. R. Smith of the mate. He\nwas gone.\n";
        assert_eq!(
            texts(prose),
            [
                "Mr. Starbuck looked at the sea, which was calm.",
                "\"Where is he?\" asked J. R. Smith of the mate.",
                "He was gone."
            ]
        );
    }

    #[test]
    fn splits_a_log_into_lines() {
        let log =
            "2024-05-01 12:00:01 INFO  web: started on port 80\n2024-05-01 12:00:02 ERROR db: lost the connection\n";
        assert_eq!(texts(log).len(), 2);
        assert!(read(log)[1].name.is_none() && read(log)[1].line == 2);
    }

    #[test]
    fn reads_names_and_records_of_named_lines() {
        let statements = read("# Ship\n\n- name: Pequod\nport = Nantucket\n\"masts\": 3,\n");
        let named: Vec<(&str, &str)> =
            statements.iter().map(|u| (u.name.as_deref().unwrap_or(""), u.text.as_str())).collect();
        assert_eq!(named, [("name", "Pequod"), ("port", "Nantucket"), ("masts", "3")]);
        assert!(
            statements
                .iter()
                .all(|statement| statement.heading.as_deref() == Some("Ship") && statement.fields.len() == 3)
        );
        assert_eq!(statements[2].line, 5);
    }

    #[test]
    fn a_list_item_includes_its_indented_lines() {
        let list = "1. Copy the file of the\n   nearest port.\n2. Sail.\n- name: Heron\n  port: Maren\n";
        assert_eq!(texts(list), ["1. Copy the file of the nearest port.", "2. Sail.", "Heron", "Maren"]);
        assert_eq!(read(list).iter().map(|statement| statement.line).collect::<Vec<_>>(), [1, 3, 4, 5]);
    }

    #[test]
    fn a_row_contains_its_column_names() {
        let head = TableHead { delimiter: ',', columns: vec!["metal".into(), "price".into()] };
        let passage =
            |line, text: &str| Passage { line, head: Some(head.clone()), text: text.into(), ..Passage::default() };
        let first = statements(&passage(1, "metal,price\ncopper,9.2\n"));
        assert_eq!((first[0].text.as_str(), first[0].line, first.len()), ("metal: copper, price: 9.2", 2, 1));
        assert_eq!(statements(&passage(9, "zinc,\n"))[0].text, "metal: zinc");
    }

    #[test]
    fn limits_very_long_lines() {
        assert!(texts(&"word ".repeat(1000)).iter().all(|text| text.len() <= LONGEST));
        assert!(texts(&"é".repeat(5000)).iter().all(|text| text.len() <= LONGEST));
    }
}
