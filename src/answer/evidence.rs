//! Why a result was found: which word of the question met which word of the code, and where.

use crate::ids::DefinitionId;
use crate::parse::Field;
use crate::search::{DocumentField, Question, TermScore, stands_for};
use crate::store::GraphFile;
use crate::text::{Stemmer, is_stop_word, word_ranges, words};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// At most this many reasons are given for a result.
const MOST_REASONS: usize = 8;

/// Words that count, because functions are named after them, but that nobody takes for a reason where they stand elsewhere.
const FREQUENT: &[&str] =
    &["is", "not", "from", "to", "with", "all", "any", "for", "if", "no", "other", "another", "whether"];

/// One reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The part of the question: `purpose`, `input`, `output`, `procedure`; `context` for words of callers and callees.
    pub part: Cow<'static, str>,
    /// The word asked for.
    pub query: String,
    /// The word found, as it stands in the code.
    pub found: String,
    /// Where it was found.
    pub field: Cow<'static, str>,
    /// Its share of the score.
    pub weight: f32,
}

/// The strongest reason of each word of the question, the strongest first.
pub(super) fn strongest(all: &[Evidence]) -> Vec<Evidence> {
    let mut seen = Vec::new();
    let first = all.iter().filter(|reason| {
        let new = !seen.contains(&&reason.query);
        seen.push(&reason.query);
        new
    });
    first.take(MOST_REASONS).cloned().collect()
}

/// The reasons that a reader does not see in the name beside them: neither a word that the name has, nor one that says nothing
/// about code.
pub(super) fn telling(all: &[Evidence]) -> Vec<Evidence> {
    let in_name = |query: &str| all.iter().any(|one| one.query == query && ["name", "scope"].contains(&&*one.field));
    strongest(all).into_iter().filter(|one| !in_name(&one.query) && !says_nothing(&one.query)).collect()
}

/// All that the question's words found, the strongest first.
pub(super) fn of(
    graph: &GraphFile,
    id: DefinitionId,
    path: &str,
    span: &str,
    question: &Question,
    wanted: &WantedStems,
    term_scores: &[TermScore],
) -> Vec<Evidence> {
    let mut stemmer = Stemmer::default();
    let written = wanted.written(span, &mut stemmer);
    let documented = wanted.written(graph.doc(id), &mut stemmer);
    let mut reasons = Vec::new();
    for found_by in term_scores {
        let term = &question.terms[found_by.term];
        let has = |text: &str, stemmer: &mut Stemmer| {
            let mut found = false;
            words(text, |word| found |= wanted.is_met(found_by.term, stemmer.stem(word)));
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
                documented[found_by.term].clone().or_else(|| written[found_by.term].clone())
            }
            _ => written[found_by.term].clone(),
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

/// The stems that meet each term of a question: its own, and those that may stand for it.
pub struct WantedStems {
    /// By stem: the terms that it meets, and whether it is their own.
    terms: FxHashMap<String, Vec<(usize, bool)>>,
    count: usize,
}

impl WantedStems {
    /// Of a question: once for all results of an answer.
    pub fn new(question: &Question) -> Self {
        let mut terms: FxHashMap<String, Vec<(usize, bool)>> = FxHashMap::default();
        for ((at, term), others) in question.terms.iter().enumerate().zip(stands_for(question)) {
            terms.entry(term.stem.clone()).or_default().push((at, true));
            others.into_iter().for_each(|stem| terms.entry(stem).or_default().push((at, false)));
        }
        Self { terms, count: question.terms.len() }
    }

    /// The terms of the question that a stem meets, and whether it is their own.
    pub fn met_by(&self, stem: &str) -> &[(usize, bool)] {
        self.terms.get(stem).map_or(&[], Vec::as_slice)
    }

    /// The words of some texts that meet the question, in lower case and in order, without those that say nothing.
    pub(super) fn met_in(&self, question: &Question, texts: [&str; 3]) -> Vec<String> {
        let mut stemmer = Stemmer::default();
        let mut met = BTreeSet::new();
        let says = |&(at, _): &(usize, bool)| !says_nothing(&question.terms[at].word);
        for text in texts {
            for part in word_ranges(text).map(|range| text[range].to_lowercase()) {
                if !met.contains(&part) && !says_nothing(&part) && self.met_by(stemmer.stem(&part)).iter().any(says) {
                    met.insert(part);
                }
            }
        }
        met.into_iter().collect()
    }

    fn is_met(&self, term: usize, stem: &str) -> bool {
        self.terms.get(stem).is_some_and(|terms| terms.iter().any(|&(at, _)| at == term))
    }

    /// By term: the first identifier or word of the code that holds it, else the first that stands for it, as written.
    fn written(&self, span: &str, stemmer: &mut Stemmer) -> Vec<Option<String>> {
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

/// Whether a word asked for is found nearly everywhere.
fn says_nothing(word: &str) -> bool {
    is_stop_word(word) || FREQUENT.contains(&word)
}
