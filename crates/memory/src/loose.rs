//! Parses objects leniently, as models write them: JSON, almost JSON, or Python literals.
//!
//! In addition to JSON, the parser accepts single, double and triple quotes, bare words as keys and
//! values, `True`, `None`, tuples, extra or missing commas, comments (`//`, `/* */`, `#`), and line
//! breaks in strings. Null values (`None`, `???`) are omitted.
//!
//! - **Cost:** one pass; the nesting depth is limited to [`MAX_NESTING`].

use super::quoted::read_quoted;
use super::value::{Map, Value};

/// Maximum number of nested brackets. Deeper nesting is rejected, so that a reply cannot overflow
/// the stack.
pub(super) const MAX_NESTING: usize = 64;

/// Reason why an object could not be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParseError {
    /// The text ends inside the object.
    CutOff,
    /// The text is not an object, for the given reason.
    Unread(&'static str),
}

/// A text and the current position in it.
pub(super) struct LooseParser<'a> {
    text: &'a str,
    /// Offset of the next byte.
    pub(super) at: usize,
    /// Number of names followed by a colon that were found so far.
    pub(super) names: usize,
    /// Fields of the outermost object, if the text ends inside it. A list that is a field of this
    /// object contains the values before the end.
    pub(super) unfinished: Map,
    /// Values of the list in which the text ends, if that list is a field of the outermost object.
    cut_list: Option<Vec<Value>>,
}

type Read<T> = Result<T, ParseError>;

/// Parses a string that consists of a single value, or returns `None` if it does not.
pub(super) fn parse(text: &str) -> Option<Value> {
    let mut loose = LooseParser::new(text, 0);
    let value = loose.value(0).ok()??;
    loose.skip();
    loose.peek().is_none().then_some(value)
}

impl<'a> LooseParser<'a> {
    /// Creates a parser that starts at byte `at`.
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, names: 0, unfinished: Map::new(), cut_list: None }
    }

    /// Parses the object that starts at the current position.
    pub(super) fn object(&mut self) -> Read<Map> {
        self.map(0)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn starts(&self, with: &str) -> bool {
        self.text[self.at..].starts_with(with)
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let spaces = rest.len() - rest.trim_start().len();
            let end = match &rest.as_bytes()[spaces..] {
                [b'#', ..] | [b'/', b'/', ..] => rest.find_after(spaces, "\n"),
                [b'/', b'*', ..] => rest.find_after(spaces, "*/"),
                _ => {
                    self.at += spaces;
                    return;
                }
            };
            self.at += end;
        }
    }

    fn value(&mut self, depth: usize) -> Read<Option<Value>> {
        self.skip();
        match self.peek() {
            None => Err(ParseError::CutOff),
            Some('{') => Ok(Some(Value::Map(self.map(depth)?))),
            Some('[') => Ok(Some(self.list(']', depth)?)),
            Some('(') => Ok(Some(self.list(')', depth)?)),
            Some('"' | '\'') => Ok(Some(Value::Str(self.quoted()?))),
            Some('?') => {
                self.run(|c| c == '?');
                Ok(None)
            }
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => Ok(Some(self.number()?)),
            Some(c) if c.is_alphabetic() || matches!(c, '_' | '$') => self.word(),
            Some(_) => Err(ParseError::Unread("expected a value")),
        }
    }

    fn map(&mut self, depth: usize) -> Read<Map> {
        self.enter(depth)?;
        let mut map = Map::new();
        match self.fields(&mut map, depth) {
            Ok(()) => Ok(map),
            Err(failure) => {
                if failure == ParseError::CutOff && depth == 0 {
                    self.unfinished = map;
                }
                Err(failure)
            }
        }
    }

    fn fields(&mut self, map: &mut Map, depth: usize) -> Read<()> {
        loop {
            self.skip();
            match self.peek() {
                None => return Err(ParseError::CutOff),
                Some('}') => break,
                Some(',') => {
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let name = self.name()?;
            self.skip();
            match self.peek() {
                None => return Err(ParseError::CutOff),
                Some(':') => self.at += 1,
                Some(_) => return Err(ParseError::Unread("`:` is missing after a name")),
            }
            self.names += 1;
            match self.value(depth + 1) {
                Ok(Some(value)) => drop(map.insert(name, value)),
                Ok(None) => {}
                Err(failure) => {
                    if let Some(list) = self.cut_list.take() {
                        map.insert(name, Value::List(list));
                    }
                    return Err(failure);
                }
            }
        }
        self.at += 1;
        Ok(())
    }

    fn list(&mut self, close: char, depth: usize) -> Read<Value> {
        self.enter(depth)?;
        let mut list = Vec::new();
        match self.values(&mut list, close, depth) {
            Ok(()) => Ok(Value::List(list)),
            Err(failure) => {
                if failure == ParseError::CutOff && depth == 1 {
                    self.cut_list = Some(list);
                }
                Err(failure)
            }
        }
    }

    fn values(&mut self, list: &mut Vec<Value>, close: char, depth: usize) -> Read<()> {
        loop {
            self.skip();
            match self.peek() {
                None => return Err(ParseError::CutOff),
                Some(c) if c == close => break,
                Some(',') => self.at += 1,
                Some(_) => list.extend(self.value(depth + 1)?),
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Skips an opening bracket and checks the nesting depth.
    fn enter(&mut self, depth: usize) -> Read<()> {
        self.at += 1;
        if depth < MAX_NESTING { Ok(()) } else { Err(ParseError::Unread("nested too deeply")) }
    }

    fn name(&mut self) -> Read<String> {
        match self.peek() {
            Some('"' | '\'') => self.quoted(),
            Some(c) if is_word(c) => Ok(self.run(is_word).to_string()),
            _ => Err(ParseError::Unread("expected a name")),
        }
    }

    fn quoted(&mut self) -> Read<String> {
        if let Some(quotes) = ["\"\"\"", "'''"].into_iter().find(|quotes| self.starts(quotes)) {
            let start = self.at + quotes.len();
            let length = self.text[start..].find(quotes).ok_or_else(|| self.end())?;
            self.at = start + length + quotes.len();
            return Ok(self.text[start..start + length].to_string());
        }
        let (text, end) = read_quoted(self.text, self.at).ok_or_else(|| self.end())?;
        self.at = end;
        Ok(text)
    }

    /// Moves to the end of the text, because the text ended inside a value.
    fn end(&mut self) -> ParseError {
        self.at = self.text.len();
        ParseError::CutOff
    }

    fn number(&mut self) -> Read<Value> {
        let run = self.run(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_'));
        if let Ok(number) = run.parse() {
            return Ok(Value::Int(number));
        }
        match run.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Value::Float(number)),
            Ok(_) => Err(ParseError::Unread("the number is not finite")),
            Err(_) => Err(ParseError::Unread("invalid number")),
        }
    }

    fn word(&mut self) -> Read<Option<Value>> {
        let word = self.run(is_word);
        if self.at == self.text.len() {
            return Err(ParseError::CutOff);
        }
        match word {
            "true" | "True" | "TRUE" => Ok(Some(Value::Bool(true))),
            "false" | "False" | "FALSE" => Ok(Some(Value::Bool(false))),
            "null" | "None" | "nil" | "undefined" => Ok(None),
            "NaN" | "nan" | "Infinity" | "inf" => Err(ParseError::Unread("the number is not finite")),
            other => Ok(Some(other.into())),
        }
    }

    fn run(&mut self, goes_on: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let run = &rest[..rest.find(|c| !goes_on(c)).unwrap_or(rest.len())];
        self.at += run.len();
        run
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$')
}

trait FindAfter {
    /// Returns the offset after the next `end` at or after `at`, or the length of the text if there
    /// is none.
    fn find_after(&self, at: usize, end: &str) -> usize;
}

impl FindAfter for str {
    fn find_after(&self, at: usize, end: &str) -> usize {
        self[at..].find(end).map_or(self.len(), |length| at + length + end.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        parse(text).unwrap().to_string()
    }

    #[test]
    fn parses_json() {
        let text = r#"{"a":[1,-2.5,true,"x\n"],"":{"b":{}}}"#;
        assert_eq!(read(text), text);
    }

    #[test]
    fn parses_python_and_almost_json() {
        for (text, expected) in [
            ("{'a': True, 'b': None, 'd': (1, 2.0,)}", r#"{"a":true,"d":[1,2.0]}"#),
            ("{a: add, b: ???,}", r#"{"a":"add"}"#),
            ("{\"a\": 1 // one\n # two\n \"b\": /* three */ 2}", r#"{"a":1,"b":2}"#),
            ("{\"a\": \"one\ntwo\"}", r#"{"a":"one\ntwo"}"#),
            ("{'a': 'it's', \"b\": '''x\"y'''}", r#"{"a":"it's","b":"x\"y"}"#),
            ("{,\"a\": [1 2,,3],,}", r#"{"a":[1,2,3]}"#),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn distinguishes_truncated_from_invalid_text() {
        let fails = |text: &str| LooseParser::new(text, 0).object().unwrap_err();
        for text in
            ["{", "{\"a", "{\"a\"", "{\"a\":", "{\"a\": 'x", "{\"a\": [1, 2", "{\"a\": tr", "{\"a\": {\"b\": 1}"]
        {
            assert_eq!(fails(text), ParseError::CutOff, "{text}");
        }
        for text in ["{{", "{a b}", "{\"a\": NaN}", "{\"a\": -inf}", "{\"a\": 1e999}", "{\"a\": 1x}", "{\"a\": ]}"] {
            assert!(matches!(fails(text), ParseError::Unread(_)), "{text}: {:?}", fails(text));
        }
        assert_eq!(fails(&"{\"a\":".repeat(1000)), ParseError::Unread("nested too deeply"));
    }
}
