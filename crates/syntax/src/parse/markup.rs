//! Finds the code in a file with markup: scripts, expressions in text and attributes, and the names
//! of components.
//!
//! Spaces replace everything else, so all offsets and lines stay the same and the parser of the
//! scripts reads the rest. An expression becomes a statement of its own, whose signs replace the
//! delimiters in the markup: `{{ total(x) }}` becomes `total(x) ;`. A component, and a name that is
//! called without an argument list, is preceded by [`Markup::call_sign`].
//!
//! **Cost:** linear. The scan passes over each byte once, and skips at most [`MAX_UNFINISHED`]
//! constructs without an end.

use super::embedded::Embedded;
use crate::lang::{Markup, MarkupRule};
use memchr::memmem;
use std::borrow::Cow;
use std::ops::Range;

/// Maximum number of tags and expressions without an end. The scan stops at the next one.
const MAX_UNFINISHED: usize = 16;

/// Returns the code in a file with markup, and the text between its tags.
pub(super) fn read<'s>(rules: &Markup, source: &'s str) -> Embedded<'s> {
    let blank = |byte: u8| if matches!(byte, b'\n' | b'\r') { byte } else { b' ' };
    let ends = rules.blocks.iter().map(|rule| &rule.ends).filter(|end| !end.is_empty());
    let mut scanner = Scanner {
        rules,
        source,
        bytes: source.as_bytes(),
        code: source.bytes().map(blank).collect(),
        at: 0,
        depth: usize::from(rules.templates.is_empty()),
        is_open: false,
        open_definitions: 0,
        last_end: ends.filter_map(|end| memmem::rfind(source.as_bytes(), end.as_bytes())).max().unwrap_or(0),
        texts: Vec::new(),
        markup: 0..source.len(),
    };
    // `None` only means that the scan ended early.
    let _ = scanner.run();
    scanner.add_statement();
    let is_blank = scanner.code.trim_ascii().is_empty();
    // Only ASCII signs and whole ranges of the source are written.
    let code = String::from_utf8(scanner.code).unwrap_or_else(|error| blanked(error.as_bytes()));
    let markup = (!is_blank).then_some(scanner.markup);
    Embedded { code: Cow::Owned(code), words: Some(source), size: source.len(), texts: scanner.texts, markup }
}

fn blanked(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

/// A tag with its attributes.
pub(super) struct Tag {
    /// Offset after the tag.
    pub(super) end: usize,
    pub(super) is_self_closing: bool,
    /// True if the content is code in this language, or markup.
    pub(super) is_readable: bool,
}

/// An expression and the delimiters around it.
pub(super) struct Piece {
    pub(super) open: Range<usize>,
    pub(super) code: Range<usize>,
    pub(super) close: Range<usize>,
}

pub(super) struct Scanner<'a> {
    pub(super) rules: &'a Markup,
    pub(super) source: &'a str,
    pub(super) bytes: &'a [u8],
    /// The text for the parser.
    pub(super) code: Vec<u8>,
    pub(super) at: usize,
    /// Number of open elements of the kinds in `templates`; at least 1 if the whole file is markup.
    pub(super) depth: usize,
    /// True if the last statement has no `;` yet.
    pub(super) is_open: bool,
    /// Number of definitions in the markup that are open.
    pub(super) open_definitions: usize,
    /// Offset of the last end of a definition in the markup; 0 if there is none.
    pub(super) last_end: usize,
    pub(super) texts: Vec<Range<usize>>,
    /// Byte range of the markup.
    pub(super) markup: Range<usize>,
}

impl<'a> Scanner<'a> {
    /// Scans the file. Returns `None` at a construct without an end.
    fn run(&mut self) -> Option<()> {
        self.fence()?;
        let open = *self.rules.open.as_bytes().first()?;
        let mut unfinished = 0;
        while let Some(offset) = memchr::memchr2(b'<', open, &self.bytes[self.at..]) {
            let start = self.at + offset;
            if self.depth > 0 && offset > 0 {
                self.texts.push(self.at..start);
            }
            self.at = start;
            let is_expression = self.depth > 0 && self.source[start..].starts_with(&self.rules.open);
            let read = match self.bytes[start] {
                b'<' => self.element(),
                _ if is_expression => self.expression(),
                _ => None,
            };
            if read.is_none() {
                unfinished += usize::from(is_expression || open != self.bytes[start]);
                if unfinished > MAX_UNFINISHED {
                    return None;
                }
                self.at = start + 1;
            }
        }
        Some(())
    }

    /// Writes an empty statement if there is no code, so that the component has a syntax node.
    fn add_statement(&mut self) {
        let place = self.bytes.iter().position(u8::is_ascii_graphic);
        if let Some(place) = place.filter(|_| self.code.trim_ascii().is_empty()) {
            self.code[place] = b';';
        }
    }

    /// Reads the script at the top of the file.
    fn fence(&mut self) -> Option<()> {
        let fence = &self.rules.fence;
        let start = self.source.len() - self.source.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).len();
        if fence.is_empty() || !self.source[start..].starts_with(fence.as_str()) {
            return Some(());
        }
        let first = start + fence.len();
        let end = first + memmem::find(&self.bytes[first..], format!("\n{fence}").as_bytes())? + 1;
        self.keep(first..end);
        self.code[end] = b';';
        self.at = end + fence.len();
        Some(())
    }

    /// Reads a tag or comment. The next byte is `<`.
    fn element(&mut self) -> Option<()> {
        let (start, rest) = (self.at, &self.source[self.at + 1..]);
        match rest.bytes().next()? {
            b'!' if rest.starts_with("!--") => return self.skip_past("-->"),
            b'!' | b'?' => return self.skip_past(">"),
            b'/' => return self.closing_tag(&rest[1..]),
            first if first.is_ascii_alphabetic() => {}
            _ => {
                self.at += 1;
                return Some(());
            }
        }
        let rules = self.rules;
        let name = &rest[..rest.find(|c: char| !is_name(c)).unwrap_or(rest.len())];
        let is_inside = self.depth > 0;
        let is_script = has(&rules.scripts, name);
        self.at += 1 + name.len();
        if is_inside && !is_script {
            self.component(start, name);
        }
        let tag = self.attributes(is_inside && !is_script)?;
        self.at = tag.end;
        if self.is_open {
            self.end_statement(tag.end - 1);
        }
        let is_template = has(&rules.templates, name);
        if tag.is_self_closing {
            return Some(());
        }
        if is_script || has(&rules.raw, name) || !(is_inside || is_template && tag.is_readable) {
            return self.content(name, is_script && tag.is_readable);
        }
        if is_template {
            if !is_inside {
                self.markup = tag.end..self.source.len();
            }
            self.depth += 1;
        }
        Some(())
    }

    /// Skips the content of an element, and keeps it if it is code.
    fn content(&mut self, name: &str, is_code: bool) -> Option<()> {
        let end = self.at + memmem::find(&self.bytes[self.at..], format!("</{name}").as_bytes())?;
        if is_code {
            self.keep(self.at..end);
            self.end_statement(end);
        }
        self.at = end;
        Some(())
    }

    fn closing_tag(&mut self, rest: &str) -> Option<()> {
        let name = &rest[..rest.find(|c: char| !is_name(c)).unwrap_or(rest.len())];
        if has(&self.rules.templates, name) && self.depth > 0 {
            self.depth -= 1;
            if self.depth == 0 {
                self.markup.end = self.at;
            }
        }
        self.skip_past(">")
    }

    /// Writes the use of a component, if a name is that of a component.
    fn component(&mut self, start: usize, name: &str) {
        let is_capital = name.starts_with(|c: char| c.is_ascii_uppercase());
        let is_component = is_capital || name.contains('.') || self.rules.hyphens && name.contains('-');
        let Some(&sign) = self.rules.call_sign.as_bytes().first() else { return };
        if !is_component || name.contains(':') || is_capital && name.contains('-') || self.is_open {
            return;
        }
        let mut spelled: Vec<u8> = Vec::with_capacity(name.len());
        for part in name.split('-') {
            let from = spelled.len();
            spelled.extend(part.bytes());
            if name.contains('-') {
                spelled[from..].iter_mut().take(1).for_each(|first| first.make_ascii_uppercase());
            }
        }
        self.code[start] = sign;
        self.code[start + 1..start + 1 + spelled.len()].copy_from_slice(&spelled);
        self.end_name(start + 1 + name.len());
    }

    /// Ends a statement at the byte after a name. A line break stays.
    pub(super) fn end_name(&mut self, at: usize) {
        self.is_open = true;
        if self.bytes.get(at).is_some_and(|&byte| byte.is_ascii() && !matches!(byte, b'\n' | b'\r')) {
            self.end_statement(at);
        }
    }

    /// Reads an expression in the text.
    fn expression(&mut self) -> Option<()> {
        let (open, close) = (self.at..self.at + self.rules.open.len(), &self.rules.close);
        let end = match self.has_braces() {
            true => self.closing_brace(open.end)?,
            false => open.end + memmem::find(&self.bytes[open.end..], close.as_bytes())?,
        };
        let text = self.source[open.end..end].trim_start();
        let rule = self.rules.blocks.iter().find(|rule| text.starts_with(rule.prefix.as_str()));
        if self.definition(rule, text, open.start, end) {
            self.at = end + close.len();
            return Some(());
        }
        // `{/if}`, `{:else}`
        let is_code = rule.is_some() || self.rules.blocks.is_empty() || !text.starts_with(['#', ':', '@', '/']);
        if is_code && rule.is_none_or(|rule| rule.defines.is_empty()) {
            let skipped = end - open.end - text.len() + rule.map_or(0, |rule| rule.prefix.len());
            let code = open.end + skipped..end;
            // The signs before the code can be replaced as well.
            let piece = Piece { open: open.start..code.start, code, close: end..end + close.len() };
            self.piece(piece, rule, rule.is_none_or(|rule| rule.calls));
        }
        self.at = end + close.len();
        Some(())
    }

    /// Writes the head or the end of a definition, and returns whether the block is one:
    /// `{#snippet row(item)}` becomes `function row(item) {`, and `{/snippet}` becomes `}`.
    fn definition(&mut self, rule: Option<&MarkupRule>, text: &str, start: usize, end: usize) -> bool {
        if let Some(rule) = rule.filter(|rule| !rule.defines.is_empty()) {
            let head = text[rule.prefix.len()..].trim_end();
            let at = head.as_ptr() as usize - self.source.as_ptr() as usize;
            let word = rule.defines.as_bytes();
            let is_head = head.starts_with(char::is_whitespace) && head.ends_with(')');
            let is_ended = self.last_end > end;
            if !is_head || !is_ended || at < start + word.len() + usize::from(self.is_open) {
                return false;
            }
            self.code[at - word.len()..at].copy_from_slice(word);
            if self.is_open {
                self.end_statement(start);
            }
            self.keep(at..at + head.len());
            self.code[end] = b'{';
            self.open_definitions += 1;
            return true;
        }
        let is_end = |rule: &MarkupRule| !rule.ends.is_empty() && text.starts_with(rule.ends.as_str());
        if self.open_definitions == 0 || !self.rules.blocks.iter().any(is_end) {
            return false;
        }
        if self.is_open {
            self.end_statement(start);
        }
        self.code[end] = b'}';
        self.open_definitions -= 1;
        true
    }

    /// Writes an expression as a statement.
    pub(super) fn piece(&mut self, piece: Piece, rule: Option<&MarkupRule>, calls: bool) {
        let Piece { open, code, close } = piece;
        let Some(code) = rule.map_or(Some(code.clone()), |rule| self.limited(rule, code)) else { return };
        let text = self.source[code.clone()].trim();
        let text = text.strip_prefix("...").unwrap_or(text).trim_start();
        if text.is_empty() {
            return;
        }
        let start = text.as_ptr() as usize - self.source.as_ptr() as usize;
        // An object or a function would be read as a block or a declaration.
        let is_wrapped = ["{", "function", "async function", "class "].iter().any(|sign| text.starts_with(sign));
        let is_path = text.split('.').all(|part| !part.is_empty() && part.chars().all(is_identifier));
        // A member in the text is rarely a function.
        let is_called = calls
            && is_path
            && !text.starts_with(|c: char| c.is_ascii_digit())
            && (rule.is_some() || !text.contains('.'));
        let sign = match self.rules.call_sign.bytes().next() {
            _ if is_wrapped => Some(b'('),
            sign if is_called => sign,
            _ => None,
        };
        // The signs before the code may include line breaks, which stay.
        let mut places = (open.start + usize::from(self.is_open)..open.end).rev();
        let place = places.find(|&at| !matches!(self.bytes[at], b'\n' | b'\r'));
        if self.is_open {
            self.end_statement(open.start);
        }
        if let (Some(sign), Some(place)) = (sign, place) {
            self.code[place] = sign;
        }
        self.keep(start..start + text.len());
        self.code[close.start] = if is_wrapped { b')' } else { b';' };
        self.is_open = is_wrapped;
        if is_wrapped && close.len() > 1 {
            self.end_statement(close.start + 1);
        }
    }

    /// Returns the part of an expression that is code.
    fn limited(&self, rule: &MarkupRule, code: Range<usize>) -> Option<Range<usize>> {
        let text = &self.source[code.clone()];
        let first = rule.after.iter().filter_map(|sign| text.find(sign.as_str()).map(|at| at + sign.len())).min();
        let start = if rule.after.is_empty() { Some(0) } else { first }.filter(|_| !rule.is_text)?;
        let end = rule.until.iter().filter_map(|sign| text[start..].find(sign.as_str())).min();
        Some(code.start + start..end.map_or(code.end, |end| code.start + start + end))
    }

    /// Returns the offset of the brace that ends an expression of the script's language, outside
    /// strings and comments.
    pub(super) fn closing_brace(&self, start: usize) -> Option<usize> {
        let (bytes, mut at) = (self.bytes, start);
        // The braces and templates that are open.
        let mut open: Vec<u8> = Vec::new();
        while let Some(&byte) = bytes.get(at) {
            let next = bytes.get(at + 1).copied();
            let is_template = open.last() == Some(&b'`');
            match byte {
                b'\\' => at += 1,
                b'`' if is_template => drop(open.pop()),
                b'$' if is_template && next == Some(b'{') => {
                    open.push(b'{');
                    at += 1;
                }
                _ if is_template => {}
                b'`' | b'{' => open.push(byte),
                b'}' if open.is_empty() => return Some(at),
                b'}' => drop(open.pop()),
                b'/' if next == Some(b'*') => at += 3 + memmem::find(&bytes[at + 2..], b"*/")?,
                b'/' if next == Some(b'/') && !bytes[..at].ends_with(b":") => {
                    at += memchr::memchr(b'\n', &bytes[at..])?;
                }
                // An apostrophe in a word begins no string.
                b'"' | b'\'' if !at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_alphabetic()) => {
                    at += string_length(&bytes[at..]);
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    fn skip_past(&mut self, sign: &str) -> Option<()> {
        self.at += memmem::find(&self.bytes[self.at..], sign.as_bytes())? + sign.len();
        Some(())
    }

    pub(super) fn keep(&mut self, range: Range<usize>) {
        self.code[range.clone()].copy_from_slice(&self.bytes[range]);
    }

    pub(super) fn end_statement(&mut self, at: usize) {
        self.code[at] = b';';
        self.is_open = false;
    }
}

/// Returns the number of bytes after the first quote of a string up to its last quote, or up to the
/// end of the line.
pub(super) fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            _ if byte == bytes[0] => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':')
}

pub(super) fn is_identifier(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$')
}

pub(super) fn has(names: &[String], name: &str) -> bool {
    names.iter().any(|one| one == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Registry;
    use proptest::prelude::*;

    /// Returns the code in a file with the given name, with spaces joined.
    fn code(name: &str, source: &str) -> String {
        let read = read_as(name, source);
        assert_eq!(read.code.len(), source.len());
        read.code.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn read_as<'s>(name: &str, source: &'s str) -> Embedded<'s> {
        let registry = Registry::builtin().expect("languages");
        let spec = registry.detect(name).and_then(|id| registry.spec(id)).expect("a language");
        read(spec.markup.as_ref().expect("markup"), source)
    }

    #[test]
    fn expressions_become_statements() {
        let source = "<template><b :a=\"{x: y}\" @c=\"go\" @d='e(); f()'>{{ g(h) }}</b></template>";
        assert_eq!(code("a.vue", source), "({x: y}) ;~go; e(); f(); g(h) ;");
        assert_eq!(code("a.svelte", "{#if a(b)}{c}{:else}<I.J\n on:k={l}/>{/if}"), "a(b);~c; ~I.J ;~l;");
        assert_eq!(code("a.astro", "---\na()\n---\n<B c={{d: e}} />{f('}')}"), "a() ; ~B; ({d: e}) ; f('}');");
    }

    #[test]
    fn scripts_in_other_languages_and_styles_are_left_out() {
        let source = "<style>a {}</style><script type=\"text/plain\">a()</script><script>b()</script>";
        for name in ["a.vue", "a.svelte", "a.astro"] {
            assert_eq!(code(name, source), "b();", "{name}");
        }
        assert_eq!(code("a.vue", "<template lang=\"pug\">{{ a() }}</template>"), ";", "no code");
    }

    #[test]
    fn a_snippet_becomes_a_function() {
        let source = "{f({})}{#snippet row(item, { a })}<B />{g(item)}{/snippet}{@render row(h())}";
        assert_eq!(code("a.svelte", source), "f({}); function row(item, { a }){~B; g(item); } row(h());");
        let nested = "{#snippet a()}{#snippet b()}{c()}{/snippet}{/snippet}";
        assert_eq!(code("a.svelte", nested), "function a(){ function b(){ c(); } }");
        assert_eq!(code("a.svelte", "{#snippet row(item)}{g(item)}"), "g(item);", "it has no end");
    }

    #[test]
    fn a_line_break_before_an_expression_stays() {
        for source in ["{{}}{\n---}", "{{}}{\nsave}", "{\nsave}"] {
            let read = read_as("a.svelte", source);
            assert_eq!(read.code.find('\n'), source.find('\n'), "{source}");
        }
    }

    proptest! {
        #[test]
        fn offsets_and_lines_stay_the_same(
            parts in prop::collection::vec(prop::sample::select(vec![
                "<template>", "</template>", "<script>", "</script>", "<script lang='ts'", "<style>", "</style>", "<A", "<a-b", ">", "/>",
                " @x=", " :y=", " v-for=", "use:z", "\"", "'", "`", "{", "}", "{{", "}}", "${", "#if ", "/if", "{#snippet ", "f(x)}", "{/snippet}", "---", "\n", "\r\n", "\\",
                "/*", "*/", "//", "<!--", "-->", "</", "<", " ", "f(x)", "a.b", "é", "\u{a0}", "...", "=", "\u{feff}", "function", "\0",
            ]), 0..60),
            name in prop::sample::select(vec!["a.vue", "a.svelte", "a.astro"]),
        ) {
            let source = parts.concat();
            let read = read_as(name, &source);
            prop_assert_eq!(read.code.len(), source.len());
            let breaks = |text: &str| text.match_indices('\n').map(|(at, _)| at).collect::<Vec<_>>();
            prop_assert_eq!(breaks(&read.code), breaks(&source));
            prop_assert!(read.texts.iter().all(|range| source.get(range.clone()).is_some()));
        }
    }
}
