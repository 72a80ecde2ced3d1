//! Finds macros where the language allows no name.

use super::token::{Token, TokenKind, Word};
use super::{MAX_AHEAD, closing};
use std::ops::Range;

/// Maximum nesting depth of braces. The rest of a text that exceeds it remains.
const MAX_SCOPES: usize = 4_000;

/// Reads tokens and finds the macros among them.
pub(super) struct Decorations<'a> {
    source: &'a str,
    tokens: &'a [Token],
    /// Position of the closing parenthesis for each opening one; 0 for all other tokens.
    closing: Vec<usize>,
    /// The last three tokens that are not replaced.
    before: [Token; 3],
    scopes: Vec<Scope>,
    statement: Statement,
}

/// The inside of braces.
struct Scope {
    /// True if it contains declarations instead of statements.
    declares: bool,
    /// Name of the type around.
    name: Option<Range<usize>>,
    /// The state of the statement that contains the braces.
    around: Statement,
}

/// The part of a statement that was read.
#[derive(Default)]
struct Statement {
    /// Number of open parentheses and square brackets.
    depth: usize,
    /// Number of open `<` of a template's parameters.
    angles: usize,
    /// True if it has other words than specifiers.
    has_begun: bool,
    /// True if it has a list in parentheses.
    has_parameters: bool,
    /// The keyword of the type or namespace that it defines.
    group: Option<Word>,
    /// Name of the type that it defines.
    name: Option<Range<usize>>,
}

/// A macro with its arguments.
struct Found {
    /// Position of the first token after it.
    end: usize,
    by: &'static str,
}

impl<'a> Decorations<'a> {
    pub fn new(source: &'a str, tokens: &'a [Token]) -> Self {
        let end = Token { kind: TokenKind::End, start: source.len(), end: source.len() };
        let file = Scope { declares: true, name: None, around: Statement::default() };
        Self {
            source,
            tokens,
            closing: closing(tokens),
            before: [end; 3],
            scopes: vec![file],
            statement: Statement::default(),
        }
    }

    /// Calls `replace` for each range to replace, with the text to put at its start.
    pub fn find(mut self, mut replace: impl FnMut(usize, usize, &str)) {
        let mut at = 0;
        while let (Some(&token), true) = (self.tokens.get(at), self.scopes.len() < MAX_SCOPES) {
            if let Some(end) = self.end_of_instantiation(at) {
                let start = if self.is_after(Word::Specifier) { self.before[2].start } else { token.start };
                replace(start, self.token(end - 1).end, "");
                self.statement = Statement::default();
                at = end;
            } else if let Some(found) = self.decoration(at) {
                replace(token.start, self.token(found.end - 1).end, found.by);
                at = found.end;
            } else {
                self.read(token);
                at += 1;
            }
        }
    }

    fn token(&self, at: usize) -> Token {
        let end = || Token { kind: TokenKind::End, start: self.source.len(), end: self.source.len() };
        self.tokens.get(at).copied().unwrap_or_else(end)
    }

    fn is_after(&self, word: Word) -> bool {
        self.before[2].word() == Some(word)
    }

    fn declares(&self) -> bool {
        self.scopes.last().is_none_or(|scope| scope.declares)
    }

    /// Returns the position after a macro and its arguments, and whether it has any.
    fn after(&self, at: usize) -> (usize, bool) {
        match self.closing.get(at + 1) {
            Some(&closing) if closing > 0 => (closing + 1, true),
            _ => (at + 1, false),
        }
    }

    /// Returns the position after several macros.
    fn after_all(&self, at: usize) -> usize {
        let mut end = at;
        while self.token(end).is_macro() && end < at + MAX_AHEAD {
            end = self.after(end).0;
        }
        end
    }

    /// Returns the end of an explicit instantiation (`extern template class List<int>;`), which the
    /// parser knows for types only.
    fn end_of_instantiation(&self, at: usize) -> Option<usize> {
        let begins = self.token(at).word() == Some(Word::Template) && !self.token(at + 1).is(b'<');
        if !begins || self.statement.depth > 0 || self.statement.has_begun {
            return None;
        }
        let is_end = |token: Token| token.is_one_of(b";{}") || token.kind == TokenKind::Directive;
        let end = (at + 1..at + MAX_AHEAD).find(|&end| is_end(self.token(end)))?;
        self.token(end).is(b';').then_some(end + 1)
    }

    /// Returns the macro at a position if the language allows no name there.
    fn decoration(&self, at: usize) -> Option<Found> {
        let token = self.token(at);
        if !token.is_name() {
            return None;
        }
        let (end, has_arguments) = self.after(at);
        let next = self.token(end);
        let found = |is_found: bool| is_found.then_some(Found { end, by: "" });
        if self.before[2].is_one_of(b"*&") && (!has_arguments || token.is_macro()) {
            // `int& get() & LIFETIME_BOUND {`
            let is_trailer = token.is_macro() && self.is_after_parameters(end);
            return found(is_trailer || next.is_name() || next.word() == Some(Word::Qualifier));
        }
        if !token.is_macro() {
            return None;
        }
        if self.statement.angles > 0 {
            let is_parameter = has_arguments && next.is_one_of(b",>") && self.begins_template_parameter();
            return is_parameter.then_some(Found { end, by: "int" });
        }
        if has_arguments && self.is_after(Word::Condition) {
            return Some(Found { end: at + 1, by: "" });
        }
        let is_found = self.is_in_head(end)
            || self.is_at_start(at, end, has_arguments)
            || (!has_arguments && self.is_in_parameters(end))
            || self.is_after_parameters(end)
            || self.is_after_name(end)
            || (!has_arguments && self.is_before_function(end));
        found(is_found)
    }

    /// `template <typename T, ENABLE_IF(x)>`, `template <typename T, typename = ENABLE_IF(x)>`
    fn begins_template_parameter(&self) -> bool {
        let [_, before, last] = self.before;
        last.is_one_of(b",<") || (last.is(b'=') && before.word().is_some())
    }

    /// `class EXPORT Session {`
    fn is_in_head(&self, end: usize) -> bool {
        if !(self.is_after(Word::Group) || self.is_after(Word::Enumeration)) || !self.token(end).is_name() {
            return false;
        }
        let after = self.token(self.after_type(self.after_all(end)).0.max(end + 1));
        after.is_one_of(b"{:") || after.word() == Some(Word::Trailer)
    }

    /// `EXPORT static int open();`, `DEPRECATED("old") int open();`, and macros before the end of a
    /// namespace or type
    fn is_at_start(&self, at: usize, end: usize, has_arguments: bool) -> bool {
        if self.statement.depth > 0 || self.statement.has_begun || self.is_own_name(self.token(at)) {
            return false;
        }
        let next = self.token(end);
        let begins_declaration = next.is_name()
            || next.is(b'~')
            || matches!(
                next.word(),
                Some(Word::Type | Word::Specifier | Word::Qualifier | Word::Group | Word::Enumeration | Word::Template)
            );
        let is_attribute = next.is(b'[') && self.token(end + 1).is(b'[');
        let is_last = || {
            let after = self.token(self.after_all(end));
            after.is(b'}') || matches!(after.kind, TokenKind::Directive | TokenKind::End)
        };
        let names_type = |token: &Token| matches!(token.word(), Some(Word::Type | Word::Specifier | Word::Qualifier));
        match (self.declares(), has_arguments) {
            (true, _) if is_last() => true,
            (true, true) if next.is(b';') => self.tokens[at..end].iter().take(MAX_AHEAD).any(names_type),
            (declares, true) => declares && (begins_declaration || is_attribute),
            (_, false) => is_attribute || self.begins_declaration(end),
        }
    }

    /// Checks whether a type and a name follow, so that a macro before them cannot be the type.
    fn begins_declaration(&self, at: usize) -> bool {
        let begins = |token: Token| {
            token.is(b'~')
                || matches!(
                    token.word(),
                    Some(Word::Type | Word::Specifier | Word::Group | Word::Enumeration | Word::Template)
                )
        };
        let after = self.after_all(at);
        let at = if begins(self.token(after)) { after } else { at };
        let first = self.token(at);
        if begins(first) {
            return true;
        }
        if first.word() == Some(Word::Qualifier) {
            let (end, _) = self.after_type(at + 1);
            let next = self.token(end);
            let follows = end > at + 1 && (next.word().is_some() || next.is_one_of(b"*&"));
            return follows || self.token(at + 1).word() == Some(Word::Type);
        }
        let (end, is_constructor) = self.after_type(at);
        let next = self.token(end);
        end > at && (next.word().is_some() || next.is_one_of(b"*&") || (next.is(b'(') && is_constructor))
    }

    /// Returns the position after a type, and whether it names a constructor.
    fn after_type(&self, at: usize) -> (usize, bool) {
        let (mut end, mut last, mut is_constructor) = (at, "", false);
        while self.token(end).is_name() && end < at + MAX_AHEAD {
            let token = self.token(end);
            let name = &self.source[token.start..token.end];
            is_constructor = name == last || (last.is_empty() && self.is_own_name(token));
            last = name;
            end += 1;
            if self.token(end).is(b'<') {
                let Some(after) = self.after_angles(end) else { break };
                end = after;
            }
            if self.token(end).kind != TokenKind::Scope || !self.token(end + 1).is_name() {
                break;
            }
            end += 1;
        }
        (end, is_constructor)
    }

    /// Checks whether a token is the name of the type around it.
    fn is_own_name(&self, token: Token) -> bool {
        let scope = self.scopes.last().and_then(|scope| scope.name.clone());
        scope.is_some_and(|name| self.source[name] == self.source[token.start..token.end])
    }

    fn after_angles(&self, at: usize) -> Option<usize> {
        let mut open = 0;
        for end in at..at + MAX_AHEAD {
            match self.token(end).kind {
                TokenKind::Sign(b'<') => open += 1,
                TokenKind::Sign(b'>') => open -= 1,
                TokenKind::Sign(b';' | b'{' | b'}') | TokenKind::Directive | TokenKind::End => return None,
                _ => {}
            }
            if open == 0 {
                return Some(end + 1);
            }
        }
        None
    }

    /// `void open(UNUSED int limit)`
    fn is_in_parameters(&self, end: usize) -> bool {
        self.statement.depth > 0 && self.before[2].is_one_of(b"(,") && self.begins_declaration(end)
    }

    /// `int size() const LIFETIME_BOUND {`
    fn is_after_parameters(&self, end: usize) -> bool {
        let (last, next) = (self.before[2], self.token(end));
        let is_trailer = |token: Token| matches!(token.word(), Some(Word::Trailer | Word::Qualifier));
        let follows = next.is_one_of(b"{;=:") || next.kind == TokenKind::Arrow || is_trailer(next) || next.is_macro();
        let is_in_place = self.statement.depth == 0 && self.statement.has_parameters && self.declares();
        is_in_place && follows && (last.is_one_of(b")&") || is_trailer(last))
    }

    /// `int size_ GUARDED_BY(mutex_);`
    fn is_after_name(&self, end: usize) -> bool {
        let [_, before, last] = self.before;
        let is_declared = before.is_name() || before.word() == Some(Word::Type) || before.is_one_of(b"*&>");
        let next = self.token(end);
        match () {
            () if last.is_name() && is_declared => next.is_one_of(b";={,)") || next.is_macro(),
            () => last.is(b']') && next.is_one_of(b";={,)"),
        }
    }

    /// `int CALL open(int limit)`
    fn is_before_function(&self, end: usize) -> bool {
        let is_after_type = self.before[2].is_name() || self.is_after(Word::Type);
        let is_function = self.token(end).is_name() && self.token(end + 1).is(b'(');
        self.statement.depth == 0 && self.declares() && is_after_type && is_function
    }

    /// Takes a token that is not replaced.
    fn read(&mut self, token: Token) {
        match token.kind {
            TokenKind::Directive => return,
            TokenKind::Word(word) => self.read_word(token, word),
            TokenKind::Sign(sign) => self.read_sign(sign),
            TokenKind::Literal if self.is_after(Word::Specifier) && self.statement.depth == 0 => {
                self.statement.group = Some(Word::Group);
            }
            _ => self.begin(),
        }
        self.before = [self.before[1], self.before[2], token];
    }

    fn begin(&mut self) {
        if self.statement.depth == 0 && self.statement.angles == 0 {
            self.statement.has_begun = true;
        }
    }

    fn read_word(&mut self, token: Token, word: Word) {
        if self.statement.depth > 0 || self.statement.angles > 0 {
            return;
        }
        let statement = &mut self.statement;
        match word {
            Word::Group | Word::Enumeration => {
                statement.group.get_or_insert(word);
                statement.has_begun = true;
            }
            Word::Specifier | Word::Qualifier | Word::Template => {}
            _ => {
                if token.is_name() && statement.group.is_some() {
                    statement.name.get_or_insert(token.start..token.end);
                }
                statement.has_begun = true;
            }
        }
    }

    fn read_sign(&mut self, sign: u8) {
        let is_after_access = self.is_after(Word::Access);
        // `alignas(8)`, `explicit(true)`
        let is_after_keyword = self.is_after(Word::Keyword) || self.is_after(Word::Specifier);
        let statement = &mut self.statement;
        match sign {
            b'(' | b'[' => {
                statement.has_parameters |= sign == b'(' && statement.depth == 0 && !is_after_keyword;
                statement.depth += 1;
            }
            b')' | b']' => statement.depth = statement.depth.saturating_sub(1),
            b'<' if statement.angles > 0 || self.before[2].word() == Some(Word::Template) => statement.angles += 1,
            b'>' if statement.angles > 0 => statement.angles -= 1,
            b'{' => self.open(),
            b'}' => self.close(),
            b';' if statement.depth == 0 => *statement = Statement::default(),
            b':' if statement.depth == 0 && is_after_access => *statement = Statement::default(),
            _ => self.begin(),
        }
    }

    fn open(&mut self) {
        let around = std::mem::take(&mut self.statement);
        let declares = around.group == Some(Word::Group) && !around.has_parameters;
        self.scopes.push(Scope { declares, name: around.name.clone(), around });
    }

    /// Ends braces. Outside parentheses, the statement ends as well.
    fn close(&mut self) {
        let around = if self.scopes.len() > 1 { self.scopes.pop().map(|scope| scope.around) } else { None };
        self.statement = around.filter(|around| around.depth > 0).unwrap_or_default();
    }
}
