//! Compares the results for a question with its correct answers.
//!
//! A result matches a gold entry if it is in the entry's file, has the entry's name (if given), and
//! shares a line with the entry (if lines are given). In nDCG, the relevance of each entry counts
//! at the rank of the first result that matches it (Jarvelin and Kekalainen 2002). Entries that the
//! same result matches count once, with the highest relevance. Gains are binary if all relevances
//! are 1, which is the default.

use super::set::{Case, Gold};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use whichfn_search::answer::SearchResult;

/// Number of results that are evaluated. For any later result, the reciprocal rank is 0.
pub const EVALUATED_RESULTS: usize = 100;
/// Number of results that nDCG considers.
const NDCG_DEPTH: usize = 10;

/// The outcome of a question, as stored in a saved run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct QuestionOutcome {
    /// Id of the question within its set.
    pub id: String,
    /// Repository that the question is about.
    pub repo: String,
    /// Category of the question.
    pub category: String,
    /// Rank of the first correct result, or `None` if none of the first [`EVALUATED_RESULTS`]
    /// results is correct.
    pub rank: Option<usize>,
    /// nDCG of the first ten results.
    #[serde(rename = "ndcg@10")]
    pub ndcg: f64,
    /// Text of the question. It is not saved, because the set contains it.
    #[serde(skip)]
    pub query: String,
    /// Latency in milliseconds. It is not saved, because a saved run must not depend on when or
    /// where it was made.
    #[serde(skip)]
    pub ms: f64,
}

impl QuestionOutcome {
    /// Returns 1 if a correct result is among the first `k` results, and 0 otherwise.
    pub fn within(&self, k: usize) -> f64 {
        f64::from(u8::from(self.rank.is_some_and(|rank| rank <= k)))
    }

    /// Returns the reciprocal rank, or 0 if no result is correct.
    pub fn reciprocal(&self) -> f64 {
        self.rank.map_or(0.0, |rank| 1.0 / rank as f64)
    }
}

/// Computes the outcome of a question from its results and gold entries. If `whole_files` is true,
/// lines are not compared, because each result represents its whole file. `ms` is the latency of
/// the answer.
pub fn evaluate(case: &Case, results: &[SearchResult], whole_files: bool, ms: f64) -> QuestionOutcome {
    let lines = |found: &SearchResult| if whole_files { (0, u32::MAX) } else { (found.start_line, found.end_line) };
    let rank = |gold: &Gold| results.iter().position(|r| gold.is_met_by(&r.path, &r.name, lines(r)));
    // Relevance by answer: entries with the same result, or in whole files the same path, are one.
    let mut answers: BTreeMap<(Option<usize>, &str, usize), u32> = BTreeMap::new();
    for (number, gold) in case.gold.iter().enumerate() {
        let answer = match rank(gold) {
            Some(at) => (Some(at + 1), "", 0),
            None if whole_files => (None, gold.path.as_str(), 0),
            None => (None, "", number),
        };
        let relevance = answers.entry(answer).or_default();
        *relevance = gold.relevance.max(*relevance);
    }
    let gain = |relevance: u32, rank: usize| f64::from(relevance) / (rank as f64 + 1.0).log2();
    let mut relevances: Vec<u32> = answers.values().copied().collect();
    relevances.sort_unstable_by_key(|&relevance| std::cmp::Reverse(relevance));
    let ideal: f64 = relevances.iter().take(NDCG_DEPTH).zip(1..).map(|(&relevance, rank)| gain(relevance, rank)).sum();
    let found = || answers.iter().filter_map(|(answer, &relevance)| Some((relevance, answer.0?)));
    let reached: f64 =
        found().filter(|&(_, rank)| rank <= NDCG_DEPTH).map(|(relevance, rank)| gain(relevance, rank)).sum();
    QuestionOutcome {
        id: case.id.clone(),
        repo: case.repo.clone(),
        category: case.category.clone(),
        rank: found().map(|(_, rank)| rank).min(),
        // Adding to zero turns the -0.0 of an empty sum into 0.0.
        ndcg: if ideal > 0.0 { 0.0 + reached / ideal } else { 0.0 },
        query: case.query.clone(),
        ms,
    }
}
