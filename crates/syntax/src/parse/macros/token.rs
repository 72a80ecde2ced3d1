//! Splits source text of a language with a preprocessor into tokens.

use crate::lang::Macros;
use rustc_hash::FxHashMap;

/// The role of a word in a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// A word that may be a macro: one in capital letters.
    Macro,
    /// Any other name.
    Name,
    Type,
    Specifier,
    Qualifier,
    Template,
    Group,
    Enumeration,
    Trailer,
    Condition,
    Access,
    /// Any other keyword.
    Keyword,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word(Word),
    /// A single character.
    Sign(u8),
    /// `::`
    Scope,
    /// `->`
    Arrow,
    /// A string, character or number.
    Literal,
    /// A line of the preprocessor.
    Directive,
    /// The end of the text.
    End,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub fn is(self, sign: u8) -> bool {
        self.kind == TokenKind::Sign(sign)
    }

    pub fn is_one_of(self, signs: &[u8]) -> bool {
        matches!(self.kind, TokenKind::Sign(sign) if signs.contains(&sign))
    }

    pub fn word(self) -> Option<Word> {
        match self.kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Checks whether the token is a name, which may be the name of a macro.
    pub fn is_name(self) -> bool {
        matches!(self.word(), Some(Word::Name | Word::Macro))
    }

    pub fn is_macro(self) -> bool {
        self.word() == Some(Word::Macro)
    }
}

/// Returns the tokens of source text, without comments.
pub(super) fn tokens(macros: &Macros, source: &str) -> Vec<Token> {
    let (bytes, keywords) = (source.as_bytes(), keywords(macros));
    let role = |word: &str| keywords.get(word).copied().unwrap_or_else(|| name(word));
    let (mut all, mut at, mut is_line_start) = (Vec::new(), 0, true);
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let next = bytes.get(at + 1).copied();
        let kind = match (byte, next) {
            (b'\n', _) => {
                (at, is_line_start) = (at + 1, true);
                continue;
            }
            (b' ' | b'\t' | b'\r' | 0x0b | 0x0c, _) | (b'\\', Some(b'\n' | b'\r')) => {
                at += 1;
                continue;
            }
            (b'/', Some(b'/')) => {
                at = line_end(bytes, at);
                continue;
            }
            (b'/', Some(b'*')) => {
                at = memchr::memmem::find(&bytes[at + 2..], b"*/").map_or(bytes.len(), |end| at + end + 4);
                continue;
            }
            (b'#', _) if is_line_start => {
                at = line_end(bytes, at);
                TokenKind::Directive
            }
            (b'"' | b'\'', _) => {
                at = string_end(bytes, at);
                TokenKind::Literal
            }
            (b'0'..=b'9', _) | (b'.', Some(b'0'..=b'9')) => {
                at = number_end(bytes, at);
                TokenKind::Literal
            }
            _ if is_word(byte) => {
                at += bytes[at..].iter().take_while(|&&byte| is_word(byte) || byte.is_ascii_digit()).count();
                match literal_end(source, start, at) {
                    Some(end) => {
                        at = end;
                        TokenKind::Literal
                    }
                    None => TokenKind::Word(role(&source[start..at])),
                }
            }
            (b':', Some(b':')) => {
                at += 2;
                TokenKind::Scope
            }
            (b'-', Some(b'>')) => {
                at += 2;
                TokenKind::Arrow
            }
            _ => {
                at += 1;
                TokenKind::Sign(byte)
            }
        };
        is_line_start = false;
        all.push(Token { kind, start, end: at });
    }
    all
}

fn keywords(macros: &Macros) -> FxHashMap<&str, Word> {
    let lists = [
        (&macros.types, Word::Type),
        (&macros.specifiers, Word::Specifier),
        (&macros.qualifiers, Word::Qualifier),
        (&macros.templates, Word::Template),
        (&macros.groups, Word::Group),
        (&macros.enumerations, Word::Enumeration),
        (&macros.trailers, Word::Trailer),
        (&macros.conditions, Word::Condition),
        (&macros.access, Word::Access),
        (&macros.keywords, Word::Keyword),
    ];
    lists.into_iter().flat_map(|(list, word)| list.iter().map(move |text| (text.as_str(), word))).collect()
}

/// Returns the role of a word that is no keyword. Compilers define macros like `__stdcall`.
fn name(word: &str) -> Word {
    let bare = word.trim_start_matches('_');
    let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let is_constant =
        bare.len() > 1 && bare.starts_with(|c: char| c.is_ascii_uppercase()) && bare.bytes().all(is_capital);
    let is_reserved = word.starts_with("__") && bare.starts_with(|c: char| c.is_ascii_lowercase());
    if is_constant || is_reserved { Word::Macro } else { Word::Name }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Returns the end of a line that continues after each backslash at its end.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let breaks = memchr::memchr_iter(b'\n', &bytes[at..]).map(|end| at + end);
    let continues = |end: usize| bytes[at..end].strip_suffix(b"\r").unwrap_or(&bytes[at..end]).ends_with(b"\\");
    breaks.into_iter().find(|&end| !continues(end)).unwrap_or(bytes.len())
}

/// Returns the end of a string or character literal, which ends on its line.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let (quote, mut end) = (bytes[at], at + 1);
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 2,
            b'\n' => break,
            _ if byte == quote => return end + 1,
            _ => end += 1,
        }
    }
    end.min(bytes.len())
}

fn number_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while let Some(&byte) = bytes.get(end) {
        let is_exponent = matches!(bytes[end.max(at + 1) - 1], b'e' | b'E' | b'p' | b'P');
        let is_separator = byte == b'\'' && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !(byte.is_ascii_alphanumeric() || byte == b'.' || is_separator || (is_exponent && b"+-".contains(&byte))) {
            break;
        }
        end += 1;
    }
    end
}

/// Returns the end of the literal that a prefix begins (`u8"text"`, `R"(text)"`); `None` if the
/// word is no prefix.
fn literal_end(source: &str, start: usize, end: usize) -> Option<usize> {
    let (prefix, rest) = (&source[start..end], &source[end..]);
    let is_raw = prefix.ends_with('R');
    if !rest.starts_with(['"', '\'']) || !["", "u8", "u", "U", "L"].contains(&prefix.trim_end_matches('R')) {
        return None;
    }
    if !is_raw {
        return Some(string_end(source.as_bytes(), end));
    }
    let delimiter = rest.get(1..)?.split_once('(').map(|(delimiter, _)| delimiter).filter(|text| text.len() <= 16)?;
    let close = format!("){delimiter}\"");
    Some(rest.find(&close).map_or(source.len(), |at| end + at + close.len()))
}
