//! How sure a difference between two runs over the same questions is: one difference a question, no assumption about
//! how they are spread. Seeded, so that the same runs give the same figures on every machine.

use super::random::SplitMix64;

/// Rounds of each; the smallest p is one in so many.
const ROUNDS: usize = 10_000;

/// The mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The 95 % interval of the mean of differences: percentiles of a paired bootstrap (Efron 1979).
pub fn interval(differences: &[f64]) -> (f64, f64) {
    if differences.is_empty() {
        return (0.0, 0.0);
    }
    let mut random = SplitMix64::seeded("bootstrap");
    let n = differences.len();
    let mut means: Vec<f64> =
        (0..ROUNDS).map(|_| (0..n).map(|_| differences[random.below(n)]).sum::<f64>() / n as f64).collect();
    means.sort_by(f64::total_cmp);
    (means[ROUNDS / 40], means[ROUNDS - 1 - ROUNDS / 40])
}

/// How often chance alone makes a difference as large, if either run could have given either result: the paired
/// randomisation test (Fisher 1935), two-sided. The runs as they are count as one round, so it is never 0 (Phipson and
/// Smyth 2010).
pub fn p_value(differences: &[f64]) -> f64 {
    // A question that went the same in both says nothing, whatever its sign.
    let moved: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    // Sums in another order differ in their last digits; that is no difference.
    let seen = moved.iter().sum::<f64>().abs() - 1e-9;
    let mut random = SplitMix64::seeded("randomisation");
    let as_large = (0..ROUNDS).filter(|_| flipped(&moved, &mut random).abs() >= seen).count();
    (as_large + 1) as f64 / (ROUNDS + 1) as f64
}

/// The sum under random signs; a drawn number has 64 of them.
fn flipped(differences: &[f64], random: &mut SplitMix64) -> f64 {
    let signed = |signs: u64, some: &[f64]| -> f64 {
        some.iter().enumerate().map(|(at, d)| if signs >> at & 1 == 0 { *d } else { -d }).sum()
    };
    differences.chunks(64).map(|some| signed(random.draw(), some)).sum()
}
