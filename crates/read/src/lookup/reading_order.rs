//! Selects the functions that a language model reads first, and the functions that it sees inside
//! other functions.
//!
//! **Differs from the paper:** the order is that of the search results, with the three changes that
//! help a reader most. Functions that contain the question's numbers and quoted words come first.
//! Tests and folders outside the main program come later. A function inside another function that
//! is also read is shown only once, inside the outer function.
//!
//! **Cost:** one pass over the text of each function that the search found.

use super::question::{numbers, quoted};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use whichfn_index::source::Sources;
use whichfn_index::store::GraphFile;
use whichfn_search::search::{Question, is_vendored_path};
use whichfn_syntax::ids::DefinitionId;
use whichfn_text::BYTES_PER_TOKEN;

/// Number of ranks by which a test or a file outside the main program is moved back if the question
/// is not about tests. Such a function is not moved to the end, because a repository's own test
/// tools look like tests and may be wanted.
const WAIT: usize = 20;
/// Rarity that a mark needs to count: at most this many functions contain it, or at most one
/// function in this many.
const RARE: usize = 10;
/// Maximum share of a chunk, in quarters, that a function may fill to show other functions inside
/// it.
const OUTER: usize = 3;

/// Functions to read, in order, and the functions that each one shows inside itself.
#[derive(Debug, Default)]
pub(super) struct ReadingOrder {
    /// Functions that are shown separately, in order.
    pub functions: Vec<DefinitionId>,
    /// Functions that are shown inside another one, indexed by the outer function.
    pub inside: FxHashMap<DefinitionId, Vec<DefinitionId>>,
}

/// Returns the reading order of ranked functions for chunks with `most` tokens.
pub(super) fn reading_order(
    sources: &Sources<'_>,
    question: &Question,
    ranked: &[DefinitionId],
    most: usize,
) -> ReadingOrder {
    let graph = sources.graph();
    let held = marks_held(sources, &question.text, ranked);
    let waits = |id: DefinitionId| {
        let file = graph.definition(id).file;
        !question.about_tests && (graph.traits(id).is_test() || is_vendored_path(graph.path(file)))
    };
    let mut places: Vec<(Reverse<usize>, usize, DefinitionId)> = (ranked.iter().zip(&held).enumerate())
        .map(|(rank, (&id, &held))| (Reverse(held), rank + if waits(id) { WAIT } else { 0 }, id))
        .collect();
    places.sort();
    let found: FxHashSet<DefinitionId> = ranked.iter().copied().collect();
    let mut order = ReadingOrder::default();
    let mut placed = FxHashSet::default();
    for (_, _, id) in places {
        let outer = around(graph, id, &found, most);
        if placed.insert(outer) {
            order.functions.push(outer);
        }
        if outer != id {
            order.inside.entry(outer).or_default().push(id);
        }
    }
    order
}

/// Returns the outermost enclosing function that was also found and fits into a chunk, or the
/// function itself.
fn around(graph: &GraphFile, id: DefinitionId, found: &FxHashSet<DefinitionId>, most: usize) -> DefinitionId {
    let (mut outer, mut at) = (id, id);
    loop {
        let parent = graph.definition(at).parent;
        if parent == at {
            return outer;
        }
        let row = graph.definition(parent);
        let is_short = (row.end_byte - row.start_byte) as usize <= most * BYTES_PER_TOKEN * OUTER / 4;
        if row.kind().is_function() && is_short && found.contains(&parent) {
            outer = parent;
        }
        at = parent;
    }
}

/// Returns the number of the question's marks that each function contains.
fn marks_held(sources: &Sources<'_>, question: &str, functions: &[DefinitionId]) -> Vec<usize> {
    let marks = marks(question);
    let mut held = vec![0; functions.len()];
    if marks.is_empty() {
        return held;
    }
    let texts: Vec<String> = functions.iter().map(|&id| sources.text_of(id)).collect();
    for mark in &marks {
        let holders: Vec<usize> = (0..texts.len()).filter(|&at| holds(&texts[at], mark)).collect();
        if holders.len() <= RARE.max(texts.len() / RARE) {
            holders.into_iter().for_each(|at| held[at] += 1);
        }
    }
    held
}

/// Returns the marks of a question, which are parts that code spells in the same way: numbers,
/// words with digits, and quoted text.
fn marks(question: &str) -> Vec<String> {
    let mut marks: Vec<String> = numbers(question).into_iter().filter(|number| number.len() > 1).collect();
    marks.extend(quoted(question));
    let is_mixed = |word: &&str| word.contains(char::is_numeric) && word.contains(char::is_alphabetic);
    let written = question.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.len() > 2);
    marks.extend(written.filter(is_mixed).map(str::to_owned));
    marks.sort();
    marks.dedup();
    marks
}

/// Checks whether a string contains a mark that is not part of a longer word.
fn holds(text: &str, mark: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric();
    let stands = |at: usize| !text[..at].ends_with(is_word) && !text[at + mark.len()..].starts_with(is_word);
    text.match_indices(mark).any(|(at, _)| stands(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_marks_that_occur_in_code() {
        let marks = marks("Where is 4096 turned to float16, 'no-cache' or utf_8, in 2 steps?");
        assert_eq!(marks, ["4096", "float16", "no-cache", "utf_8"]);
        assert!(holds("x = 4096;", "4096") && holds("'no-cache'", "no-cache"));
        assert!(!holds("x = 14096;", "4096") && !holds("float16x", "float16"));
    }
}
