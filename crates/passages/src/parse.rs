//! Parses the query language, and limits the terms of a query.

use crate::words::{Word, Words, is_stop_word};
use std::iter::Peekable;
use std::vec::IntoIter;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::prefix;

/// Maximum length in bytes of the part of a text that is parsed.
const LONGEST: usize = 64 << 10;
/// Maximum number of terms of a whole query: stems and paths. tantivy needs up to 160 kB for a term.
pub const MOST_TERMS: usize = 200;
/// Maximum number of prefixes and similar words of a whole query. tantivy builds an automaton for
/// each, which needs up to 5 MB.
pub const MOST_PATTERNS: usize = 10;
/// Maximum number of open parentheses.
const DEEPEST: usize = 50;

/// A part of a query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expression {
    /// Plain words.
    Bag(Vec<Word>),
    Phrase(Vec<Word>),
    Prefix(Word),
    /// A word, and the number of letters that may differ.
    Similar(Word, u8),
    All(Vec<Expression>),
    /// Alternatives; of those marked with `true`, none may match.
    Any(Vec<(bool, Expression)>),
}

/// A parsed query.
pub(crate) struct Parsed {
    pub clauses: Expression,
    /// Path prefixes, and whether they exclude files.
    pub paths: Vec<(bool, String)>,
    /// True if the end of a plain question is left out.
    pub is_cut: bool,
}

/// Parses a question. Only a text with operators can be invalid. What exceeds the limits is left out
/// of a plain question, and is an error in a query, which would have another meaning without it.
pub(crate) fn parse(text: &str) -> Result<Parsed> {
    let start = prefix(text, LONGEST);
    let mut terms = Terms { is_cut: start.len() < text.len(), ..Terms::default() };
    let tokens = tokens(start);
    let is_operator =
        |token: &QueryToken| matches!(token, QueryToken::And | QueryToken::Or | QueryToken::Not | QueryToken::Path(_));
    if !tokens.iter().any(is_operator) {
        let clauses = plain(&tokens, &mut terms);
        return Ok(Parsed { clauses, paths: Vec::new(), is_cut: terms.is_cut });
    }
    if terms.is_cut {
        return Err(too_large());
    }
    if text.matches('"').count() % 2 == 1 {
        return Err(invalid("a quotation mark is not closed"));
    }
    let mut parser = Parser { tokens: tokens.into_iter().peekable(), terms, paths: Vec::new(), depth: 0 };
    let clauses = parser.alternatives()?;
    if parser.tokens.next().is_some() {
        return Err(invalid("a closing parenthesis has no opening one"));
    }
    Ok(Parsed { clauses, paths: parser.paths, is_cut: false })
}

/// Splits text into words, and counts the terms of a query.
#[derive(Default)]
struct Terms {
    words: Words,
    terms: usize,
    patterns: usize,
    /// True if anything was left out.
    is_cut: bool,
}

impl Terms {
    /// Returns the words of a text that the query may contain.
    fn of(&mut self, text: &str) -> Vec<Word> {
        let words = self.words.of(text);
        self.within_limit(words)
    }

    /// Returns the first words that the query may contain.
    fn within_limit(&mut self, mut words: Vec<Word>) -> Vec<Word> {
        let kept = words.iter().take_while(|word| self.add(word.parts.len())).count();
        words.truncate(kept);
        words
    }

    /// Counts terms, and returns whether the query may contain them.
    fn add(&mut self, terms: usize) -> bool {
        let fits = self.terms + terms <= MOST_TERMS;
        self.terms += if fits { terms } else { 0 };
        self.is_cut |= !fits;
        fits
    }

    /// Counts a prefix or a similar word, and returns whether the query may contain it.
    fn add_pattern(&mut self, word: &Word) -> bool {
        let fits = self.patterns < MOST_PATTERNS && self.add(word.parts.len());
        self.patterns += usize::from(fits);
        self.is_cut |= !fits;
        fits
    }
}

/// A token of a query.
#[derive(Debug, Clone, PartialEq)]
enum QueryToken {
    And,
    Or,
    Not,
    Open,
    Close,
    Path(String),
    Phrase(String),
    Text(String),
}

fn invalid(what: &str) -> Error {
    let next = "write words with AND, OR and NOT between them, \"phrases\", path:docs/, prefix* or similar~; or ask \
                without operators";
    Error::new(Kind::Usage, format!("the query is invalid: {what}"), next)
}

fn too_large() -> Error {
    let most = format!("{MOST_TERMS} words and paths, {MOST_PATTERNS} of them with * or ~, in {} KiB", LONGEST >> 10);
    invalid(&format!("it has more than {most}"))
}

/// Splits a text into tokens. A quotation mark without a second one is dropped.
///
/// In a text without any lower-case letter, `AND`, `OR` and `NOT` are words.
fn tokens(text: &str) -> Vec<QueryToken> {
    let is_shouted = !text.chars().any(char::is_lowercase);
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let phrase = (first == '"').then(|| rest[1..].split_once('"')).flatten();
        if let Some((phrase, after)) = phrase {
            tokens.push(QueryToken::Phrase(phrase.to_owned()));
            rest = after.trim_start();
            continue;
        }
        let end = match first {
            '(' | ')' | '"' => 1,
            _ => rest.find(|c: char| c.is_whitespace() || "()\"".contains(c)).unwrap_or(rest.len()),
        };
        let word = &rest[..end];
        let path = word.strip_prefix("path:").filter(|path| !path.is_empty());
        tokens.push(match (word, path) {
            ("AND", _) if !is_shouted => QueryToken::And,
            ("OR", _) if !is_shouted => QueryToken::Or,
            ("NOT", _) if !is_shouted => QueryToken::Not,
            ("(", _) => QueryToken::Open,
            (")", _) => QueryToken::Close,
            (_, Some(path)) => QueryToken::Path(path.trim_start_matches("./").to_owned()),
            _ => QueryToken::Text(word.to_owned()),
        });
        rest = rest[end..].trim_start();
    }
    tokens.retain(|token| *token != QueryToken::Text("\"".to_owned()));
    tokens
}

/// Returns the words of a question without operators. Parentheses have no meaning in it.
fn plain(tokens: &[QueryToken], terms: &mut Terms) -> Expression {
    let (mut bag, mut others) = (Vec::new(), Vec::new());
    for token in tokens {
        match token {
            QueryToken::Phrase(phrase) => others.push(Expression::Phrase(terms.of(phrase))),
            QueryToken::Text(text) => match special(text, &mut terms.words) {
                Some((pattern, word)) if terms.add_pattern(&word) => others.push(pattern(word)),
                Some(_) => {}
                None => bag.extend(terms.words.of(text)),
            },
            _ => {}
        }
    }
    let content: Vec<Word> = bag.iter().filter(|word| !is_stop_word(&word.plain)).cloned().collect();
    let bag = terms.within_limit(if content.is_empty() && others.is_empty() { bag } else { content });
    if others.is_empty() {
        return Expression::Bag(bag);
    }
    if !bag.is_empty() {
        others.push(Expression::Bag(bag));
    }
    Expression::Any(others.into_iter().map(|part| (false, part)).collect())
}

/// Returns the expression for a word with a sign.
type OfWord = fn(Word) -> Expression;

/// Returns a prefix or a similar word: `valid*`, `valdiator~`, `valdiator~2`.
fn special(text: &str, words: &mut Words) -> Option<(OfWord, Word)> {
    let (word, special): (&str, fn(Word) -> Expression) = match text {
        _ if let Some(word) = text.strip_suffix('*') => (word, Expression::Prefix),
        _ if let Some(word) = text.strip_suffix("~2") => (word, |word| Expression::Similar(word, 2)),
        _ if let Some(word) = text.strip_suffix("~1").or(text.strip_suffix('~')) => {
            (word, |word| Expression::Similar(word, 1))
        }
        _ => return None,
    };
    let is_word = word.chars().count() >= 2 && word.chars().all(char::is_alphanumeric);
    is_word.then(|| words.of(word).into_iter().next().map(|word| (special, word))).flatten()
}

/// A parser of queries with operators. `OR` and adjacent words bind less than `AND`.
struct Parser {
    tokens: Peekable<IntoIter<QueryToken>>,
    terms: Terms,
    paths: Vec<(bool, String)>,
    depth: usize,
}

impl Parser {
    /// Parses parts that are alternatives, up to the end or a closing parenthesis.
    fn alternatives(&mut self) -> Result<Expression> {
        let mut parts: Vec<(bool, Expression)> = Vec::new();
        let mut is_open = false;
        while let Some(token) = self.tokens.peek() {
            match token {
                QueryToken::Close => break,
                QueryToken::Or if parts.is_empty() || is_open => return Err(invalid("OR has nothing before it")),
                QueryToken::Or => {
                    self.tokens.next();
                    is_open = true;
                }
                _ => {
                    let part = self.all()?;
                    parts.extend(part);
                    is_open = false;
                }
            }
            if self.terms.is_cut {
                return Err(too_large());
            }
        }
        if is_open {
            return Err(invalid("OR has nothing after it"));
        }
        if !parts.is_empty() && parts.iter().all(|(excludes, _)| *excludes) {
            return Err(invalid("it only excludes passages with NOT"));
        }
        Ok(Expression::Any(parts))
    }

    /// Parses parts that must all match, or one excluded part. Returns `None` for a path.
    fn all(&mut self) -> Result<Option<(bool, Expression)>> {
        let mut parts = vec![self.part("AND has nothing before it")?];
        while self.tokens.next_if(|token| *token == QueryToken::And).is_some() {
            parts.push(self.part("AND has nothing after it")?);
            if self.terms.is_cut {
                return Err(too_large());
            }
        }
        let mut parts: Vec<(bool, Expression)> = parts.into_iter().flatten().collect();
        Ok(match parts.len() {
            0 | 1 => parts.pop(),
            _ if parts.iter().all(|(excludes, _)| *excludes) => {
                return Err(invalid("it only excludes passages with NOT"));
            }
            _ => Some((false, Expression::All(parts.into_iter().map(excluded).collect()))),
        })
    }

    /// Parses a word, a phrase or parentheses, and whether `NOT` excludes it.
    fn part(&mut self, missing: &str) -> Result<Option<(bool, Expression)>> {
        let excludes = self.tokens.next_if(|token| *token == QueryToken::Not).is_some();
        let missing = if excludes { "NOT has nothing after it" } else { missing };
        let part = match self.tokens.next() {
            Some(QueryToken::Path(path)) => {
                self.terms.add(1);
                self.paths.push((excludes, path));
                return Ok(None);
            }
            Some(QueryToken::Phrase(phrase)) => Expression::Phrase(self.terms.of(&phrase)),
            Some(QueryToken::Text(text)) => match special(&text, &mut self.terms.words) {
                Some((pattern, word)) => {
                    self.terms.add_pattern(&word);
                    pattern(word)
                }
                None => Expression::Bag(self.terms.of(&text)),
            },
            Some(QueryToken::Open) => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(invalid("it has too many parentheses"));
                }
                let inner = self.alternatives()?;
                self.depth -= 1;
                if self.tokens.next() != Some(QueryToken::Close) {
                    return Err(invalid("a parenthesis is not closed"));
                }
                inner
            }
            _ => return Err(invalid(missing)),
        };
        Ok(Some((excludes, part)))
    }
}

/// Wraps an excluded part, so that it can be one of several parts that must match.
fn excluded((excludes, part): (bool, Expression)) -> Expression {
    if excludes { Expression::Any(vec![(true, part)]) } else { part }
}
