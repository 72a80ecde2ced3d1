//! How much of a question a statement of text speaks of.
//!
//! Law:      the score is the weight of the words of the question that the statement holds, out of the weight of all of
//!           them: 0 to 1. A word weighs the more the fewer statements hold it. A word of like meaning counts for its
//!           nearness; one of the heading or of a column's name for half, since it stands for all that is below it
//! Departs:  rarity is counted over all that is to be read before reading begins, so that the order of the texts does
//!           not matter
//! Price:    one pass over all statements; each distinct word is compared with each of the question once

use super::statement::Statement;
use crate::text::plain_words;
use crate::wordvec::{Lexicon, Stem, distinct};
use rustc_hash::FxHashMap;

/// Words of other stems count from this nearness on.
const NEAR: f32 = 0.6;
/// What a word in a heading or a column's name counts.
const ABOVE: f32 = 0.5;
/// Statements that speak of less are about something else.
const FLOOR: f32 = 0.3;
/// Of the best score; what has less is not worth a note beside it.
const SHARE: f32 = 0.6;
/// Words that name a statement at most.
const NAMING: usize = 2;

/// Scores statements by the words of one question.
pub struct Relevance {
    lexicon: Lexicon,
    /// By stem of the question: the word as asked.
    words: Vec<String>,
    weights: Vec<f32>,
    /// Scores of the statements that are worth a note, by line and text.
    worth: FxHashMap<(u32, String), f32>,
}

impl Relevance {
    /// Of a question about these statements, of which at most the `most` best are worth a note; among equals, the
    /// first.
    pub fn new(question: &str, statements: &[Statement], most: usize) -> Self {
        let mut lexicon = Lexicon::default();
        let (mut stems, mut words): (Vec<Stem>, Vec<String>) = (Vec::new(), Vec::new());
        plain_words(question, |word| {
            if let [stem] = lexicon.read(word)[..]
                && !stems.contains(&stem)
            {
                stems.push(stem);
                words.push(word.to_owned());
            }
        });
        lexicon.ask(stems);
        let mut relevance = Self { lexicon, weights: vec![1.0; words.len()], words, worth: FxHashMap::default() };
        let held: Vec<Vec<(usize, f32)>> = statements.iter().map(|statement| relevance.held(statement)).collect();
        relevance.weigh(&held);
        let mut scored: Vec<(f32, &Statement)> =
            held.iter().map(|held| relevance.share(held)).zip(statements).collect();
        // Stable: equals stay in the order of the text.
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let bar = FLOOR.max(SHARE * scored.first().map_or(0.0, |(best, _)| *best));
        let worth = scored.into_iter().take(most).take_while(|(score, _)| *score >= bar);
        relevance.worth = worth.map(|(score, statement)| ((statement.line, statement.text.clone()), score)).collect();
        relevance
    }

    /// How much of the question a statement speaks of; none if it is not worth a note.
    pub fn score(&self, statement: &Statement) -> Option<f32> {
        self.worth.get(&(statement.line, statement.text.clone())).copied()
    }

    /// The words of the question that tell a statement from others most, in the order of the question; empty if it
    /// holds none.
    pub fn shared(&mut self, statement: &Statement) -> String {
        let mut held = self.held(statement);
        held.sort_by(|a, b| (b.1 * self.weights[b.0]).total_cmp(&(a.1 * self.weights[a.0])).then(a.0.cmp(&b.0)));
        held.truncate(NAMING);
        held.sort_by_key(|(at, _)| *at);
        held.iter().map(|(at, _)| self.words[*at].as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Words of the question in a statement: which, and how much each counts.
    fn held(&mut self, statement: &Statement) -> Vec<(usize, f32)> {
        let own = match &statement.name {
            Some(name) => format!("{name} {}", statement.text),
            None if statement.is_row => {
                statement.fields.iter().map(|(_, cell)| cell.as_str()).collect::<Vec<_>>().join(" ")
            }
            None => statement.text.clone(),
        };
        let mut above = statement.heading.clone().unwrap_or_default();
        for (column, _) in statement.fields.iter().filter(|_| statement.is_row) {
            above.push(' ');
            above.push_str(column);
        }
        let mut counts = vec![0f32; self.words.len()];
        for (text, worth) in [(own, 1.0), (above, ABOVE)] {
            for stem in distinct(&self.lexicon.read(&text)) {
                for (count, &near) in counts.iter_mut().zip(self.lexicon.near(stem)) {
                    *count = count.max(if near >= NEAR { worth * near } else { 0.0 });
                }
            }
        }
        counts.into_iter().enumerate().filter(|(_, count)| *count > 0.0).collect()
    }

    /// Weighs each word by how few statements hold it. One that none holds weighs as one that a single statement holds.
    fn weigh(&mut self, held: &[Vec<(usize, f32)>]) {
        let mut statements = vec![0usize; self.words.len()];
        held.iter().flatten().for_each(|(at, _)| statements[*at] += 1);
        let all = held.len() as f32 + 1.0;
        self.weights =
            statements.iter().map(|&count| 0.1 + (all / (count.max(1) as f32 + 0.5)).ln().max(0.0)).collect();
    }

    fn share(&self, held: &[(usize, f32)]) -> f32 {
        let sum: f32 = held.iter().map(|(at, count)| count * self.weights[*at]).sum();
        sum / self.weights.iter().sum::<f32>().max(f32::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(texts: &[&str]) -> Vec<Statement> {
        texts.iter().map(|text| Statement { text: (*text).to_owned(), ..Statement::default() }).collect()
    }

    fn noted(question: &str, texts: &[&str]) -> Vec<String> {
        let statements = statements(texts);
        let relevance = Relevance::new(question, &statements, 10);
        statements
            .iter()
            .filter(|statement| relevance.score(statement).is_some())
            .map(|statement| statement.text.clone())
            .collect()
    }

    const TEXTS: &[&str] = &[
        "The captain of the whaler is Ahab.",
        "The sea was calm and the sky was blue.",
        "Every captain fears the fog.",
        "Bread was sold at the market.",
    ];

    #[test]
    fn what_speaks_of_the_rare_words_is_worth_a_note() {
        assert_eq!(noted("Who is the captain of the whaler?", TEXTS), [TEXTS[0]]);
    }

    #[test]
    fn what_the_texts_do_not_speak_of_is_not_found() {
        assert!(noted("How are photons entangled?", TEXTS).is_empty());
        assert!(noted("", TEXTS).is_empty() && noted("the of", TEXTS).is_empty());
        assert!(noted("captain", &[]).is_empty());
    }

    #[test]
    fn a_unit_is_named_by_what_it_shares_with_the_question() {
        let statements = statements(TEXTS);
        let mut relevance = Relevance::new("Which whaler has which captain?", &statements, 10);
        assert_eq!(relevance.shared(&statements[0]), "whaler captain");
        assert_eq!(relevance.shared(&statements[3]), "");
    }
}
