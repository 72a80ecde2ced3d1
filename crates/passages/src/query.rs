//! Questions about text, and the query language.
//!
//! A plain question is a bag of words, whatever characters it contains. A text with an operator is a
//! query: `AND`, `OR` or `NOT` in capitals, a phrase in quotation marks, `path:docs/`, a word prefix
//! (`valid*`) or a similar word (`valdiator~`). Words without an operator between them are
//! alternatives, of which more matches give a higher score.
//!
//! Only a query with `AND`, `OR`, `NOT` or `path:` can be invalid.

use crate::schema::Fields;
use crate::words::{Word, Words, is_stop_word};
use tantivy::Term;
use tantivy::query::{
    BooleanQuery, BoostQuery, DisjunctionMaxQuery, FuzzyTermQuery, Occur, PhraseQuery, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use whichfn_system::error::{Error, Kind, Result};

/// Maximum number of words of a question that are searched.
const MOST_WORDS: usize = 100;
/// Maximum number of open parentheses.
const DEEPEST: usize = 50;
/// Weight of a phrase among words.
const PHRASE: f32 = 2.0;
/// Weight of two adjacent words of a question that are also adjacent in the text.
const ADJACENT: f32 = 0.5;
/// Number of words that may separate them.
const SLOP: usize = 1;

/// A question about text.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageQuery {
    clauses: Expression,
    /// Path prefixes of which one must match, and those of which none may match.
    paths: Vec<(bool, String)>,
}

/// A part of a query.
#[derive(Debug, Clone, PartialEq)]
enum Expression {
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

impl PassageQuery {
    /// Parses a question. Only a text with operators can be invalid.
    ///
    /// # Errors
    /// Returns an error that names the operator without an operand, or the open parenthesis or
    /// quotation mark.
    pub fn parse(text: &str) -> Result<Self> {
        let mut words = Words::default();
        let tokens = tokens(text);
        let is_operator = |token: &QueryToken| {
            matches!(token, QueryToken::And | QueryToken::Or | QueryToken::Not | QueryToken::Path(_))
        };
        if !tokens.iter().any(is_operator) {
            return Ok(Self { clauses: plain(&tokens, &mut words), paths: Vec::new() });
        }
        if text.matches('"').count() % 2 == 1 {
            return Err(invalid("a quotation mark is not closed"));
        }
        let mut parser =
            Parser { tokens: tokens.into_iter().peekable(), words: &mut words, paths: Vec::new(), depth: 0 };
        let clauses = parser.alternatives()?;
        if parser.tokens.next().is_some() {
            return Err(invalid("a closing parenthesis has no opening one"));
        }
        let paths = parser.paths;
        Ok(Self { clauses, paths })
    }

    /// Checks whether the passages of a file may match.
    pub fn accepts_path(&self, path: &str) -> bool {
        let matches = |wanted: &str| path.starts_with(wanted) || path.contains(&format!("/{wanted}"));
        let (mut is_limited, mut is_wanted) = (false, false);
        for (excludes, wanted) in &self.paths {
            if *excludes && matches(wanted) {
                return false;
            }
            is_limited |= !excludes;
            is_wanted |= !excludes && matches(wanted);
        }
        !is_limited || is_wanted
    }

    /// Returns the stems that a passage may contain.
    pub(crate) fn stems(&self) -> Vec<String> {
        let mut stems = Vec::new();
        self.clauses.stems(&mut stems);
        stems
    }

    /// Returns the numbers of up to `most` lines that contain most words of the query, best first.
    /// Without any such line, the first line with a word is returned.
    pub fn best_lines(&self, lines: &[&str], most: usize) -> Vec<usize> {
        let (wanted, mut words) = (self.stems(), Words::default());
        let mut scored: Vec<(usize, usize)> = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let found = words.tokens(line);
            let count = wanted.iter().filter(|stem| found.iter().any(|token| token.text == **stem)).count();
            if !found.is_empty() {
                scored.push((count, number));
            }
        }
        if scored.iter().any(|(count, _)| *count > 0) {
            scored.retain(|(count, _)| *count > 0);
            scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        } else {
            scored.truncate(1);
        }
        scored.into_iter().take(most).map(|(_, number)| number).collect()
    }

    /// Returns the query for tantivy, or `None` if it contains no word.
    pub(crate) fn to_tantivy(&self, fields: &Fields) -> Option<Box<dyn Query>> {
        match self.clauses.query(fields) {
            None if !self.paths.is_empty() => Some(Box::new(tantivy::query::AllQuery)),
            query => query,
        }
    }
}

fn invalid(what: &str) -> Error {
    let next = "write words with AND, OR and NOT between them, \"phrases\", path:docs/, prefix* or similar~; or ask \
                without operators";
    Error::new(Kind::Usage, format!("the query is invalid: {what}"), next)
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
fn plain(tokens: &[QueryToken], words: &mut Words) -> Expression {
    let (mut bag, mut others) = (Vec::new(), Vec::new());
    for token in tokens {
        match token {
            QueryToken::Phrase(phrase) => others.push((false, Expression::Phrase(words.of(phrase)))),
            QueryToken::Text(text) => match special(text, words) {
                Some(special) => others.push((false, special)),
                None => bag.extend(words.of(text)),
            },
            _ => {}
        }
    }
    let content: Vec<Word> = bag.iter().filter(|word| !is_stop_word(&word.plain)).cloned().collect();
    let mut bag = if content.is_empty() && others.is_empty() { bag } else { content };
    bag.truncate(MOST_WORDS);
    others.truncate(MOST_WORDS);
    match (bag.is_empty(), others.is_empty()) {
        (_, true) => Expression::Bag(bag),
        (true, false) => Expression::Any(others),
        (false, false) => {
            others.push((false, Expression::Bag(bag)));
            Expression::Any(others)
        }
    }
}

/// Returns a prefix or a similar word: `valid*`, `valdiator~`, `valdiator~2`.
fn special(text: &str, words: &mut Words) -> Option<Expression> {
    let (word, special): (&str, fn(Word) -> Expression) = match text {
        _ if let Some(word) = text.strip_suffix('*') => (word, Expression::Prefix),
        _ if let Some(word) = text.strip_suffix("~2") => (word, |word| Expression::Similar(word, 2)),
        _ if let Some(word) = text.strip_suffix("~1").or(text.strip_suffix('~')) => {
            (word, |word| Expression::Similar(word, 1))
        }
        _ => return None,
    };
    let is_word = word.chars().count() >= 2 && word.chars().all(char::is_alphanumeric);
    is_word.then(|| words.of(word).into_iter().next().map(special)).flatten()
}

/// A parser of queries with operators. `OR` and adjacent words bind less than `AND`.
struct Parser<'a, T: Iterator<Item = QueryToken>> {
    tokens: std::iter::Peekable<T>,
    words: &'a mut Words,
    paths: Vec<(bool, String)>,
    depth: usize,
}

impl<T: Iterator<Item = QueryToken>> Parser<'_, T> {
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
            if parts.len() > MOST_WORDS {
                return Err(invalid("it has too many parts"));
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
                self.paths.push((excludes, path));
                return Ok(None);
            }
            Some(QueryToken::Phrase(phrase)) => Expression::Phrase(self.words.of(&phrase)),
            Some(QueryToken::Text(text)) => {
                special(&text, self.words).unwrap_or_else(|| Expression::Bag(self.words.of(&text)))
            }
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

impl Expression {
    /// Adds the stems that a passage may contain.
    fn stems(&self, stems: &mut Vec<String>) {
        match self {
            Self::Bag(words) | Self::Phrase(words) => stems.extend(words.iter().flat_map(|word| word.parts.clone())),
            Self::Prefix(word) | Self::Similar(word, _) => stems.extend(word.parts.clone()),
            Self::All(parts) => parts.iter().for_each(|part| part.stems(stems)),
            Self::Any(parts) => parts.iter().filter(|(excludes, _)| !excludes).for_each(|(_, part)| part.stems(stems)),
        }
    }

    /// Returns the query for tantivy, or `None` for a part without words.
    fn query(&self, fields: &Fields) -> Option<Box<dyn Query>> {
        match self {
            Self::Bag(words) => bag(words, fields),
            Self::Phrase(words) => in_fields(fields, |field| phrase(words, field)),
            Self::Prefix(word) => in_fields(fields, |field| {
                let start = word.parts.first().filter(|stem| word.plain.starts_with(stem.as_str()));
                let term = Term::from_field_text(field, start.unwrap_or(&word.plain));
                Some(Box::new(FuzzyTermQuery::new_prefix(term, 0, true)))
            }),
            Self::Similar(word, distance) => in_fields(fields, |field| {
                let term = Term::from_field_text(field, word.joined.as_ref().or(word.parts.first())?);
                Some(Box::new(FuzzyTermQuery::new(term, *distance, true)))
            }),
            Self::All(parts) => {
                let occurs = |part: &Self| match part {
                    Self::Any(inner) if let [(true, excluded)] = &inner[..] => {
                        Some((Occur::MustNot, excluded.query(fields)?))
                    }
                    part => Some((Occur::Must, part.query(fields)?)),
                };
                joined(parts.iter().filter_map(occurs).collect())
            }
            Self::Any(parts) => {
                let occurs = |(excludes, part): &(bool, Self)| {
                    let query = part.query(fields)?;
                    Some(match (excludes, part) {
                        (true, _) => (Occur::MustNot, query),
                        (false, Self::Phrase(_)) => (Occur::Should, boosted(query, PHRASE)),
                        (false, _) => (Occur::Should, query),
                    })
                };
                joined(parts.iter().filter_map(occurs).collect())
            }
        }
    }
}

fn joined(mut clauses: Vec<(Occur, Box<dyn Query>)>) -> Option<Box<dyn Query>> {
    match clauses.len() {
        0 => None,
        1 if clauses[0].0 != Occur::MustNot => clauses.pop().map(|(_, query)| query),
        _ => Some(Box::new(BooleanQuery::new(clauses))),
    }
}

fn boosted(query: Box<dyn Query>, weight: f32) -> Box<dyn Query> {
    Box::new(BoostQuery::new(query, weight))
}

/// Returns the sum of a query over all searched fields.
fn in_fields(fields: &Fields, query: impl Fn(Field) -> Option<Box<dyn Query>>) -> Option<Box<dyn Query>> {
    let weighted = |(field, weight)| Some((Occur::Should, boosted(query(field)?, weight)));
    joined(fields.weighted().into_iter().filter_map(weighted).collect())
}

/// Returns the query for plain words: each word by itself, and adjacent words that are also adjacent
/// in the text.
fn bag(words: &[Word], fields: &Fields) -> Option<Box<dyn Query>> {
    let single = |word: &Word| Some((Occur::Should, in_fields(fields, |field| one(word, field))?));
    let pair = |pair: &[Word]| {
        let both = |field| Some((Occur::Should, boosted(near(pair, field)?, ADJACENT)));
        [fields.body, fields.heading].into_iter().filter_map(both).collect::<Vec<_>>()
    };
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = words.iter().filter_map(single).collect();
    clauses.extend(words.windows(2).flat_map(pair));
    joined(clauses)
}

/// Returns the query for a word: its only part, or its parts in sequence or joined.
fn one(word: &Word, field: Field) -> Option<Box<dyn Query>> {
    let term = |text: &String| -> Box<dyn Query> {
        Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::WithFreqs))
    };
    match (&word.parts[..], &word.joined) {
        ([], _) => None,
        ([part], _) => Some(term(part)),
        (_, None) => phrase(std::slice::from_ref(word), field),
        (_, Some(joined)) => {
            let parts = phrase(std::slice::from_ref(word), field)?;
            Some(Box::new(DisjunctionMaxQuery::new(vec![term(joined), parts])))
        }
    }
}

/// Returns the query for words in sequence.
fn phrase(words: &[Word], field: Field) -> Option<Box<dyn Query>> {
    apart(words, field, 0)
}

/// Returns the query for two words with at most [`SLOP`] words between them.
///
/// tantivy's own slop counts matches in an order that depends on the segment, so that an index that
/// was updated would rank differently from a new one.
fn near(pair: &[Word], field: Field) -> Option<Box<dyn Query>> {
    let queries: Option<Vec<_>> = (0..=SLOP).map(|gap| apart(pair, field, gap)).collect();
    Some(Box::new(DisjunctionMaxQuery::new(queries?)))
}

/// Returns the query for words in sequence, with `gap` words between one and the next.
fn apart(words: &[Word], field: Field, gap: usize) -> Option<Box<dyn Query>> {
    let mut terms: Vec<(usize, Term)> = Vec::new();
    for word in words {
        let from = terms.last().map_or(0, |(last, _)| last + 1 + gap);
        terms.extend(word.parts.iter().enumerate().map(|(at, part)| (from + at, Term::from_field_text(field, part))));
    }
    match terms.len() {
        0 => None,
        1 => terms
            .pop()
            .map(|(_, term)| -> Box<dyn Query> { Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)) }),
        _ => Some(Box::new(PhraseQuery::new_with_offset(terms))),
    }
}
