//! Summarizes the outcomes of questions in a few figures: acc@1, acc@5, acc@10, MRR, nDCG@10 and
//! latency.

use super::metrics::QuestionOutcome;
use super::paired::{interval, mean};

/// The name of a figure, and the function that computes it from the outcome of a question.
pub type Figure = (&'static str, fn(&QuestionOutcome) -> f64);

/// The figures that are means over questions, in the order of the output.
pub const FIGURES: [Figure; 5] = [
    ("acc@1", |o| o.within(1)),
    ("acc@5", |o| o.within(5)),
    ("acc@10", |o| o.within(10)),
    ("mrr", QuestionOutcome::reciprocal),
    ("ndcg@10", |o| o.ndcg),
];

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
        let [acc1, acc5, acc10, mrr, ndcg10] = FIGURES.map(|figure| mean(&values(figure, &outcomes)));
        let mut times: Vec<f64> = outcomes.iter().map(|o| o.ms).collect();
        times.sort_by(f64::total_cmp);
        Self {
            questions: outcomes.len(),
            acc1,
            acc5,
            acc10,
            mrr,
            ndcg10,
            ms: times.get(times.len() / 2).copied().unwrap_or(0.0),
        }
    }

    /// Returns the 95% confidence interval of each figure, as percentiles of a
    /// bootstrap over the questions.
    pub fn intervals(outcomes: &[&QuestionOutcome]) -> [(&'static str, (f64, f64)); 5] {
        FIGURES.map(|figure| (figure.0, interval(&values(figure, outcomes))))
    }
}

fn values((_, value): Figure, outcomes: &[&QuestionOutcome]) -> Vec<f64> {
    outcomes.iter().map(|outcome| value(outcome)).collect()
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
