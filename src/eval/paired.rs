//! Determines whether a difference between two runs over the same questions is significant. It uses
//! one difference per question and assumes no distribution. The random numbers are seeded, so the
//! same runs give the same figures on every machine.

use super::random::SplitMix64;

/// Number of random rounds. The smallest possible p-value is about the reciprocal of this number.
const ROUNDS: usize = 10_000;

/// Returns the mean of the values, or 0 if there are none.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Returns the 95% confidence interval of the mean of the values, as percentiles of a bootstrap
/// (Efron 1979). If the values are differences, the bootstrap is paired.
pub fn interval(values: &[f64]) -> (f64, f64) {
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let mut random = SplitMix64::seeded("bootstrap");
    let n = values.len();
    let mut means: Vec<f64> =
        (0..ROUNDS).map(|_| (0..n).map(|_| values[random.below(n)]).sum::<f64>() / n as f64).collect();
    means.sort_by(f64::total_cmp);
    (means[ROUNDS / 40], means[ROUNDS - 1 - ROUNDS / 40])
}

/// Returns the probability that a mean difference at least this large occurs by chance if the two
/// runs are interchangeable. It is computed by a two-sided paired randomization test (Fisher 1935).
/// The actual runs count as one round, so the probability is never 0 (Phipson and Smyth 2010).
pub fn p_value(differences: &[f64]) -> f64 {
    // A question with the same outcome in both runs has no influence, whatever its sign.
    let moved: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    // Sums in a different order differ in their last digits; this is not a difference.
    let seen = moved.iter().sum::<f64>().abs() - 1e-9;
    let mut random = SplitMix64::seeded("randomisation");
    let as_large = (0..ROUNDS).filter(|_| flipped(&moved, &mut random).abs() >= seen).count();
    (as_large + 1) as f64 / (ROUNDS + 1) as f64
}

/// Returns the sum of the differences with random signs. Each random number provides 64 signs.
fn flipped(differences: &[f64], random: &mut SplitMix64) -> f64 {
    let signed = |signs: u64, some: &[f64]| -> f64 {
        some.iter().enumerate().map(|(at, d)| if signs >> at & 1 == 0 { *d } else { -d }).sum()
    };
    differences.chunks(64).map(|some| signed(random.draw(), some)).sum()
}
