//! Learns a probability from a few signals, by logistic regression.
//!
//! **Optimizer:** Newton's method. With about a dozen signals, ten steps are enough.

/// Strength of the regularization towards zero, in units of signals divided by their spread.
const PULL: f64 = 1e-3;
/// Number of Newton steps.
const STEPS: usize = 20;

/// Returns the weights that predict `is` from the signals. The first signal is always 1.
pub fn fit<S: AsRef<[f32]>>(examples: &[(S, bool)]) -> Vec<f64> {
    let Some(width) = examples.first().map(|(signals, _)| signals.as_ref().len()) else { return Vec::new() };
    let scales = scales(examples, width);
    let mut weights = vec![0f64; width];
    for _ in 0..STEPS {
        let (mut slopes, mut curves) = (vec![0f64; width], vec![vec![0f64; width]; width]);
        for (signals, is) in examples {
            let x: Vec<f64> = signals.as_ref().iter().zip(&scales).map(|(&x, s)| f64::from(x) / s).collect();
            let chance = logistic(x.iter().zip(&weights).map(|(x, w)| x * w).sum());
            for i in 0..width {
                slopes[i] += (chance - f64::from(u8::from(*is))) * x[i];
                (0..width).for_each(|j| curves[i][j] += chance * (1.0 - chance) * x[i] * x[j]);
            }
        }
        let pull = PULL * examples.len() as f64;
        for i in 0..width {
            // The constant is not pulled; the small number keeps the system solvable.
            let pull = if i == 0 { 1e-6 } else { pull };
            slopes[i] += pull * weights[i];
            curves[i][i] += pull;
        }
        let step = solved(curves, slopes);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight -= step);
    }
    weights.iter().zip(scales).map(|(weight, scale)| weight / scale).collect()
}

/// Computes the weighted sum of signals.
pub fn sum(weights: &[f64], signals: &[f32]) -> f64 {
    weights.iter().zip(signals).map(|(weight, &signal)| weight * f64::from(signal)).sum()
}

/// Computes the logistic function.
pub fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

/// Returns the root of each signal's mean square around its mean; 1 for a constant signal.
fn scales<S: AsRef<[f32]>>(examples: &[(S, bool)], width: usize) -> Vec<f64> {
    let count = examples.len() as f64;
    let of_signal = |i: usize| {
        let values = || examples.iter().map(move |(signals, _)| f64::from(signals.as_ref()[i]));
        let mean = values().sum::<f64>() / count;
        let spread = (values().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
        if spread > 1e-9 { spread } else { 1.0 }
    };
    (0..width).map(of_signal).collect()
}

/// Solves a system of linear equations by Gaussian elimination; the matrix is positive definite.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let width = right.len();
    for at in 0..width {
        for below in at + 1..width {
            let times = matrix[below][at] / matrix[at][at];
            (at..width).for_each(|j| matrix[below][j] -= times * matrix[at][j]);
            right[below] -= times * right[at];
        }
    }
    for at in (0..width).rev() {
        let known: f64 = (at + 1..width).map(|j| matrix[at][j] * right[j]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}

/// Prints how often the answers in each range of probabilities are right. Each answer is its
/// probability, and whether it is right.
pub fn print_reliability(name: &str, answers: &[(f64, bool)]) {
    const LIMITS: [f64; 8] = [0.0, 0.2, 0.4, 0.55, 0.7, 0.85, 0.95, 1.01];
    for range in LIMITS.windows(2) {
        let bin: Vec<&(f64, bool)> = answers.iter().filter(|(p, _)| *p >= range[0] && *p < range[1]).collect();
        if !bin.is_empty() {
            let mean =
                |value: &dyn Fn(&(f64, bool)) -> f64| bin.iter().map(|one| value(one)).sum::<f64>() / bin.len() as f64;
            let (predicted, right) = (mean(&|one| one.0), mean(&|one| f64::from(u8::from(one.1))));
            println!(
                "  {name:<24} {:.2}..{:.2} {:>5} answers, predicted {predicted:.3}, right {right:.3}",
                range[0],
                range[1].min(1.0),
                bin.len()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::chance;
    use super::*;
    use whichfn::eval::SplitMix64;

    #[test]
    fn planted_weights_are_found_again() {
        let planted = [-2.0, 3.0, 0.02];
        let mut random = SplitMix64::new(1);
        let mut example = || {
            let signals = [1.0, chance(&mut random), 100.0 * chance(&mut random)];
            let is = f64::from(chance(&mut random)) < logistic(sum(&planted, &signals));
            (signals, is)
        };
        let examples: Vec<([f32; 3], bool)> = (0..20_000).map(|_| example()).collect();
        let weights = fit(&examples);
        assert!(
            weights.iter().zip(planted).all(|(found, planted)| (found / planted - 1.0).abs() < 0.15),
            "{weights:?}"
        );
    }

    #[test]
    fn constant_signals_do_no_harm() {
        let examples = [([1.0, 0.0, 1.0], true), ([1.0, 0.0, 0.0], false), ([1.0, 0.0, 1.0], true)];
        assert!(fit(&examples).iter().all(|weight| weight.is_finite()));
    }
}
