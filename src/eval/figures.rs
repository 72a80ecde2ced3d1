//! Summarizes the outcomes of questions in a few figures: acc@1, acc@5, acc@10, MRR, nDCG@10 and
//! latency.

use super::metrics::QuestionOutcome;
use super::paired::mean;

/// The figures for a group of questions.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// Number of questions in the group.
    pub questions: usize,
    /// Share of questions whose first result is correct.
    pub acc1: f64,
    /// Share of questions with a correct result in the top five.
    pub acc5: f64,
    /// Share of questions with a correct result in the top ten.
    pub acc10: f64,
    /// Mean reciprocal rank.
    pub mrr: f64,
    /// Mean nDCG@10.
    pub ndcg10: f64,
    /// Median latency in milliseconds.
    pub ms: f64,
}

impl Figures {
    /// Computes the figures for a group of outcomes.
    pub fn over<'a>(outcomes: impl Iterator<Item = &'a QuestionOutcome>) -> Self {
        let outcomes: Vec<&QuestionOutcome> = outcomes.collect();
        let over = |of: fn(&QuestionOutcome) -> f64| mean(&outcomes.iter().map(|o| of(o)).collect::<Vec<_>>());
        let mut times: Vec<f64> = outcomes.iter().map(|o| o.ms).collect();
        times.sort_by(f64::total_cmp);
        Self {
            questions: outcomes.len(),
            acc1: over(|o| o.within(1)),
            acc5: over(|o| o.within(5)),
            acc10: over(|o| o.within(10)),
            mrr: over(QuestionOutcome::reciprocal),
            ndcg10: over(|o| o.ndcg),
            ms: times.get(times.len() / 2).copied().unwrap_or(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(rank: Option<usize>) -> QuestionOutcome {
        let none = String::new;
        QuestionOutcome { id: none(), repo: none(), category: none(), rank, ndcg: 0.0, query: none(), ms: 1.0 }
    }

    #[test]
    fn computes_figures_by_their_definitions() {
        let outcomes = [outcome(Some(1)), outcome(Some(2)), outcome(Some(7)), outcome(None)];
        let figures = Figures::over(outcomes.iter());
        assert_eq!((figures.acc1, figures.acc5, figures.acc10), (0.25, 0.5, 0.75));
        assert!((figures.mrr - (1.0 + 0.5 + 1.0 / 7.0) / 4.0).abs() < 1e-9);
    }
}
