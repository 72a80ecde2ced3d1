//! Objects as models write them: JSON, nearly JSON, or what Python prints.
//!
//! Read besides JSON: quotes of both kinds and tripled, bare words as keys and values, `True`, `None`, tuples, commas
//! too many or too few, comments (`//`, `/* */`, `#`), line breaks in texts. What is null (`None`, `???`) is left out.
//!
//! Price:    one pass; nesting ends at [`MAX_NESTING`]

use super::quoted::read_quoted;
use super::value::{Map, Value};

/// Levels of brackets at most; what is nested deeper is refused, so that no reply can exhaust the stack.
pub(super) const MAX_NESTING: usize = 64;

/// Why an object could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParseError {
    /// The text ends inside the object.
    CutOff,
    /// It is no object, for this reason.
    Unread(&'static str),
}

/// A text and how far it is read.
pub(super) struct Loose<'a> {
    text: &'a str,
    /// The byte that comes next.
    pub(super) at: usize,
    /// Names with a colon that were met.
    pub(super) names: usize,
}

type Read<T> = Result<T, ParseError>;

/// A value that is the whole text; `None` if there is none.
pub(super) fn whole(text: &str) -> Option<Value> {
    let mut loose = Loose::new(text, 0);
    let value = loose.value(0).ok()??;
    loose.skip();
    loose.peek().is_none().then_some(value)
}

impl<'a> Loose<'a> {
    /// A reader of a text from byte `at` on.
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, names: 0 }
    }

    /// The object whose brace is next.
    pub(super) fn object(&mut self) -> Read<Map> {
        self.map(0)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn starts(&self, with: &str) -> bool {
        self.text[self.at..].starts_with(with)
    }

    /// Skips spaces and comments.
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
            Some(_) => Err(ParseError::Unread("a sign where a value should be")),
        }
    }

    fn map(&mut self, depth: usize) -> Read<Map> {
        self.enter(depth)?;
        let mut map = Map::new();
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
            if let Some(value) = self.value(depth + 1)? {
                map.insert(name, value);
            }
        }
        self.at += 1;
        Ok(map)
    }

    fn list(&mut self, close: char, depth: usize) -> Read<Value> {
        self.enter(depth)?;
        let mut list = Vec::new();
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
        Ok(Value::List(list))
    }

    /// Skips an opening bracket.
    fn enter(&mut self, depth: usize) -> Read<()> {
        self.at += 1;
        if depth < MAX_NESTING { Ok(()) } else { Err(ParseError::Unread("nested too deep")) }
    }

    fn name(&mut self) -> Read<String> {
        match self.peek() {
            Some('"' | '\'') => self.quoted(),
            Some(c) if is_word(c) => Ok(self.run(is_word).to_string()),
            _ => Err(ParseError::Unread("a sign where a name should be")),
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

    /// The text was read to its end for nothing.
    fn end(&mut self) -> ParseError {
        self.at = self.text.len();
        ParseError::CutOff
    }

    fn number(&mut self) -> Read<Value> {
        let run = self.run(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_'));
        if let Ok(whole) = run.parse() {
            return Ok(Value::Int(whole));
        }
        match run.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Value::Float(number)),
            Ok(_) => Err(ParseError::Unread("a number that is not finite")),
            Err(_) => Err(ParseError::Unread("a number that is none")),
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
            "NaN" | "nan" | "Infinity" | "inf" => Err(ParseError::Unread("a number that is not finite")),
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
    /// The byte after the next `end` from `at` on, or the end of the text.
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
        whole(text).unwrap().to_string()
    }

    #[test]
    fn json_is_read_as_it_is() {
        let text = r#"{"a":[1,-2.5,true,"x\n"],"":{"b":{}}}"#;
        assert_eq!(read(text), text);
    }

    #[test]
    fn python_and_near_misses_are_read_too() {
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
    fn what_is_cut_off_is_told_from_what_is_wrong() {
        let fails = |text: &str| Loose::new(text, 0).object().unwrap_err();
        for text in
            ["{", "{\"a", "{\"a\"", "{\"a\":", "{\"a\": 'x", "{\"a\": [1, 2", "{\"a\": tr", "{\"a\": {\"b\": 1}"]
        {
            assert_eq!(fails(text), ParseError::CutOff, "{text}");
        }
        for text in ["{{", "{a b}", "{\"a\": NaN}", "{\"a\": -inf}", "{\"a\": 1e999}", "{\"a\": 1x}", "{\"a\": ]}"] {
            assert!(matches!(fails(text), ParseError::Unread(_)), "{text}: {:?}", fails(text));
        }
        assert_eq!(fails(&"{\"a\":".repeat(1000)), ParseError::Unread("nested too deep"));
    }
}
