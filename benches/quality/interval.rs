//! How sure a difference is: the paired percentile bootstrap over tasks (Efron 1979), seeded.

use crate::random::SplitMix64;

const RESAMPLES: usize = 2000;

/// The mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The 95 % interval of the mean of differences, one difference a task.
pub fn interval(differences: &[f64]) -> (f64, f64) {
    if differences.is_empty() {
        return (0.0, 0.0);
    }
    let mut random = SplitMix64::seeded("bootstrap");
    let n = differences.len();
    let mut means: Vec<f64> =
        (0..RESAMPLES).map(|_| (0..n).map(|_| differences[random.below(n)]).sum::<f64>() / n as f64).collect();
    means.sort_by(f64::total_cmp);
    (means[RESAMPLES / 40], means[RESAMPLES - 1 - RESAMPLES / 40])
}
