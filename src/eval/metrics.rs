//! How the results of one question meet its right answers.
//!
//! A gold entry with a name is met by a result of that name in that file, one without a name by any result in the file.
//! nDCG has binary gains: each gold entry counts at the rank of the first result that meets it.

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

/// The outcome of a question: how its results meet the gold entries. `ms` is how long the answer took.
pub fn evaluate(case: &Case, results: &[SearchResult], ms: f64) -> QuestionOutcome {
    let meets = |gold: &Gold, found: &SearchResult| {
        gold.path == found.path && gold.name.as_ref().is_none_or(|name| *name == found.name)
    };
    let ranks: Vec<usize> =
        case.gold.iter().filter_map(|gold| results.iter().position(|r| meets(gold, r))).map(|at| at + 1).collect();
    let gain = |rank: usize| 1.0 / (rank as f64 + 1.0).log2();
    let ideal: f64 = (1..=case.gold.len().min(NDCG_DEPTH)).map(gain).sum();
    let reached: f64 = ranks.iter().filter(|&&rank| rank <= NDCG_DEPTH).map(|&rank| gain(rank)).sum();
    QuestionOutcome {
        id: case.id.clone(),
        repo: case.repo.clone(),
        category: case.category.clone(),
        rank: ranks.iter().min().copied(),
        // Adding to zero turns the -0.0 of an empty sum into 0.0.
        ndcg: if ideal > 0.0 { 0.0 + reached / ideal } else { 0.0 },
        query: case.query.clone(),
        ms,
    }
}
