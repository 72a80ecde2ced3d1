//! Questions about text, and the query language.
//!
//! A plain question is a bag of words, whatever characters it contains. A text with an operator is a
//! query: `AND`, `OR` or `NOT` in capitals, a phrase in quotation marks, `path:docs/`, a word prefix
//! (`valid*`) or a similar word (`valdiator~`). Words without an operator between them are
//! alternatives, of which more matches give a higher score.
//!
//! Only a query with `AND`, `OR`, `NOT` or `path:` can be invalid.

use crate::parse::{Expression, Parsed, parse};
use crate::schema::Fields;
use crate::words::{Word, Words};
use tantivy::Term;
use tantivy::query::{
    BooleanQuery, BoostQuery, DisjunctionMaxQuery, FuzzyTermQuery, Occur, PhraseQuery, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use whichfn_system::error::Result;

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
    is_cut: bool,
}

impl PassageQuery {
    /// Parses a question. Only a text with operators can be invalid.
    ///
    /// # Errors
    /// Returns an error that names the operator without an operand, the open parenthesis or quotation
    /// mark, or the limit that the query exceeds.
    pub fn parse(text: &str) -> Result<Self> {
        let Parsed { clauses, paths, is_cut } = parse(text)?;
        Ok(Self { clauses, paths, is_cut })
    }

    /// Checks whether only the first words of a plain question are searched, because it has more than
    /// [`MOST_TERMS`](crate::MOST_TERMS).
    pub fn is_cut(&self) -> bool {
        self.is_cut
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
