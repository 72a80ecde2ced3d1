//! Learns one weight per feature from lists of candidates, such that the correct candidate comes
//! first. All rankings use this learner: the order of search results (`order.rs`) and the order of
//! a memory's candidates (`judge.rs`).
//!
//! **Implements:** ListNet with the top-one likelihood (Cao et al. 2007). It maximizes the total
//! likelihood of the correct candidates under a softmax over the list, or the mean of its
//! logarithm. The score is linear, so the contribution of each feature is known.
//!
//! **Optimizer:** Adam (Kingma and Ba 2015) over all lists at once, on features divided by their
//! spread.

/// The candidates for one question, in search order: whether each candidate is correct, and its
/// features.
pub type Rows<R> = [(bool, R)];

/// Share of the running mean of gradients that Adam keeps in each round, and share of the new
/// gradient that it adds.
const MOMENTUM: (f64, f64) = (0.9, 0.1);
/// Share of the running mean of squared gradients that Adam keeps in each round, and share of the
/// new square that it adds.
const SQUARES: (f64, f64) = (0.99, 0.01);
/// Constant that prevents division by zero in Adam.
const EPSILON: f64 = 1e-8;
/// Lower bound for the likelihood of the correct candidates where it is a divisor.
const LEAST_LIKELIHOOD: f64 = 1e-12;

/// Determines how a feature's standard deviation is converted to its scale. With either variant,
/// the scale of a constant feature is not zero.
#[derive(Clone, Copy)]
pub enum Scale {
    /// The standard deviation, or this number if that is greater.
    AtLeast(f64),
    /// The standard deviation plus this number.
    Plus(f64),
}

/// The correct candidates that should come first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Any of them: each one is an answer.
    Any,
    /// All of them: the answer consists of several.
    All,
}

/// Parameters of the learner.
pub struct Fit<'f> {
    /// Number of Adam steps.
    pub rounds: i32,
    /// Length of an Adam step, in units of scaled weights.
    pub rate: f64,
    /// Strength of the regularization towards `start`, in gradient of the mean loss per unit of
    /// scaled weight.
    pub pull: f64,
    /// Initial weight of each feature. The regularization pulls the weight towards it.
    pub start: &'f [f64],
    /// For each feature, true if its weight may change. An ablation removes features by keeping
    /// their weights at 0.
    pub learned: &'f [bool],
    pub scale: Scale,
    pub goal: Goal,
    /// Error in a candidate's likelihood up to which the candidate is skipped. After a few rounds,
    /// this applies to nearly all candidates.
    pub negligible: f64,
}

impl Fit<'_> {
    /// Returns the learned weight of each feature. Lists without a correct candidate are skipped,
    /// because nothing can be learned from them.
    pub fn weights<R: AsRef<[f32]>>(&self, lists: &[&Rows<R>]) -> Vec<f64> {
        let lists: Vec<&Rows<R>> = lists.iter().copied().filter(|list| list.iter().any(|(right, _)| *right)).collect();
        let scales = self.scales(&lists);
        let start: Vec<f64> = self.start.iter().zip(&scales).map(|(weight, scale)| weight * scale).collect();
        let width = start.len();
        let (mut weights, mut first, mut second) = (start.clone(), vec![0f64; width], vec![0f64; width]);
        for round in 1..=self.rounds {
            let mut slopes = vec![0f64; width];
            lists.iter().for_each(|list| self.add_slopes(list, &weights, &scales, &mut slopes));
            for i in (0..width).filter(|&i| self.learned[i]) {
                let slope = slopes[i] / lists.len().max(1) as f64 + self.pull * (weights[i] - start[i]);
                first[i] = MOMENTUM.0 * first[i] + MOMENTUM.1 * slope;
                second[i] = SQUARES.0 * second[i] + SQUARES.1 * slope * slope;
                let (mean, square) =
                    (first[i] / (1.0 - MOMENTUM.0.powi(round)), second[i] / (1.0 - SQUARES.0.powi(round)));
                weights[i] -= self.rate * mean / (square.sqrt() + EPSILON);
            }
        }
        weights.iter().zip(&scales).map(|(weight, scale)| weight / scale).collect()
    }

    /// Returns the scale of each feature, by which its values are divided.
    fn scales<R: AsRef<[f32]>>(&self, lists: &[&Rows<R>]) -> Vec<f64> {
        let count = lists.iter().map(|list| list.len()).sum::<usize>().max(1) as f64;
        let of_feature = |i: usize| {
            let values = || lists.iter().copied().flatten().map(move |(_, x)| f64::from(x.as_ref()[i]));
            let mean = values().sum::<f64>() / count;
            let deviation = (values().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
            match self.scale {
                Scale::AtLeast(least) => deviation.max(least),
                Scale::Plus(more) => deviation + more,
            }
        };
        (0..self.start.len()).map(of_feature).collect()
    }

    /// Adds the gradient of one list's loss, which is the negative log likelihood of the correct
    /// candidates: of their sum for any, the mean for all.
    fn add_slopes<R: AsRef<[f32]>>(&self, list: &Rows<R>, weights: &[f64], scales: &[f64], slopes: &mut [f64]) {
        let score = |x: &[f32]| weights.iter().zip(x).zip(scales).map(|((w, &x), s)| w * f64::from(x) / s).sum::<f64>();
        let scores: Vec<f64> = list.iter().map(|(_, x)| score(x.as_ref())).collect();
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let odds: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
        let all: f64 = odds.iter().sum();
        let right: f64 = odds.iter().zip(list).filter(|(_, (right, _))| *right).map(|(odds, _)| odds).sum();
        let count = list.iter().filter(|(right, _)| *right).count() as f64;
        for (odds, (is_right, x)) in odds.iter().zip(list) {
            let wanted = match self.goal {
                _ if !is_right => 0.0,
                Goal::Any => odds / right.max(LEAST_LIKELIHOOD),
                Goal::All => 1.0 / count,
            };
            let off = odds / all - wanted;
            if off.abs() > self.negligible {
                slopes
                    .iter_mut()
                    .zip(x.as_ref())
                    .zip(scales)
                    .for_each(|((slope, &x), s)| *slope += off * f64::from(x) / s);
            }
        }
    }
}

/// Returns the rank of the first correct candidate, starting at 1, or `None` if no candidate is
/// correct. Candidates with equal scores stay in search order.
pub fn rank<R: AsRef<[f32]>>(rows: &Rows<R>, weights: &[f64]) -> Option<usize> {
    let score = |x: &[f32]| weights.iter().zip(x).map(|(w, &x)| w * f64::from(x)).sum::<f64>();
    let scores: Vec<f64> = rows.iter().map(|(_, x)| score(x.as_ref())).collect();
    let is_right = |at: &usize| rows[*at].0;
    let best = best_of(&scores, (0..scores.len()).filter(is_right))?;
    let before = |at: &usize| scores[*at] > scores[best] || scores[*at] == scores[best] && *at < best;
    Some(1 + (0..scores.len()).filter(before).count())
}

/// Returns the candidate with the highest score, and the first of equal ones.
pub fn best_of<S: PartialOrd>(scores: &[S], candidates: impl Iterator<Item = usize>) -> Option<usize> {
    candidates.reduce(|best, at| if scores[at] > scores[best] { at } else { best })
}

/// Returns weights that order candidates by a single feature.
pub fn only(feature: usize, width: usize) -> Vec<f64> {
    (0..width).map(|i| if i == feature { 1.0 } else { 0.0 }).collect()
}

/// Formats a summary of ranks: count, acc@1, acc@10 and MRR.
pub fn figures(ranks: &[Option<usize>]) -> String {
    let count = ranks.len().max(1) as f64;
    let within = |k: usize| ranks.iter().filter(|rank| rank.is_some_and(|rank| rank <= k)).count() as f64 / count;
    let mrr = ranks.iter().map(|&rank| reciprocal(rank)).sum::<f64>() / count;
    format!("n {:<5} acc@1 {:.3}  acc@10 {:.3}  MRR {mrr:.3}", ranks.len(), within(1), within(10))
}

/// Returns the reciprocal of a rank, or 0 if no candidate is correct.
pub fn reciprocal(rank: Option<usize>) -> f64 {
    rank.map_or(0.0, |rank| 1.0 / rank as f64)
}

/// Returns the last part of a path, which is the name of a question set in reports.
pub fn set_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Formats one table of a weights file, in the format that the program reads.
pub fn table(name: &str, weights: impl Iterator<Item = (impl AsRef<str>, f64)>) -> String {
    let lines: String = weights.map(|(feature, weight)| format!("\"{}\" = {weight:.4}\n", feature.as_ref())).collect();
    format!("\n[{name}]\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::super::chance;
    use super::*;
    use whichfn::eval::SplitMix64;
    use whichfn_search::search::LearnedWeights;

    /// Creates lists of ten candidates with four features of very different magnitudes. The best
    /// candidate according to the weights `planted` is correct.
    fn lists(planted: &[f64; 4], seed: u64) -> Vec<Vec<(bool, [f32; 4])>> {
        let mut random = SplitMix64::new(seed);
        let mut list = || {
            let rows: Vec<[f32; 4]> =
                (0..10).map(|_| [1.0, 100.0, 0.1, 1.0].map(|size: f32| size * (chance(&mut random) - 0.5))).collect();
            let score = |x: &[f32; 4]| planted.iter().zip(x).map(|(w, x)| w * f64::from(*x)).sum::<f64>();
            let best = rows.iter().map(score).fold(f64::MIN, f64::max);
            rows.into_iter().map(|x| (score(&x) == best, x)).collect::<Vec<_>>()
        };
        (0..200).map(|_| list()).collect()
    }

    fn learned(lists: &[Vec<(bool, [f32; 4])>], may_change: &[bool; 4], start: &[f64; 4], rounds: i32) -> Vec<f64> {
        let lists: Vec<&Rows<[f32; 4]>> = lists.iter().map(Vec::as_slice).collect();
        let scale = Scale::AtLeast(1e-3);
        Fit { rounds, rate: 0.05, pull: 1e-3, start, learned: may_change, scale, goal: Goal::Any, negligible: 0.0 }
            .weights(&lists)
    }

    #[test]
    fn a_planted_order_is_found_again() {
        let planted = [2.0, -0.03, 20.0, 0.0];
        let weights = learned(&lists(&planted, 1), &[true; 4], &[0.0; 4], 300);
        let unseen = lists(&planted, 2);
        let first = unseen.iter().filter(|list| rank(list, &weights) == Some(1)).count();
        assert!(first >= 190, "{first} of 200, by {weights:?}");
        // All features have the same scale, whatever their magnitude. A feature that was not
        // planted gets no weight.
        let sizes: Vec<f64> = weights.iter().zip(planted).take(3).map(|(learned, planted)| learned / planted).collect();
        assert!(sizes.iter().all(|size| (size / sizes[0] - 1.0).abs() < 0.15), "{weights:?}");
        assert!((weights[3] / weights[0]).abs() < 0.1, "{weights:?}");
    }

    #[test]
    fn what_may_not_change_stays_and_no_rounds_change_nothing() {
        let lists = lists(&[2.0, -0.03, 20.0, 1.0], 3);
        assert_eq!(learned(&lists, &[true, true, true, false], &[0.0; 4], 50)[3], 0.0);
        let start = [0.5, 0.25, 0.0, -1.0];
        let weights = learned(&lists, &[true; 4], &start, 0);
        assert!(weights.iter().zip(start).all(|(weight, start)| (weight - start).abs() < 1e-12), "{weights:?}");
    }

    #[test]
    fn lists_without_a_right_candidate_teach_nothing() {
        let mut lists = lists(&[2.0, -0.03, 20.0, 0.0], 4);
        let weights = learned(&lists, &[true; 4], &[0.0; 4], 20);
        lists.extend(
            lists.clone().into_iter().map(|list| list.into_iter().map(|(_, x)| (false, x)).collect::<Vec<_>>()),
        );
        assert_eq!(learned(&lists, &[true; 4], &[0.0; 4], 20), weights);
    }

    #[test]
    fn equal_scores_stay_as_they_were() {
        let rows = [(false, [1.0f32]), (true, [1.0]), (true, [0.0])];
        assert_eq!(rank(&rows, &only(0, 1)), Some(2));
        assert_eq!(rank(&rows[..1], &only(0, 1)), None);
        assert_eq!(figures(&[Some(1), Some(20), None, Some(2)]), "n 4     acc@1 0.250  acc@10 0.500  MRR 0.388");
    }

    #[test]
    fn the_program_reads_what_is_written() {
        let names = ["lines", "words by told"];
        let text = table("sentence", names.iter().zip([1.25, -0.00004]));
        let read = LearnedWeights::read(&text);
        let table = read.table("sentence").expect("the table");
        assert_eq!((table["lines"], table["words by told"]), (1.25, 0.0));
        assert!(read.table("keywords").is_none());
    }
}
