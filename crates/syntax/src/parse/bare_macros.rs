//! Separates macros that stand in place of declarations, without a semicolon, from what follows.
//!
//! The parser does not expand macros. In `struct request { REQUEST_FIELDS int status; };` it would
//! read `REQUEST_FIELDS int` as a declaration, and often lose the rest of the file. A line that
//! consists only of such a name therefore gets a semicolon in place of the white space after it
//! or, if there is none, becomes white space. Offsets and line breaks stay the same.
//!
//! **Cost:** one pass over the lines.

use std::borrow::Cow;

/// Returns the text to parse.
pub(super) fn separated(source: &str) -> Cow<'_, [u8]> {
    let bytes = source.as_bytes();
    let mut separated = Cow::Borrowed(bytes);
    let (mut at, mut before, mut is_continued) = (0, b';', false);
    for line in source.split_inclusive('\n') {
        let (start, text) = (at, without_comment(line).trim());
        at += line.len();
        let was_continued = std::mem::replace(&mut is_continued, text.ends_with('\\'));
        if was_continued || is_comment_or_directive(line.trim()) {
            continue;
        }
        let stands_apart = line.starts_with([' ', '\t']) || is_end(text);
        if is_macro(text) && stands_apart && begins_declaration(before, &source[at..]) {
            let name = start + line.len() - line.trim_start().len();
            separate(separated.to_mut(), name, name + text.len());
            before = b';';
            continue;
        }
        before = text.bytes().next_back().unwrap_or(before);
    }
    separated
}

fn without_comment(line: &str) -> &str {
    let end = line.find("//").into_iter().chain(line.find("/*")).min();
    &line[..end.unwrap_or(line.len())]
}

fn is_comment_or_directive(text: &str) -> bool {
    ["#", "//", "/*", "*"].iter().any(|start| text.starts_with(start)) || text.is_empty()
}

/// Checks whether a line consists of a name in capital letters.
fn is_macro(text: &str) -> bool {
    let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    text.len() > 2 && text.as_bytes()[0].is_ascii_uppercase() && text.bytes().all(is_capital)
}

/// Checks whether a name is that of a macro that ends what another macro began (`END_TEST`). Other
/// names at the start of a line may belong to the declaration on the next line (`EXPORT`).
fn is_end(text: &str) -> bool {
    text.split('_').any(|word| word == "END")
}

/// Checks whether a declaration or statement may begin between these parts of a text, and the name
/// is not the only enumerator of an enum.
fn begins_declaration(before: u8, after: &str) -> bool {
    let next = after.lines().map(str::trim).find(|text| !is_comment_or_directive(text));
    let next = next.and_then(|text| text.bytes().next());
    let is_name = next.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    match before {
        b';' | b'}' => is_name || next == Some(b'}'),
        b'{' => is_name,
        _ => false,
    }
}

/// Puts a semicolon after a name, or removes the name.
fn separate(text: &mut [u8], start: usize, end: usize) {
    let space = |at: &usize| text.get(*at).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
    match [end, end + 1].iter().find(|at| space(at)) {
        Some(&at) => text[at] = b';',
        None => text[start..end].fill(b' '),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(source: &str) -> String {
        let text = separated(source).into_owned();
        assert_eq!(text.len(), source.len());
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn macro_in_place_of_fields_ends_with_a_semicolon() {
        assert_eq!(parsed("struct a {\n  FIELDS\n  int b;\n};"), "struct a {\n  FIELDS\n; int b;\n};");
        assert_eq!(parsed("struct a {\n  int b;\n  FIELDS\n};"), "struct a {\n  int b;\n        \n};");
        assert_eq!(
            parsed("struct a {\n  int b; // b\n  FIELDS // c\n};"),
            "struct a {\n  int b; // b\n  FIELDS;// c\n};"
        );
        assert_eq!(
            parsed("START_TEST(a) {\n}\nEND_TEST\n\nSTART_TEST(b) {\n}\nEND_TEST\n"),
            "START_TEST(a) {\n}\n        \n\nSTART_TEST(b) {\n}\nEND_TEST\n"
        );
        let several = "struct a {\n  FIELDS\n  /* private */\n  MORE_FIELDS\n};\n";
        assert_eq!(parsed(several), "struct a {\n  FIELDS\n; /* private */\n             \n};\n");
    }

    #[test]
    fn other_names_in_capital_letters_stay() {
        for source in [
            "enum a {\n  ONE,\n  TWO\n};",
            "enum a {\n  ONE\n};",
            "int a = B |\n  FLAG\n  ;",
            "#define A \\\n  { \\\n  FIELDS \\\n  int b; }\n",
            "API\nint a(void);",
            "int a[] = {\n  ONE,\n  TWO };",
        ] {
            assert_eq!(parsed(source), source);
        }
    }
}
