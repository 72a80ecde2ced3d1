//! How the results of one question meet its right answers.
//!
//! A gold entry is met by a result in its file, of its name if it has one, that shares a line with it if it has lines. In
//! nDCG each counts its relevance at the rank of the first result that meets it (Jarvelin and Kekalainen 2002; with a
//! relevance of 1 for all, as where none is given, gains are binary).

use super::set::{Case, Gold};
use crate::answer::SearchResult;
use serde::{Deserialize, Serialize};

/// How far down results are looked at; the reciprocal rank of anything further is 0.
pub const EVALUATED_RESULTS: usize = 100;
/// nDCG looks at this many results.
const NDCG_DEPTH: usize = 10;

/// How one question went; as a saved run has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct QuestionOutcome {
    /// Its name in the set.
    pub id: String,
    /// Its repository.
    pub repo: String,
    /// Its group.
    pub category: String,
    /// Rank of the first right result; none below [`EVALUATED_RESULTS`].
    pub rank: Option<usize>,
    /// nDCG@10.
    #[serde(rename = "ndcg@10")]
    pub ndcg: f64,
    /// The question; the set has it, so a saved run does not.
    #[serde(skip)]
    pub query: String,
    /// Milliseconds; not saved, because a saved run should be the same whenever it is made.
    #[serde(skip)]
    pub ms: f64,
}

impl QuestionOutcome {
    /// 1 if a right result is among the first `k`, else 0.
    pub fn within(&self, k: usize) -> f64 {
        f64::from(u8::from(self.rank.is_some_and(|rank| rank <= k)))
    }

    /// 1 / rank; 0 without a rank.
    pub fn reciprocal(&self) -> f64 {
        self.rank.map_or(0.0, |rank| 1.0 / rank as f64)
    }
}

/// The outcome of a question: how its results meet the gold entries. With `whole_files` a result stands for its file, so
/// that lines are not compared. `ms` is how long the answer took.
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
