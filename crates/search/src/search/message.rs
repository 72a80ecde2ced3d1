//! Recognizes a pasted error message or log line, in the formats of all languages, and separates
//! its text from the level, time or type in front of it.
//!
//! The marks are data (`message_marks.txt`).

use std::sync::LazyLock;

/// Marks by kind.
#[derive(Default)]
struct Marks {
    starts: Vec<&'static str>,
    inside: Vec<&'static str>,
    types: Vec<&'static str>,
    levels: Vec<&'static str>,
}

static MARKS: LazyLock<Marks> = LazyLock::new(|| {
    let mut marks = Marks::default();
    for line in include_str!("message_marks.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(' ') {
            Some(("start", mark)) => marks.starts.push(mark),
            Some(("inside", mark)) => marks.inside.push(mark),
            Some(("type", mark)) => marks.types.push(mark),
            Some(("level", mark)) => marks.levels.push(mark),
            _ => {}
        }
    }
    marks
});

/// Quotation marks around a quoted message.
const QUOTES: [char; 3] = ['"', '`', '\''];

/// Checks whether a string looks like a program's error message or log line.
pub(super) fn is_message(text: &str) -> bool {
    let text = text.trim();
    let (rest, has_front) = after_front(text);
    unquoted(text).is_some()
        || has_front
        || starts_with_mark(rest)
        || type_before_colon(rest).is_some()
        || type_at_end(text).is_some()
        || MARKS.inside.iter().any(|mark| text.contains(mark))
}

/// Returns the part of a message that its program wrote, without quotation marks, time, level and
/// error type.
pub fn message_text(text: &str) -> &str {
    let text = text.trim();
    let mut rest = after_front(unquoted(text).unwrap_or(text)).0;
    while let Some((_, after)) = type_before_colon(rest).or_else(|| level_before_colon(rest)) {
        rest = after_front(after).0;
    }
    let rest = type_at_end(rest).unwrap_or(rest);
    if rest.is_empty() { text } else { rest }
}

/// Returns the text between quotation marks, if they enclose all of it.
fn unquoted(text: &str) -> Option<&str> {
    let inside = QUOTES.iter().find_map(|&quote| text.strip_prefix(quote)?.strip_suffix(quote).map(|t| (quote, t)));
    inside.filter(|(quote, text)| !text.is_empty() && !text.contains(*quote)).map(|(_, text)| text)
}

fn starts_with_mark(text: &str) -> bool {
    let is_whole = |mark: &str, rest: &str| {
        !mark.ends_with(char::is_alphanumeric) || rest.starts_with(|c: char| !c.is_alphanumeric())
    };
    MARKS.starts.iter().any(|mark| text.strip_prefix(mark).is_some_and(|rest| is_whole(mark, rest)))
}

/// Returns the text after times, dates, numbers and brackets at the start, and whether these
/// contain a time or a level, as in a log line.
fn after_front(text: &str) -> (&str, bool) {
    let (mut rest, mut is_log) = (text.trim_start(), false);
    loop {
        let bracketed = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let Some((front, after)) = bracketed.or_else(|| rest.split_once(char::is_whitespace).filter(is_number)) else {
            return (rest, is_log);
        };
        let separators = front.matches([':', '/', '-', '.']).count();
        let is_time = front.starts_with(|c: char| c.is_ascii_digit()) && separators >= 2;
        is_log |= is_time || MARKS.levels.iter().any(|level| front.eq_ignore_ascii_case(level));
        rest = after.trim_start().trim_start_matches(':').trim_start();
    }
}

/// Checks whether the first word is a number, date or time.
fn is_number((word, _): &(&str, &str)) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || c == '*')
        && word.chars().all(|c| c.is_ascii_digit() || ":.,-/+#*TZ".contains(c))
}

/// Returns the error type before the first colon, such as `java.io.IOException`, and the text after
/// it.
fn type_before_colon(text: &str) -> Option<(&str, &str)> {
    let (front, rest) = text.split_once(": ")?;
    let is_balanced = front.matches('(').count() == front.matches(')').count();
    let head = front.split('(').next().unwrap_or(front);
    let name = head.split_whitespace().next_back()?;
    let is_type = is_balanced && is_error_type(name) && head.split_whitespace().count() <= 4;
    // A signature with a return type, such as `fatalError(code): number`, is not a message.
    (is_type && (head == front || rest.split_whitespace().nth(1).is_some())).then_some((name, rest))
}

/// Returns a level or another mark of one word before the first colon, and the text after it.
fn level_before_colon(text: &str) -> Option<(&str, &str)> {
    let (front, rest) = text.split_once(": ")?;
    let is_mark = MARKS.starts.iter().any(|mark| mark.strip_suffix(':') == Some(front));
    is_mark.then_some((front, rest))
}

/// Returns the text before an error type in parentheses, such as `(RuntimeError)`, at the end.
fn type_at_end(text: &str) -> Option<&str> {
    let (front, name) = text.trim_end().strip_suffix(')')?.rsplit_once(" (")?;
    is_error_type(name).then_some(front)
}

fn is_error_type(name: &str) -> bool {
    let is_name = name.chars().all(|c| c.is_alphanumeric() || "_.:\\$".contains(c));
    is_name
        && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && MARKS.types.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_messages_of_all_languages() {
        for text in [
            "panic: assignment to entry in nil map",
            "error[E0382]: borrow of moved value: `a`",
            "ValueError: day is out of range",
            "Exception in thread \"main\" java.lang.IllegalStateException: closed",
            "PHP Fatal error:  Uncaught LogicException: no handler",
            "System.ArgumentException: must not be empty (Parameter 'name')",
            "undefined local variable or method 'x' (NameError)",
            "2026/02/03 11:22:33 [error] 31#31: *4 upstream timed out",
            "[2026-03-01 10:12:44,871] WARN the broker is not available",
            "thread 'main' panicked: index out of bounds",
            "\"connection reset by peer\"",
        ] {
            assert!(is_message(text), "{text}");
        }
        for text in ["which function panics", "information about errors", "Trace the path of a ray", "ERRORS"] {
            assert!(!is_message(text), "{text}");
        }
    }

    #[test]
    fn text_of_a_message_has_no_level_time_or_type() {
        assert_eq!(message_text("ValueError: day is out of range"), "day is out of range");
        assert_eq!(message_text("java.io.IOException: error: no space"), "no space");
        assert_eq!(message_text("undefined method 'x' (NoMethodError)"), "undefined method 'x'");
        assert_eq!(message_text("2026/02/03 11:22:33 [error] 31#31: *4 upstream timed out"), "upstream timed out");
        assert_eq!(message_text("\"no such file\""), "no such file");
    }
}
