//! Selects the few lines of a function from which a person can decide whether it is the right
//! function: the lines that match most of the question's words, and otherwise the returned values
//! and the main steps.
//!
//! **Cost:** one pass over the function's lines and its syntax.

use super::function::FunctionReader;
use std::collections::BTreeSet;
use whichfn_search::answer::{QueryStems, SearchResult};
use whichfn_search::search::Question;
use whichfn_text::{Stemmer, ellipsis, words};

/// Maximum number of characters shown for each line.
const WIDEST: usize = 110;
/// Factor for a word that an already chosen line contains.
const SAID_BEFORE: f32 = 0.1;
/// Factor for a synonym of a question word or a word related to it.
const STANDS_FOR: f32 = 0.5;
/// Gain of a line that returns a value. It ranks such a line above one that matches no word.
const RETURNS: f32 = 0.3;
/// Gain of a line that calls a function or branches.
const DOES: f32 = 0.2;

/// A line of a function, with the terms that it matches.
struct ScoredLine<'t> {
    number: u32,
    text: &'t str,
    /// Indices of the matched terms of the question, each with a factor of 1 or [`STANDS_FOR`].
    terms: Vec<(usize, f32)>,
    /// Gain from what the line does, independent of the question.
    does: f32,
}

/// Returns up to `most` lines below the signature of a result, most decisive line first, each with
/// its 1-based line number.
pub fn deciding_lines(
    reader: &FunctionReader<'_>,
    question: &Question,
    wanted: &QueryStems,
    found: &SearchResult,
    most: usize,
) -> Vec<(u32, String)> {
    let weights: Vec<f32> = question.terms.iter().map(|term| weight(found, &term.word)).collect();
    let row = reader.sources().graph().definition(found.definition);
    let file = reader.sources().text(row.file);
    let lines = lines(reader, &file, wanted, found);
    let mut is_shown = vec![false; weights.len()];
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < most {
        let gain = |line: &ScoredLine<'_>| {
            let words = line
                .terms
                .iter()
                .map(|&(term, share)| weights[term] * share * if is_shown[term] { SAID_BEFORE } else { 1.0 });
            words.sum::<f32>() + line.does
        };
        let left = (0..lines.len()).filter(|at| !chosen.contains(at));
        let best = left.max_by(|&a, &b| gain(&lines[a]).total_cmp(&gain(&lines[b])).then(b.cmp(&a)));
        let Some(best) = best else { break };
        lines[best].terms.iter().for_each(|&(term, _)| is_shown[term] = true);
        chosen.push(best);
    }
    let shown = |at: usize| (lines[at].number, ellipsis(lines[at].text.trim(), WIDEST, " ..."));
    chosen.into_iter().map(shown).collect()
}

/// Returns the weight of a question word, which is its largest share of the score, but at least
/// 0.1.
fn weight(found: &SearchResult, term: &str) -> f32 {
    let shares = found.all_evidence.iter().filter(|one| one.query == term).map(|one| one.weight);
    shares.fold(0.1, f32::max)
}

/// Returns the lines that contain text, except for lines of the signature and the documentation,
/// which are displayed anyway.
fn lines<'t>(
    reader: &FunctionReader<'_>,
    file: &'t str,
    wanted: &QueryStems,
    found: &SearchResult,
) -> Vec<ScoredLine<'t>> {
    let row = reader.sources().graph().definition(found.definition);
    let flow = reader.function(found.definition).flow;
    let line_of = |place: &(u32, u32)| reader.sources().line_span(row.file, place.0, place.1).0;
    let returns: BTreeSet<u32> = flow.returned.iter().map(line_of).collect();
    let does: BTreeSet<u32> = flow.calls.iter().chain(&flow.steps).map(line_of).collect();
    let mut stemmer = Stemmer::default();
    let behind = (row.line + 1..=row.end_line).zip(file.lines().skip(row.line as usize));
    let defines = |(_, text): &(u32, &str)| {
        let text = text.trim_matches(|c: char| !c.is_alphanumeric());
        text.len() > 1 && !found.doc.contains(text) && !found.signature.contains(text)
    };
    let mut line = |(number, text): (u32, &'t str)| {
        let mut terms: Vec<(usize, f32)> = Vec::new();
        words(text, |word| {
            for &(term, own) in wanted.matched_terms(stemmer.stem(word)) {
                let share = if own { 1.0 } else { STANDS_FOR };
                match terms.iter_mut().find(|(known, _)| *known == term) {
                    Some((_, known)) => *known = known.max(share),
                    None => terms.push((term, share)),
                }
            }
        });
        let does = [(returns.contains(&number), RETURNS), (does.contains(&number), DOES)];
        let does = does.iter().filter(|(is, _)| *is).map(|(_, adds)| adds).sum();
        ScoredLine { number, text, terms, does }
    };
    behind.filter(defines).map(&mut line).collect()
}
