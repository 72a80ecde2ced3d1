//! Blanks most rows of data in a dump (`INSERT INTO`, `COPY` in SQL), for the parser only. They
//! define nothing, and a syntax tree takes about 50 bytes for each of their bytes. Offsets and line
//! breaks stay the same.
//!
//! **Cost:** one pass over the lines of a file with more than [`PARSED`] bytes.

use crate::lang::DataRows;
use std::borrow::Cow;

/// Number of bytes of data in a file that are parsed; they name the tables. This is the default limit
/// on the size of a file, so nothing changes below it.
const PARSED: usize = 1 << 20;

/// Returns the text to parse.
pub(super) fn without_rows<'t>(forms: &[DataRows], source: &'t str) -> Cow<'t, [u8]> {
    let mut text = Cow::Borrowed(source.as_bytes());
    if source.len() <= PARSED {
        return text;
    }
    let (mut start, mut seen) = (0, 0);
    // The statement that has not ended yet, and whether its first line is parsed.
    let mut open: Option<(&DataRows, bool)> = None;
    for line in source.split_inclusive('\n') {
        let content = line.trim_end();
        let begun = || forms.iter().find(|form| form.begins(content)).map(|form| (form, seen + line.len() <= PARSED));
        if let Some((form, is_parsed)) = open.or_else(begun) {
            let ends = content.ends_with(&form.end);
            seen += line.len();
            if seen > PARSED {
                // A statement that is partly parsed keeps its end.
                let kept = if ends && is_parsed { form.end.len() } else { 0 };
                text.to_mut()[start..start + content.len() - kept].fill(b' ');
            }
            open = (!ends).then_some((form, is_parsed));
        }
        start += line.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Registry;
    use crate::parse::{Facts, Parser, parse};

    fn forms() -> [DataRows; 2] {
        let form = |start: &str, first_line: &str, end: &str| DataRows {
            start: start.to_owned(),
            first_line: first_line.to_owned(),
            end: end.to_owned(),
        };
        [form("INSERT INTO", "", ";"), form("COPY", "FROM stdin;", "\\.")]
    }

    /// Returns the lines that are parsed of a text that follows a megabyte of data.
    fn parsed_lines(source: &str) -> Vec<String> {
        let row = format!("insert into a values ({}1);\n", "1, ".repeat(100));
        let data = row.repeat(PARSED / row.len());
        let source = data.clone() + source;
        let text = String::from_utf8(without_rows(&forms(), &source).into_owned()).expect("text");
        let breaks = |text: &str| text.match_indices('\n').map(|(at, _)| at).collect::<Vec<_>>();
        assert_eq!((text.len(), breaks(&text)), (source.len(), breaks(&source)));
        assert_eq!(&text[..data.len()], data, "a megabyte is parsed");
        text[data.len()..].lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn rows_after_a_megabyte_are_blank() {
        let values = "(1, 'é'),\n".repeat(100);
        let insert = format!("INSERT INTO b VALUES\n{values}(2);\n");
        let parsed = parsed_lines(&format!("{insert}CREATE TABLE c (d int);\n{insert}select 1;\n"));
        assert_eq!(parsed.first().map(String::as_str), Some("INSERT INTO b VALUES"));
        assert!(parsed.len() < 50, "most rows are blank");
        assert_eq!(parsed[parsed.len() - 3..], [";", "CREATE TABLE c (d int);", "select 1;"]);
    }

    #[test]
    fn a_copy_from_the_standard_input_ends_after_its_rows() {
        let long = format!("INSERT INTO b VALUES ({});\n", "1, ".repeat(300));
        let copy = "COPY b (c) FROM stdin;\n1;\n2\n\\.\n";
        let parsed = parsed_lines(&format!("{long}{copy}COPY b FROM '/c';\n  INSERT INTO b VALUES (1);\n"));
        assert_eq!(parsed, ["COPY b FROM '/c';", "INSERT INTO b VALUES (1);"]);
    }

    #[test]
    fn definitions_around_the_rows_are_found() {
        let registry = Registry::builtin().expect("languages");
        let sql = registry.detect("a.sql").expect("SQL");
        let rows = "INSERT INTO orders VALUES (1, 1.5);\n".repeat(PARSED / 16);
        let source = format!(
            "CREATE TABLE orders (id int, price float);\n{rows}CREATE VIEW prices AS SELECT price FROM orders;\n"
        );
        let language = registry.language(sql).expect("a parser");
        let parsed = parse(&mut Parser::default(), language, "a.sql", &source).expect("read");
        let (Facts { definitions, .. }, _) = parsed.expect("parsed");
        let names: Vec<(&str, u32)> = definitions.iter().map(|found| (&*found.name, found.line)).collect();
        let last = source.lines().count() as u32;
        assert!(names.contains(&("orders", 1)) && names.contains(&("prices", last)), "{names:?}");
    }
}
