//! Scores how much of a question a statement of text covers.
//!
//! **Invariant:** the score is the weight of the question's words in the statement, divided by the
//! weight of all of the question's words, so it is in [0, 1]. A word weighs more if fewer
//! statements contain it. A word with a similar meaning counts in proportion to its similarity. A
//! word in the heading or in a column's name counts for half, because it applies to everything
//! below it.
//!
//! **Differs from the paper:** rarity is counted over all statements before reading begins, so that
//! the order of the files does not matter.
//!
//! **Cost:** one pass over all statements; each distinct word is compared once with each word of
//! the question.

use super::statement::Statement;
use rustc_hash::FxHashMap;
use whichfn_index::wordvec::{Lexicon, Stem, distinct};
use whichfn_text::plain_words;

/// Minimum similarity at which words with different stems match.
const NEAR: f32 = 0.6;
/// Factor for words in a heading or a column's name.
const ABOVE: f32 = 0.5;
/// Minimum score. A statement with a lower score is about something else.
const FLOOR: f32 = 0.3;
/// Minimum share of the best score. A statement with a lower share is not worth a note.
const SHARE: f32 = 0.6;
/// Maximum number of words in the key that names a statement.
const NAMING: usize = 2;

/// Scores of statements for the words of one question.
pub struct Relevance {
    lexicon: Lexicon,
    /// Words of the question as typed, with one word for each stem.
    words: Vec<String>,
    weights: Vec<f32>,
    /// Scores of the statements that are worth a note, indexed by line and text.
    worth: FxHashMap<(u32, String), f32>,
}

impl Relevance {
    /// Scores the statements for a question. At most the best `most` statements are worth a note;
    /// among equal scores, the first ones.
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
        lexicon.set_queried(stems);
        let mut relevance = Self { lexicon, weights: vec![1.0; words.len()], words, worth: FxHashMap::default() };
        let held: Vec<Vec<(usize, f32)>> = statements.iter().map(|statement| relevance.held(statement)).collect();
        relevance.weigh(&held);
        let mut scored: Vec<(f32, &Statement)> =
            held.iter().map(|held| relevance.share(held)).zip(statements).collect();
        // The sort is stable, so equal scores stay in the order of the text.
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let bar = FLOOR.max(SHARE * scored.first().map_or(0.0, |(best, _)| *best));
        let worth = scored.into_iter().take(most).take_while(|(score, _)| *score >= bar);
        relevance.worth = worth.map(|(score, statement)| ((statement.line, statement.text.clone()), score)).collect();
        relevance
    }

    /// Returns the score of a statement, or `None` if it is not worth a note.
    pub fn score(&self, statement: &Statement) -> Option<f32> {
        self.worth.get(&(statement.line, statement.text.clone())).copied()
    }

    /// Returns the words of the question that best distinguish a statement, in the order of the
    /// question. The result is empty if the statement contains none of them.
    pub fn shared(&mut self, statement: &Statement) -> String {
        let mut held = self.held(statement);
        held.sort_by(|a, b| (b.1 * self.weights[b.0]).total_cmp(&(a.1 * self.weights[a.0])).then(a.0.cmp(&b.0)));
        held.truncate(NAMING);
        held.sort_by_key(|(at, _)| *at);
        held.iter().map(|(at, _)| self.words[*at].as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Returns the words of the question that a statement contains, as indices with a factor for
    /// each.
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
                for (count, &near) in counts.iter_mut().zip(self.lexicon.similarities(stem)) {
                    *count = count.max(if near >= NEAR { worth * near } else { 0.0 });
                }
            }
        }
        counts.into_iter().enumerate().filter(|(_, count)| *count > 0.0).collect()
    }

    /// Sets the weight of each word from the number of statements that contain it. A word in no
    /// statement weighs as much as a word in one statement.
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
    fn notes_statements_with_rare_words() {
        assert_eq!(noted("Who is the captain of the whaler?", TEXTS), [TEXTS[0]]);
    }

    #[test]
    fn finds_nothing_about_missing_words() {
        assert!(noted("How are photons entangled?", TEXTS).is_empty());
        assert!(noted("", TEXTS).is_empty() && noted("the of", TEXTS).is_empty());
        assert!(noted("captain", &[]).is_empty());
    }

    #[test]
    fn names_a_statement_by_words_of_the_question() {
        let statements = statements(TEXTS);
        let mut relevance = Relevance::new("Which whaler has which captain?", &statements, 10);
        assert_eq!(relevance.shared(&statements[0]), "whaler captain");
        assert_eq!(relevance.shared(&statements[3]), "");
    }
}
