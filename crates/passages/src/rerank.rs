//! Ranks the best passages again by how close together they contain the words of a question.
//!
//! BM25 counts the words of a whole passage. If one row of a table, one option in a list or one
//! sentence answers a question, most of its words are in that line. Passages whose words are spread
//! over many lines are often about something else.

use crate::hit::{PassageHit, STEPS};
use crate::index::PassageIndex;
use crate::query::PassageQuery;
use crate::statistics::Statistics;
use crate::words::Words;
use std::collections::{BTreeMap, HashMap};
use tantivy::Term;
use tantivy::query::Bm25StatisticsProvider;

/// Number of passages that are ranked again.
pub(crate) const RERANKED: usize = 30;
/// Weight of the share of the question that the best line contains. Both weights are from the
/// development questions of `benches/docs-questions`.
const ONE_LINE: f32 = 0.4;
/// Weight of the share that the best adjacent lines contain.
const ADJACENT: f32 = 0.6;
/// Number of adjacent lines.
const ADJACENT_LINES: usize = 3;

/// Multiplies the scores of the first [`RERANKED`] hits by their closeness, and sorts them by the
/// result, then by path and line. `read` returns the text of a file; without it, a score remains.
///
/// **Cost:** reads the files of these hits, each once.
pub(crate) fn rerank(
    index: &PassageIndex,
    query: &PassageQuery,
    hits: &mut [PassageHit],
    read: &dyn Fn(&str) -> Option<String>,
) -> tantivy::Result<()> {
    let weights = weights(index, query)?;
    let best = hits.len().min(RERANKED);
    let best = &mut hits[..best];
    let mut by_file: BTreeMap<String, Vec<&mut PassageHit>> = BTreeMap::new();
    for hit in best.iter_mut() {
        by_file.entry(hit.path.clone()).or_default().push(hit);
    }
    let mut words = Words::default();
    for (path, hits) in by_file {
        let Some(text) = read(&path) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        for hit in hits {
            let end = lines.len().min(hit.end_line as usize);
            let start = end.min((hit.start_line as usize).saturating_sub(1));
            let factor = 1.0 + closeness(&lines[start..end], &weights, &mut words);
            hit.score = (hit.score * factor * STEPS).round() / STEPS;
        }
    }
    best.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| (&a.path, a.start_line).cmp(&(&b.path, b.start_line)))
    });
    Ok(())
}

/// Share of the question that each of its stems stands for; the shares add up to 1.
type Weights = HashMap<String, f32>;

/// Returns the weights of a query's stems, which are proportional to their inverse document
/// frequencies.
fn weights(index: &PassageIndex, query: &PassageQuery) -> tantivy::Result<Weights> {
    let statistics = Statistics(&index.searcher);
    let passages = statistics.total_num_docs()? as f32;
    let mut weights = BTreeMap::new();
    for stem in query.stems() {
        let with_it = statistics.doc_freq(&Term::from_field_text(index.fields.body, &stem))? as f32;
        weights.insert(stem, (1.0 + (passages - with_it + 0.5) / (with_it + 0.5)).ln());
    }
    // Summed in the order of the stems, so that rounding is the same each time.
    let total: f32 = weights.values().sum();
    Ok(weights.into_iter().map(|(stem, weight)| (stem, weight / total.max(f32::MIN_POSITIVE))).collect())
}

/// Returns the weighted sum of the share of a question in the best line, and in the best adjacent
/// lines; from 0 to 1.
fn closeness(lines: &[&str], weights: &Weights, words: &mut Words) -> f32 {
    let found = |line: &&str| {
        let stems: Vec<String> = words.tokens(line).into_iter().map(|token| token.text).collect();
        stems.into_iter().filter(|stem| weights.contains_key(stem)).collect::<Vec<String>>()
    };
    let found: Vec<Vec<String>> = lines.iter().map(found).collect();
    let share = |lines: &[Vec<String>]| {
        let mut stems: Vec<&String> = lines.iter().flatten().collect();
        stems.sort_unstable();
        stems.dedup();
        stems.into_iter().map(|stem| weights[stem]).sum::<f32>()
    };
    let best = |count: usize| {
        let count = count.min(found.len()).max(1);
        found.windows(count).map(share).fold(0.0, f32::max)
    };
    ONE_LINE * best(1) + ADJACENT * best(ADJACENT_LINES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_one_line_are_closer_than_words_in_many() {
        let weights: Weights = [("red", 0.5), ("blue", 0.25), ("green", 0.25)].map(|(stem, w)| (stem.into(), w)).into();
        let closeness = |text: &str| closeness(&text.lines().collect::<Vec<_>>(), &weights, &mut Words::default());
        assert_eq!(closeness("red blue green\n\n"), ONE_LINE + ADJACENT);
        assert_eq!(closeness("red\nblue\ngreen"), 0.5 * ONE_LINE + ADJACENT);
        assert_eq!(closeness("red\n\n\nblue\n\n\ngreen"), 0.5 * (ONE_LINE + ADJACENT));
        assert_eq!(closeness("white"), 0.0);
        assert_eq!(closeness(""), 0.0);
    }
}
