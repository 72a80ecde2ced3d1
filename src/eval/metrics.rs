//! Compares the results of one question with its right answers.
//!
//! A gold entry is matched by a result in its file that has its name, if it has one, and shares a
//! line with it, if it has lines. In nDCG each entry counts its relevance at the rank of the first
//! result that matches it (Jarvelin and Kekalainen 2002; gains are binary if all relevances are 1,
//! which is the default).

use super::set::{Case, Gold};
use serde::{Deserialize, Serialize};
use whichfn_search::answer::SearchResult;

/// Number of results that are examined; the reciprocal rank of any later one is 0.
pub const EVALUATED_RESULTS: usize = 100;
/// Number of results that nDCG takes into account.
const NDCG_DEPTH: usize = 10;

/// The outcome of a question, as stored in a saved run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct QuestionOutcome {
    /// Name in the set.
    pub id: String,
    /// Repository of the question.
    pub repo: String,
    /// Category of the question.
    pub category: String,
    /// Rank of the first right result; `None` if it is not in the first [`EVALUATED_RESULTS`].
    pub rank: Option<usize>,
    /// nDCG@10.
    #[serde(rename = "ndcg@10")]
    pub ndcg: f64,
    /// Text of the question; not saved, because the set contains it.
    #[serde(skip)]
    pub query: String,
    /// Latency in milliseconds; not saved, because a saved run must be the same at any time.
    #[serde(skip)]
    pub ms: f64,
}

impl QuestionOutcome {
    /// Returns 1 if a right result is among the first `k`, and 0 otherwise.
    pub fn within(&self, k: usize) -> f64 {
        f64::from(u8::from(self.rank.is_some_and(|rank| rank <= k)))
    }

    /// Returns 1 / rank, or 0 without a rank.
    pub fn reciprocal(&self) -> f64 {
        self.rank.map_or(0.0, |rank| 1.0 / rank as f64)
    }
}

/// Computes the outcome of a question from its results and gold entries. With `whole_files` a
/// result matches its whole file, so lines are not compared. `ms` is the latency of the answer.
pub fn evaluate(case: &Case, results: &[SearchResult], whole_files: bool, ms: f64) -> QuestionOutcome {
    let lines = |found: &SearchResult| if whole_files { (0, u32::MAX) } else { (found.start_line, found.end_line) };
    let rank = |gold: &Gold| results.iter().position(|r| gold.is_met_by(&r.path, &r.name, lines(r)));
    let found: Vec<(u32, usize)> =
        case.gold.iter().filter_map(|gold| Some((gold.relevance, rank(gold)? + 1))).collect();
    let gain = |relevance: u32, rank: usize| f64::from(relevance) / (rank as f64 + 1.0).log2();
    let mut relevances: Vec<u32> = case.gold.iter().map(|gold| gold.relevance).collect();
    relevances.sort_unstable_by_key(|&relevance| std::cmp::Reverse(relevance));
    let ideal: f64 = relevances.iter().take(NDCG_DEPTH).zip(1..).map(|(&relevance, rank)| gain(relevance, rank)).sum();
    let counted = found.iter().filter(|&&(_, rank)| rank <= NDCG_DEPTH);
    let reached: f64 = counted.map(|&(relevance, rank)| gain(relevance, rank)).sum();
    QuestionOutcome {
        id: case.id.clone(),
        repo: case.repo.clone(),
        category: case.category.clone(),
        rank: found.iter().map(|&(_, rank)| rank).min(),
        // Adding to zero turns the -0.0 of an empty sum into 0.0.
        ndcg: if ideal > 0.0 { 0.0 + reached / ideal } else { 0.0 },
        query: case.query.clone(),
        ms,
    }
}
