//! Collects the reasons why a result was found: the word of the question, the matching word in the
//! code, and its location.

use crate::search::{DocumentField, Question, TermScore, stems_by_term};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::parse::Field;
use whichfn_text::{Stemmer, is_stop_word, word_ranges, words};

/// Maximum number of reasons for a result.
const MAX_REASONS: usize = 8;

/// Words that match because function names contain them, but that are no reason elsewhere.
const FREQUENT: &[&str] =
    &["is", "not", "from", "to", "with", "all", "any", "for", "if", "no", "other", "another", "whether"];

/// A reason why a result was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Section of the question (`purpose`, `input`, `output` or `procedure`), or `context` for
    /// words of callers and callees.
    pub part: Cow<'static, str>,
    /// Word of the question.
    pub query: String,
    /// Matching word as written in the code.
    pub found: String,
    /// Field that contains the match.
    pub field: Cow<'static, str>,
    /// Contribution to the score.
    pub weight: f32,
}

/// Returns the strongest reason for each word of the question, strongest first.
pub(super) fn strongest(all: &[Evidence]) -> Vec<Evidence> {
    let mut seen = Vec::new();
    let first = all.iter().filter(|reason| {
        let new = !seen.contains(&&reason.query);
        seen.push(&reason.query);
        new
    });
    first.take(MAX_REASONS).cloned().collect()
}

/// Returns the reasons that the displayed name does not already show, without words that are too
/// frequent.
pub(super) fn display_order(all: &[Evidence]) -> Vec<Evidence> {
    let in_name = |query: &str| all.iter().any(|one| one.query == query && ["name", "scope"].contains(&&*one.field));
    strongest(all).into_iter().filter(|one| !in_name(&one.query) && !is_uninformative(&one.query)).collect()
}

/// Returns all matches of the question's words, strongest first.
pub(super) fn collect(
    graph: &GraphFile,
    id: DefinitionId,
    path: &str,
    span: &str,
    question: &Question,
    query_stems: &QueryStems,
    term_scores: &[TermScore],
) -> Vec<Evidence> {
    let mut stemmer = Stemmer::default();
    let spellings = query_stems.spellings(span, &mut stemmer);
    let documented = query_stems.spellings(graph.doc(id), &mut stemmer);
    let mut reasons = Vec::new();
    for found_by in term_scores {
        let term = &question.terms[found_by.term];
        let has = |text: &str, stemmer: &mut Stemmer| {
            let mut found = false;
            words(text, |word| found |= query_stems.is_match(found_by.term, stemmer.stem(word)));
            found
        };
        let named =
            |id: DefinitionId, stemmer: &mut Stemmer| has(graph.name(id), stemmer) || has(graph.doc(id), stemmer);
        let found = match found_by.field {
            DocumentField::Own(Field::Name) => Some(graph.name(id).to_owned()),
            DocumentField::Own(Field::Scope) => Some(graph.qualified_name(id).to_owned()),
            DocumentField::Own(Field::Path) => {
                path.split('/').find(|segment| has(segment, &mut stemmer)).map(str::to_owned)
            }
            DocumentField::CallerNames | DocumentField::CallerDocs => graph
                .callers(id)
                .iter()
                .find(|&&caller| named(caller, &mut stemmer))
                .map(|&caller| graph.qualified_name(caller).to_owned()),
            DocumentField::CalleeDocs => graph
                .calls(id)
                .iter()
                .find(|call| named(call.callee, &mut stemmer))
                .map(|call| graph.qualified_name(call.callee).to_owned()),
            DocumentField::Own(Field::Summary | Field::Doc) => {
                documented[found_by.term].clone().or_else(|| spellings[found_by.term].clone())
            }
            _ => spellings[found_by.term].clone(),
        };
        let part_name = if found_by.field.is_own() { term.section.name() } else { "context" };
        reasons.push(Evidence {
            part: part_name.into(),
            query: term.word.clone(),
            found: found.unwrap_or_else(|| term.word.clone()),
            field: found_by.field.name().into(),
            weight: found_by.score,
        });
    }
    reasons
}

/// Stems that match each term of a question: the term's own stem, and the stems of synonyms and
/// related words.
pub struct QueryStems {
    /// Terms that each stem matches, and whether the stem is the term's own.
    terms: FxHashMap<String, Vec<(usize, bool)>>,
    count: usize,
}

impl QueryStems {
    /// Collects the stems of a question. Call this once for all results of an answer.
    pub fn new(question: &Question) -> Self {
        let mut terms: FxHashMap<String, Vec<(usize, bool)>> = FxHashMap::default();
        for ((at, term), others) in question.terms.iter().enumerate().zip(stems_by_term(question)) {
            terms.entry(term.stem.clone()).or_default().push((at, true));
            others.into_iter().for_each(|stem| terms.entry(stem).or_default().push((at, false)));
        }
        Self { terms, count: question.terms.len() }
    }

    /// Returns the terms of the question that a stem matches, and whether it is the term's own
    /// stem.
    pub fn matched_terms(&self, stem: &str) -> &[(usize, bool)] {
        self.terms.get(stem).map_or(&[], Vec::as_slice)
    }

    /// Returns the words in the strings that are in the question, in lower case and sorted, without
    /// words that are too frequent. Synonyms are left out: a reader does not recognize them.
    pub(super) fn matched_words(&self, question: &Question, texts: [&str; 3]) -> Vec<String> {
        let mut stemmer = Stemmer::default();
        let mut matched = BTreeSet::new();
        let is_typed = |&(at, is_own): &(usize, bool)| is_own && !is_uninformative(&question.terms[at].word);
        for text in texts {
            for part in word_ranges(text).map(|range| text[range].to_lowercase()) {
                if !matched.contains(&part)
                    && !is_uninformative(&part)
                    && self.matched_terms(stemmer.stem(&part)).iter().any(is_typed)
                {
                    matched.insert(part);
                }
            }
        }
        matched.into_iter().collect()
    }

    fn is_match(&self, term: usize, stem: &str) -> bool {
        self.terms.get(stem).is_some_and(|terms| terms.iter().any(|&(at, _)| at == term))
    }

    /// Returns, for each term, the first identifier or word in the code that contains it, or else
    /// the first one with a related word, as written.
    fn spellings(&self, span: &str, stemmer: &mut Stemmer) -> Vec<Option<String>> {
        let (mut own, mut others) = (vec![None; self.count], vec![None; self.count]);
        for run in span.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|run| !run.is_empty()) {
            words(run, |word| {
                for &(term, is_own) in self.terms.get(stemmer.stem(word)).into_iter().flatten() {
                    let found = if is_own { &mut own[term] } else { &mut others[term] };
                    found.get_or_insert_with(|| run.to_owned());
                }
            });
        }
        own.into_iter().zip(others).map(|(own, other)| own.or(other)).collect()
    }
}

/// Checks whether a word occurs nearly everywhere, so that it explains nothing.
fn is_uninformative(word: &str) -> bool {
    is_stop_word(word) || FREQUENT.contains(&word)
}
