//! Escapes and parses quoted text as written in JSON and Python.

use std::fmt::Write;

/// Appends `text` between `quote` characters. [`read_quoted`] returns the same text for any
/// content.
pub(super) fn write_quoted(out: &mut String, text: &str, quote: char) {
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            // Writing to a string cannot fail.
            c if c < ' ' => drop(write!(out, "\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push(quote);
}

/// Parses the quoted text that starts at byte `at`. Returns the text and the offset after the
/// closing quote, or `None` if there is no closing quote.
///
/// Accepts the escapes of JSON and Python. Any other escape is kept as written (`\d`), and an
/// apostrophe between two letters does not close the text (`'it's'`), because models write both.
pub(super) fn read_quoted(text: &str, at: usize) -> Option<(String, usize)> {
    let quote = text[at..].chars().next()?;
    let mut rest = text[at + quote.len_utf8()..].char_indices().peekable();
    let (mut read, mut before) = (String::new(), quote);
    while let Some((offset, c)) = rest.next() {
        if c == '\\' {
            let (_, escaped) = rest.next()?;
            escape(escaped, &mut rest, &mut read);
        } else if c == quote {
            let inside =
                quote == '\'' && before.is_alphanumeric() && rest.peek().is_some_and(|(_, next)| next.is_alphabetic());
            if !inside {
                return Some((read, at + quote.len_utf8() + offset + quote.len_utf8()));
            }
            read.push(c);
        } else {
            read.push(c);
        }
        before = c;
    }
    None
}

type Rest<'a> = std::iter::Peekable<std::str::CharIndices<'a>>;

fn escape(c: char, rest: &mut Rest, read: &mut String) {
    match c {
        'n' => read.push('\n'),
        'r' => read.push('\r'),
        't' => read.push('\t'),
        'b' => read.push('\u{8}'),
        'f' => read.push('\u{c}'),
        '\n' => {}
        'u' | 'x' => coded(c, rest, read),
        '\\' | '/' | '"' | '\'' | '`' => read.push(c),
        other => read.extend(['\\', other]),
    }
}

/// Parses an escaped character such as `\u00e4`, `\ud83d\ude00` or `\xe4`. An invalid character
/// becomes U+FFFD; an invalid code is kept as written.
fn coded(kind: char, rest: &mut Rest, read: &mut String) {
    let digits = if kind == 'u' { 4 } else { 2 };
    let Some(mut code) = hex(rest, digits) else {
        read.extend(['\\', kind]);
        return;
    };
    if (0xD800..0xDC00).contains(&code) {
        let mut ahead = rest.clone();
        if (ahead.next().map(|c| c.1), ahead.next().map(|c| c.1)) == (Some('\\'), Some('u'))
            && let Some(low) = hex(&mut ahead, 4).filter(|low| (0xDC00..0xE000).contains(low))
        {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            *rest = ahead;
        }
    }
    read.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
}

fn hex(rest: &mut Rest, digits: usize) -> Option<u32> {
    let mut ahead = rest.clone();
    let mut code = 0;
    for _ in 0..digits {
        code = code * 16 + ahead.next()?.1.to_digit(16)?;
    }
    *rest = ahead;
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        read_quoted(text, 0).map(|(read, _)| read)
    }

    #[test]
    fn resolves_escapes_of_json_and_python() {
        assert_eq!(read(r#""a\n\"b\" \u00e4\ud83d\ude00\/""#).as_deref(), Some("a\n\"b\" ä😀/"));
        assert_eq!(read(r"'it\'s \xe4'").as_deref(), Some("it's ä"));
    }

    #[test]
    fn keeps_unknown_escapes() {
        assert_eq!(read(r#""\d+ \u12 \xg""#).as_deref(), Some(r"\d+ \u12 \xg"));
        assert_eq!(read(r#""\ud800""#).as_deref(), Some("\u{fffd}"));
    }

    #[test]
    fn an_apostrophe_in_a_word_does_not_close_the_quote() {
        assert_eq!(read_quoted("'the page's end', 1", 0), Some(("the page's end".into(), 16)));
    }

    #[test]
    fn an_unclosed_quote_is_none() {
        assert_eq!(read("\"abc"), None);
        assert_eq!(read("\"abc\\"), None);
    }
}
