//! Recognizes text pasted from code or a terminal: an identifier, a signature, a stack trace.

use super::issue::{TraceFrame, has_file_ending, is_file, place_in, read_frames};

/// Words that may follow the parameters of a signature. Any other word there belongs to a sentence.
const AFTER_PARAMETERS: [&str; 13] = [
    "throws", "rethrows", "async", "await", "const", "noexcept", "override", "final", "volatile", "where", "returns",
    "is", "as",
];

/// Finds the frames of a stack trace, the innermost first, or else `src/a.rs:3:7` anywhere in a
/// line. Returns nothing if no frame has a line of a file.
pub(super) fn stack_frames(text: &str) -> Vec<TraceFrame> {
    let frames = read_frames(text);
    if frames.iter().any(|frame| !frame.path.is_empty() && frame.line.is_some()) {
        return frames;
    }
    let is_between = |c: char| c.is_whitespace() || "()[]\"'`,".contains(c);
    let places = text.split(is_between).filter_map(|word| place_in(word.trim_end_matches(':')));
    let places = places.filter(|(path, line)| is_file(path) && line.is_some());
    let frame = |(depth, (path, line)): (usize, (&str, Option<u32>))| TraceFrame {
        path: path.trim_start_matches("./").replace('\\', "/"),
        line,
        depth,
        ..TraceFrame::default()
    };
    places.enumerate().map(frame).collect()
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
    let signature = text.find('(') == Some(head.len())
        && head.split_whitespace().count() <= 4
        && !continues_as_sentence(&text[head.len()..]);
    let alone = !text.contains(char::is_whitespace);
    match !name.is_empty() && name.chars().all(is_name) && !name.ends_with(['.', ':']) && (signature || alone && shaped)
    {
        true => vec![name.replace("::", ".").replace('#', ".")],
        false => Vec::new(),
    }
}

/// Checks whether a sentence continues after the parentheses that a text begins with, as in "wait()
/// must not be called".
fn continues_as_sentence(text: &str) -> bool {
    let mut depth = 0_usize;
    let end = text.find(|c: char| {
        depth = (depth + usize::from(c == '(')).saturating_sub(usize::from(c == ')'));
        depth == 0
    });
    let after = end.map_or("", |end| &text[end + 1..]);
    let mut words = after.split_whitespace();
    let is_plain = |word: &str| word.chars().all(char::is_alphabetic) && !AFTER_PARAMETERS.contains(&word);
    after.starts_with(char::is_whitespace) && words.next().is_some_and(is_plain) && words.next().is_some()
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
        let frames = |text: &str| -> Vec<(String, u32)> {
            stack_frames(text).into_iter().map(|frame| (frame.path, frame.line.unwrap_or_default())).collect()
        };
        assert_eq!(frames("  File \"app/views.py\", line 88, in login"), [("app/views.py".to_owned(), 88)]);
        assert_eq!(frames("thread 'main' panicked at src/walk/read.rs:42:9:"), [("src/walk/read.rs".to_owned(), 42)]);
        assert_eq!(frames("at com.a.Parser.next(Parser.java:120)"), [("Parser.java".to_owned(), 120)]);
        assert_eq!(frames("#0 /a/b.php(12): Parser->next()"), [("/a/b.php".to_owned(), 12)]);
        assert_eq!(frames("   at A.Next() in C:\\a\\Parser.cs:line 12"), [("C:/a/Parser.cs".to_owned(), 12)]);
        assert_eq!(frames("see src/a.c:12: cannot open it"), [("src/a.c".to_owned(), 12)]);
        assert_eq!(frames("where is the ratio 3:4 kept"), []);
    }

    #[test]
    fn the_innermost_frame_is_first_in_every_format() {
        let functions = |text: &str| -> Vec<String> { stack_frames(text).into_iter().map(|it| it.function).collect() };
        let python = "Traceback (most recent call last):\n  File \"a.py\", line 9, in main\n    run()\n  \
                      File \"b.py\", line 3, in run\n    raise ValueError\nValueError: no";
        assert_eq!(functions(python), ["run", "main"]);
        let node = "Error: no\n    at run (/x/b.js:3:1)\n    at main (/x/a.js:9:1)";
        assert_eq!(functions(node), ["run", "main"]);
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
        assert_eq!(identifiers("void read(int fd) const noexcept"), ["read"]);
        for text in [
            "login",
            "parse a date",
            "which function closes the session (politely)",
            "e.g.",
            "BUG DETECTED: wait() must not be called when on an EventLoop.",
            "close(fd) failed with an error",
        ] {
            assert!(identifiers(text).is_empty(), "{text}");
        }
    }
}
