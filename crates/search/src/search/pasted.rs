//! Recognizes text pasted from code or a terminal: an identifier, a signature, a stack trace.

use super::issue::{frame, has_file_ending, is_file, place_in};

/// File and line of a stack frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackFrame {
    /// Path as written: absolute, relative, or only a file name.
    pub path: String,
    /// 1-based line number.
    pub line: u32,
}

/// Finds the places of a stack trace, in the order of the text: those of the frames of an issue's
/// traces, and `src/a.rs:3:7` anywhere in a line.
pub(super) fn stack_frames(text: &str) -> Vec<StackFrame> {
    let place = |(path, line): (&str, Option<u32>)| Some(StackFrame { path: path.to_owned(), line: line? });
    let is_between = |c: char| c.is_whitespace() || "()[]\"'`,".contains(c);
    let in_words = |line: &str| -> Vec<StackFrame> {
        let places = line.split(is_between).filter_map(|word| place_in(word.trim_end_matches(':')));
        places.filter(|(path, _)| is_file(path)).filter_map(place).collect()
    };
    let of_line = |line: &str| match frame(line).and_then(|frame| place((&frame.path, frame.line))) {
        Some(place) if !place.path.is_empty() => vec![place],
        _ => in_words(line),
    };
    text.lines().flat_map(of_line).collect()
}

/// Returns the name in a pasted identifier or signature, such as `parse_date`, `Session.renew` or
/// `fn decode(bytes: &[u8])`.
///
/// The result is empty for any other text.
pub(super) fn identifiers(text: &str) -> Vec<String> {
    let text = text.trim();
    let head = text.split('(').next().unwrap_or(text).trim();
    let name = head.split_whitespace().next_back().unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || "_.:#$".contains(c);
    let shaped = name.contains(['_', '.', '#']) || name.contains("::") || has_hump(name);
    let signature = text.contains('(') && text.find('(') == Some(head.len()) && head.split_whitespace().count() <= 4;
    let alone = !text.contains(char::is_whitespace);
    match !name.is_empty() && name.chars().all(is_name) && !name.ends_with(['.', ':']) && (signature || alone && shaped)
    {
        true => vec![name.replace("::", ".").replace('#', ".")],
        false => Vec::new(),
    }
}

/// Returns the names in code form in a sentence: `app.set`, `fmt::arg`, `CodeBlock`, `next()`.
pub(super) fn code_names(text: &str) -> Vec<String> {
    let is_around = |c: char| !c.is_alphanumeric() && !"_()".contains(c);
    // "e.g" is no name, and neither is a file.
    let is_kept = |name: &String| !has_file_ending(name) && name.rsplit('.').all(|part| part.len() > 1);
    text.split_whitespace().flat_map(|word| identifiers(word.trim_matches(is_around))).filter(is_kept).collect()
}

/// Checks whether an upper-case letter follows a lower-case one, as in `camelCase` or `TwoWords`.
fn has_hump(name: &str) -> bool {
    name.as_bytes().windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_stack_frames_of_many_languages() {
        let frames = |text: &str| stack_frames(text).into_iter().map(|p| (p.path, p.line)).collect::<Vec<_>>();
        assert_eq!(frames("  File \"app/views.py\", line 88, in login"), [("app/views.py".to_owned(), 88)]);
        assert_eq!(frames("thread 'main' panicked at src/walk/read.rs:42:9:"), [("src/walk/read.rs".to_owned(), 42)]);
        assert_eq!(frames("at com.a.Parser.next(Parser.java:120)"), [("Parser.java".to_owned(), 120)]);
        assert_eq!(frames("#0 /a/b.php(12): Parser->next()"), [("/a/b.php".to_owned(), 12)]);
        assert_eq!(frames("   at A.Next() in C:\\a\\Parser.cs:line 12"), [("C:/a/Parser.cs".to_owned(), 12)]);
        assert_eq!(frames("where is the ratio 3:4 kept"), []);
    }

    #[test]
    fn finds_names_in_sentences() {
        assert_eq!(code_names("where does app.set keep the settings"), ["app.set"]);
        assert_eq!(code_names("callers of `fmt::arg`, next() and CodeBlock?"), ["fmt.arg", "next", "CodeBlock"]);
        for text in ["Which function reads Cargo.toml, e.g. in a workspace", "the HTTP server (see README)"] {
            assert!(code_names(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn recognizes_pasted_names_and_signatures() {
        assert_eq!(identifiers("Session.renew"), ["Session.renew"]);
        assert_eq!(identifiers("parse_date"), ["parse_date"]);
        assert_eq!(identifiers("pub fn decode(bytes: &[u8]) -> Option<Cow<str>>"), ["decode"]);
        assert_eq!(identifiers("Type::method"), ["Type.method"]);
        for text in ["login", "parse a date", "which function closes the session (politely)", "e.g."] {
            assert!(identifiers(text).is_empty(), "{text}");
        }
    }
}
