//! Reads a language's `.scm` files. Only the part of tree-sitter's query syntax that is needed for
//! patterns with one root is supported.
//!
//! `queries/README.md` lists the supported syntax. Any other syntax is an error, which reports the
//! file and the line.
//!
//! **Cost:** a tenth of a millisecond per language.
//!
//! **Alternatives:** tree-sitter's own `Query` computes which steps cannot fail in any parse state
//! of a grammar. This takes 10 ms (Go) to 500 ms (C++) in each process that parses a single file.

use super::pattern::{ChildPattern, Expression, KindTest, NodePattern, Pattern, Patterns, Predicate, Test, Times};
use super::role::Role;
use std::num::NonZeroU16;
use tree_sitter::Language as Parser;
use whichfn_system::error::{Error, Kind, Result};

/// A `.scm` file.
#[derive(Clone, Copy)]
pub struct QueryText {
    /// Path of the file in the repository, for messages.
    pub path: &'static str,
    /// Contents of the file.
    pub text: &'static str,
}

impl Patterns {
    /// Reads all of a language's `.scm` files as one query.
    ///
    /// # Errors
    /// Returns an error if a file contains unsupported syntax, or a node kind or field that
    /// `parser` does not have.
    pub fn read(parser: &Parser, files: &[QueryText]) -> Result<Self> {
        let (mut patterns, mut captures) = (Vec::new(), Vec::new());
        for &QueryText { path, text } in files {
            let mut reader =
                PatternReader { path, text, at: 0, parser, captures: &mut captures, predicates: Vec::new() };
            reader.skip_blank();
            while reader.peek().is_some() {
                patterns.push(reader.pattern()?);
            }
        }
        Ok(Self::new(patterns, captures))
    }
}

/// A node pattern or several alternatives, with the suffixes that follow.
struct Item {
    alternatives: Vec<NodePattern>,
    times: Times,
}

/// Parses the patterns in one file.
struct PatternReader<'a> {
    path: &'static str,
    text: &'static str,
    at: usize,
    parser: &'a Parser,
    /// Names and roles of the captures found so far in the language's files.
    captures: &'a mut Vec<(&'static str, Role)>,
    /// Predicates of the pattern that is being parsed.
    predicates: Vec<Predicate>,
}

impl PatternReader<'_> {
    /// Parses a pattern with its predicates. These are in parentheses together with the pattern, or
    /// inside its nodes.
    fn pattern(&mut self) -> Result<Pattern> {
        let start = self.at;
        let Item { alternatives: roots, times } = self.item()?;
        let is_rooted = roots.iter().all(|root| matches!(root.kind, KindTest::Is(_)));
        if !is_rooted || times != Times::Once {
            self.at = start;
            return Err(self.unsupported("the root must be a single node of a named kind"));
        }
        Ok(Pattern { roots, predicates: std::mem::take(&mut self.predicates) })
    }

    /// Parses alternatives, a pattern grouped with its predicates, or a node. Any of them may be
    /// followed by `?`, `*` and captures.
    fn item(&mut self) -> Result<Item> {
        let mut alternatives = match self.peek() {
            Some('[') => self.choice()?,
            Some('(') if self.rest()[1..].trim_start().starts_with(['(', '[']) => self.group()?,
            Some('(') => vec![self.node()?],
            Some('"') => {
                let name = self.string()?;
                vec![leaf(KindTest::Is(self.kind(&name, false)?))]
            }
            Some('_') => {
                self.word();
                vec![leaf(KindTest::Any)]
            }
            _ => return Err(self.unsupported("expected a node")),
        };
        let mut times = Times::Once;
        loop {
            match self.peek() {
                Some('?') if times == Times::Once => times = Times::Optional,
                Some('*') if times == Times::Once => times = Times::Run,
                Some('@') => {
                    let capture = self.capture()?;
                    alternatives.iter_mut().for_each(|one| one.captures.push(capture));
                    continue;
                }
                _ => return Ok(Item { alternatives, times }),
            }
            self.take();
        }
    }

    fn choice(&mut self) -> Result<Vec<NodePattern>> {
        self.take();
        let mut all = Vec::new();
        while self.peek() != Some(']') {
            all.extend(self.node_or_group()?);
        }
        self.take();
        Ok(all)
    }

    /// Parses a pattern that is grouped with its predicates: `(pattern predicate ...)`.
    fn group(&mut self) -> Result<Vec<NodePattern>> {
        self.take();
        let group = self.node_or_group()?;
        while self.rest().starts_with("(#") {
            self.predicate()?;
        }
        self.close()?;
        Ok(group)
    }

    fn node_or_group(&mut self) -> Result<Vec<NodePattern>> {
        let item = self.item()?;
        if item.times != Times::Once {
            return Err(self.unsupported("`?` and `*` are allowed only after children"));
        }
        Ok(item.alternatives)
    }

    /// Parses a node with its children: `(kind child ...)`.
    fn node(&mut self) -> Result<NodePattern> {
        self.take();
        let mut node = match self.word() {
            "_" => leaf(KindTest::Named),
            name => leaf(KindTest::Is(self.kind(name, true)?)),
        };
        let mut is_next = false;
        loop {
            match self.peek() {
                Some(')') => break,
                Some('!') => {
                    self.take();
                    let field = self.word();
                    node.absent.push(self.field(field)?);
                }
                Some('.') => {
                    self.take();
                    is_next = true;
                }
                Some('(') if self.rest().starts_with("(#") => self.predicate()?,
                _ => {
                    let child = self.child(is_next, &node.children)?;
                    if let Some(before) = node.children.last_mut() {
                        before.is_tied = is_next;
                    }
                    node.children.push(child);
                    is_next = false;
                }
            }
        }
        if is_next {
            let Some(last) = node.children.last_mut() else {
                return Err(self.unsupported("an anchor without a child"));
            };
            last.is_last = true;
        }
        self.close()?;
        Ok(node)
    }

    /// Parses one child of a node. `before` contains the patterns of the previous children.
    fn child(&mut self, is_next: bool, before: &[ChildPattern]) -> Result<ChildPattern> {
        let field = match self.peek() {
            Some(c) if c.is_alphabetic() => {
                let name = self.word();
                let field = self.field(name)?;
                if self.peek() != Some(':') {
                    return Err(self.unsupported("a field without `:`"));
                }
                self.take();
                Some(field)
            }
            _ => None,
        };
        let Item { alternatives, times } = self.item()?;
        let captures = alternatives.iter().any(has_captures);
        let follows_run = before.last().is_some_and(|child| child.times == Times::Run);
        if (times == Times::Run && (captures || !is_next)) || (follows_run && !is_next) {
            return Err(self.unsupported("expected `*` between anchors and without a capture: `. (comment)* .`"));
        }
        Ok(ChildPattern { field, alternatives, is_next, is_last: false, times, captures, is_tied: false })
    }

    /// Parses a predicate: `(#eq? @capture "text")`.
    fn predicate(&mut self) -> Result<()> {
        self.take();
        self.take();
        let name = self.word();
        let capture = self.capture()?;
        let mut texts = Vec::new();
        while self.peek() == Some('"') {
            texts.push(self.string()?);
        }
        let test = match (name, &mut texts[..]) {
            ("eq?", [_]) | ("any-of?", _) => Test::AnyOf(texts),
            ("match?", [source]) => Test::Matches(Expression::new(std::mem::take(source)), true),
            ("not-match?", [source]) => Test::Matches(Expression::new(std::mem::take(source)), false),
            ("not-kind-eq?", kinds) => {
                Test::NotOfKind(kinds.iter().map(|kind| self.kind(kind, true)).collect::<Result<_>>()?)
            }
            _ => return Err(self.unsupported("expected a known predicate with its arguments")),
        };
        self.predicates.push(Predicate { capture, test });
        self.close()
    }

    /// Parses a capture, `@name`, and returns its number.
    fn capture(&mut self) -> Result<u16> {
        if self.peek() != Some('@') {
            return Err(self.unsupported("expected a capture"));
        }
        self.take();
        let start = self.at;
        let name = self.word();
        let number = match self.captures.iter().position(|(known, _)| *known == name) {
            Some(number) => number,
            None => {
                let Some(role) = Role::from_capture(name) else {
                    self.at = start;
                    return Err(self.error(format!("unknown capture @{name}"), format!("use one of {}", Role::known())));
                };
                self.captures.push((name, role));
                self.captures.len() - 1
            }
        };
        Ok(number as u16)
    }

    fn kind(&self, name: &str, named: bool) -> Result<u16> {
        let kind = self.parser.id_for_node_kind(name, named);
        if kind == 0 {
            return Err(self.unknown("node kind", name));
        }
        if self.parser.node_kind_is_supertype(kind) {
            return Err(self.unsupported("a supertype is not supported: list its kinds, or use `#not-kind-eq?`"));
        }
        Ok(kind)
    }

    fn field(&self, name: &str) -> Result<NonZeroU16> {
        self.parser.field_id_for_name(name).ok_or_else(|| self.unknown("field", name))
    }

    fn close(&mut self) -> Result<()> {
        match self.peek() {
            Some(')') => {
                self.take();
                Ok(())
            }
            _ => Err(self.unsupported("`)` is missing")),
        }
    }

    /// Parses a string in double quotes.
    fn string(&mut self) -> Result<String> {
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    self.skip_blank();
                    return Ok(text);
                }
                '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
                _ => text.push(c),
            }
        }
        Err(self.unsupported("`\"` is missing"))
    }

    /// Parses a word, which consists of letters, digits and the punctuation allowed in names. The
    /// word may be empty.
    fn word(&mut self) -> &'static str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "_-.?".contains(c))).unwrap_or(rest.len());
        self.at += end;
        self.skip_blank();
        &rest[..end]
    }

    fn rest(&self) -> &'static str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips one character and the white space after it.
    fn take(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
        self.skip_blank();
    }

    /// Skips white space and comments (`; ...`).
    fn skip_blank(&mut self) {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            if self.peek() != Some(';') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn unknown(&self, what: &str, name: &str) -> Error {
        self.error(format!("the grammar has no {what} `{name}`"), "see the node-types.json of the grammar".into())
    }

    fn unsupported(&self, what: &str) -> Error {
        self.error(what.to_owned(), "see queries/README.md for the supported syntax".into())
    }

    fn error(&self, what: String, next: String) -> Error {
        let line = self.text[..self.at].matches('\n').count() + 1;
        Error::new(Kind::Language, format!("{}:{line}: {what}", self.path), next)
    }
}

fn leaf(kind: KindTest) -> NodePattern {
    NodePattern { kind, absent: Vec::new(), children: Vec::new(), captures: Vec::new() }
}

fn has_captures(node: &NodePattern) -> bool {
    !node.captures.is_empty() || node.children.iter().any(|child| child.captures)
}
