//! Questions that are not in English: the code and the word lists mostly are.

use super::Engine;
use super::plan::TextUse;
use std::cell::RefCell;
use whichfn_index::wordvec::WordTable;
use whichfn_search::search::{KindFilter, Query, Question, QuestionForm};
use whichfn_text::{ForeignQuestion, Stemmer, translate};

impl Engine {
    /// Returns what is known of a question that is not in English. Words of the code are known in any
    /// language.
    ///
    /// **Cost:** for a question in English, a look-up of some of its words.
    pub(super) fn foreign(&self, question: &Question) -> Option<ForeignQuestion> {
        let is_plain = matches!(question.form, QuestionForm::Sentence | QuestionForm::Keywords);
        let (table, graph, stemmer) = (WordTable::builtin(), &self.generation.graph, RefCell::new(Stemmer::default()));
        let is_known = |word: &str| {
            let mut stemmer = stemmer.borrow_mut();
            let stem = stemmer.stem(&word.to_lowercase()).to_owned();
            let mut is_in_code = false;
            // A text file in the language of the question does not make its words known.
            graph.for_each_posting(&stem, |posting| {
                is_in_code |= graph.language(graph.definition(posting.definition).file).is_some();
            });
            table.number(&stem).is_some() || is_in_code
        };
        if is_plain { translate(&question.text, &is_known) } else { None }
    }

    /// Returns the query in English words, if it is not in English and can be translated.
    pub(super) fn translated(&self, query: &Query, foreign: Option<&ForeignQuestion>, texts: TextUse) -> Option<Query> {
        let Some(ForeignQuestion::Translated { english, .. }) = foreign else { return None };
        let question = match texts {
            // Text files may be in the language of the question.
            TextUse::Only => Question::of_description(&format!("{} {english}", query.question.text)),
            _ => Question::read(english),
        };
        let kind = match query.kind {
            KindFilter::Function if question.asks_for_type && texts == TextUse::IfBetter => KindFilter::Type,
            kind => kind,
        };
        Some(Query { question, kind, ..query.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_questions_do_not_change() {
        let table = WordTable::builtin();
        let is_known = |word: &str| table.number(Stemmer::default().stem(&word.to_lowercase())).is_some();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/questions.jsonl");
        for line in std::fs::read_to_string(path).expect("the questions").lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let question = case["query"].as_str().expect("a question");
            assert!(!matches!(translate(question, &is_known), Some(ForeignQuestion::Translated { .. })), "{question}");
        }
    }
}
