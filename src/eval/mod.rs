//! A question set to figures: acc@1/5/10, MRR, nDCG@10, latency (SPEC section 3).
//!
//! A gold entry with a name is met by a result of that name in that file, one without a name by any result in the file.
//! nDCG has binary gains: each gold entry counts at the rank of the first result that meets it.

use crate::answer::Found;
use crate::error::{Error, Kind, Result};
use serde::Deserialize;
use std::path::Path;

/// How far down results are looked at; the reciprocal rank of anything further is 0.
pub const DEPTH: usize = 100;
/// nDCG looks at this many results.
const NDCG_DEPTH: usize = 10;

/// One question of a set.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    /// Its name in the set.
    pub id: String,
    /// The repository's folder below the root of the set.
    pub repo: String,
    /// The question.
    pub query: String,
    /// A group that is reported by itself.
    #[serde(default)]
    pub category: String,
    /// What is right.
    pub gold: Vec<Gold>,
}

/// A right answer.
#[derive(Debug, Clone, Deserialize)]
pub struct Gold {
    /// Path from the repository's folder.
    pub path: String,
    /// Name of the function; any result in the file if absent.
    #[serde(default)]
    pub name: Option<String>,
}

/// How one question went.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Its name in the set.
    pub id: String,
    /// Its repository.
    pub repo: String,
    /// Its group.
    pub category: String,
    /// Rank of the first right result; none below [`DEPTH`].
    pub rank: Option<usize>,
    /// nDCG@10.
    pub ndcg: f64,
    /// Milliseconds.
    pub ms: f64,
}

/// Figures over a group of questions.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// How many questions.
    pub questions: usize,
    /// Share with a right result first.
    pub acc1: f64,
    /// Share with one among the first five.
    pub acc5: f64,
    /// Share with one among the first ten.
    pub acc10: f64,
    /// Mean reciprocal rank.
    pub mrr: f64,
    /// Mean nDCG@10.
    pub ndcg10: f64,
    /// Median milliseconds.
    pub ms: f64,
}

/// Reads a question set: one JSON object a line.
///
/// # Errors
/// When the file cannot be read or a line is not of that form.
pub fn read_cases(path: &Path) -> Result<Vec<Case>> {
    let text = std::fs::read_to_string(path).map_err(|cause| Error::io(Kind::Questions, "read", path, &cause))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|cause| {
                let next =
                    r#"write one JSON object a line: {"id":..,"repo":..,"query":..,"gold":[{"path":..,"name":..}]}"#;
                Error::new(Kind::Questions, format!("{}:{}: {cause}", path.display(), number + 1), next)
            })
        })
        .collect()
}

/// How the results of a question meet its gold.
pub fn judge(case: &Case, results: &[Found], ms: f64) -> Outcome {
    let meets = |gold: &Gold, found: &Found| {
        gold.path == found.path && gold.name.as_ref().is_none_or(|name| *name == found.name)
    };
    let ranks: Vec<usize> =
        case.gold.iter().filter_map(|gold| results.iter().position(|r| meets(gold, r))).map(|at| at + 1).collect();
    let gain = |rank: usize| 1.0 / (rank as f64 + 1.0).log2();
    let ideal: f64 = (1..=case.gold.len().min(NDCG_DEPTH)).map(gain).sum();
    let reached: f64 = ranks.iter().filter(|&&rank| rank <= NDCG_DEPTH).map(|&rank| gain(rank)).sum();
    Outcome {
        id: case.id.clone(),
        repo: case.repo.clone(),
        category: case.category.clone(),
        rank: ranks.iter().min().copied(),
        ndcg: if ideal > 0.0 { reached / ideal } else { 0.0 },
        ms,
    }
}

impl Figures {
    /// Over some outcomes.
    pub fn over<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Self {
        let outcomes: Vec<&Outcome> = outcomes.collect();
        let n = outcomes.len().max(1) as f64;
        let within = |k: usize| outcomes.iter().filter(|o| o.rank.is_some_and(|rank| rank <= k)).count() as f64 / n;
        let mut times: Vec<f64> = outcomes.iter().map(|o| o.ms).collect();
        times.sort_by(f64::total_cmp);
        Self {
            questions: outcomes.len(),
            acc1: within(1),
            acc5: within(5),
            acc10: within(10),
            mrr: outcomes.iter().map(|o| o.rank.map_or(0.0, |rank| 1.0 / rank as f64)).sum::<f64>() / n,
            ndcg10: outcomes.iter().map(|o| o.ndcg).sum::<f64>() / n,
            ms: times.get(times.len() / 2).copied().unwrap_or(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(rank: Option<usize>) -> Outcome {
        Outcome { id: String::new(), repo: String::new(), category: String::new(), rank, ndcg: 0.0, ms: 1.0 }
    }

    #[test]
    fn figures_follow_their_definitions() {
        let outcomes = [outcome(Some(1)), outcome(Some(2)), outcome(Some(7)), outcome(None)];
        let figures = Figures::over(outcomes.iter());
        assert_eq!((figures.acc1, figures.acc5, figures.acc10), (0.25, 0.5, 0.75));
        assert!((figures.mrr - (1.0 + 0.5 + 1.0 / 7.0) / 4.0).abs() < 1e-9);
    }
}
