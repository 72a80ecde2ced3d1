//! The code in the attributes of an element.

use super::markup::{Piece, Scanner, Tag, has, is_identifier};
use crate::lang::MarkupRule;
use std::ops::Range;

impl<'a> Scanner<'a> {
    /// Reads the attributes of a tag, and their code if `has_code` is true.
    pub(super) fn attributes(&mut self, has_code: bool) -> Option<Tag> {
        let rules = self.rules;
        let mut is_readable = true;
        loop {
            self.at += self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            match self.bytes.get(self.at)? {
                b'>' => return Some(Tag { end: self.at + 1, is_self_closing: false, is_readable }),
                b'/' if self.bytes.get(self.at + 1) == Some(&b'>') => {
                    return Some(Tag { end: self.at + 2, is_self_closing: true, is_readable });
                }
                b'{' if self.has_braces() => self.braces(self.at..self.at + 1, None, false, has_code)?,
                b'/' | b'=' | b'"' | b'\'' | b'`' => self.at += 1,
                _ => {
                    let name = self.attribute_name();
                    let rule = rules.attributes.iter().find(|rule| name.starts_with(rule.prefix.as_str()));
                    if let Some(rule) = rule.filter(|rule| rule.names_function && has_code) {
                        self.directive(rule, name);
                    }
                    let value = self.attribute_value(rule, has_code)?;
                    if has(&rules.language_attributes, name) {
                        is_readable &= has(&rules.languages, value);
                    }
                }
            }
        }
    }

    fn attribute_name(&mut self) -> &'a str {
        let rest = &self.source[self.at..];
        let is_end = |(at, c): &(usize, char)| {
            c.is_ascii_whitespace() || matches!(c, '=' | '>') || *c == '/' && rest[at + 1..].starts_with('>')
        };
        let name = &rest[..rest.char_indices().find(is_end).map_or(rest.len(), |(at, _)| at)];
        self.at += name.len();
        name
    }

    /// Writes a call of the function that an attribute's name contains.
    pub(super) fn directive(&mut self, rule: &MarkupRule, attribute: &str) {
        let start = self.at - attribute.len() + rule.prefix.len();
        let name = &attribute[rule.prefix.len()..];
        let name = &name[..name.find(|c: char| !is_identifier(c)).unwrap_or(name.len())];
        let (Some(&sign), true) = (self.rules.call_sign.as_bytes().first(), rule.prefix.len() > 1) else { return };
        if name.is_empty() {
            return;
        }
        if self.is_open {
            self.end_statement(start - 2);
        }
        self.code[start - 1] = sign;
        self.keep(start..start + name.len());
        self.end_name(start + name.len());
    }

    /// Reads the value of an attribute, if there is one.
    fn attribute_value(&mut self, rule: Option<&MarkupRule>, has_code: bool) -> Option<&'a str> {
        let rest = &self.source[self.at..];
        let space = rest.len() - rest.trim_start().len();
        if !rest[space..].starts_with('=') {
            return Some("");
        }
        let sign = self.at + space;
        self.at = sign + 1;
        self.at += self.source[self.at..].len() - self.source[self.at..].trim_start().len();
        let start = self.at;
        let calls = rule.is_some_and(|rule| rule.calls);
        match *self.bytes.get(start)? {
            b'{' if self.has_braces() => {
                self.braces(sign..start + 1, rule, calls, has_code)?;
            }
            quote @ (b'"' | b'\'' | b'`') => {
                self.at += 1;
                let end = self.quoted(quote, has_code)?;
                if let Some(rule) = rule.filter(|_| has_code && !self.has_braces()) {
                    self.piece(
                        Piece { open: sign..start + 1, code: start + 1..end, close: end..end + 1 },
                        Some(rule),
                        calls,
                    );
                }
                self.at = end + 1;
                return self.source.get(start + 1..end);
            }
            _ => self.at += self.source[start..].find(|c: char| c.is_whitespace() || c == '>').unwrap_or(0),
        }
        self.source.get(start..self.at)
    }

    /// Returns the offset of the quote that ends a value, and reads the expressions before it.
    pub(super) fn quoted(&mut self, quote: u8, has_code: bool) -> Option<usize> {
        loop {
            let offset = match self.has_braces() && quote != b'`' {
                true => memchr::memchr2(quote, b'{', &self.bytes[self.at..])?,
                false => memchr::memchr(quote, &self.bytes[self.at..])?,
            };
            self.at += offset;
            if self.bytes[self.at] == quote {
                return Some(self.at);
            }
            self.braces(self.at..self.at + 1, None, false, has_code)?;
        }
    }

    /// Checks whether attributes contain expressions in braces.
    pub(super) fn has_braces(&self) -> bool {
        self.rules.open == "{"
    }

    /// Reads an expression in braces, where `open` ends with the first brace.
    pub(super) fn braces(
        &mut self,
        open: Range<usize>,
        rule: Option<&MarkupRule>,
        calls: bool,
        has_code: bool,
    ) -> Option<()> {
        let end = self.closing_brace(open.end)?;
        if has_code && rule.is_none_or(|rule| !rule.names_function) {
            self.piece(Piece { code: open.end..end, open, close: end..end + 1 }, rule, calls);
        }
        self.at = end + 1;
        Some(())
    }
}
