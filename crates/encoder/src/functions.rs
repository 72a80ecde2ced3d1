//! The functions between the matrices: softmax, GELU (Hendrycks & Gimpel 2016), and layer
//! normalization (Ba et al. 2016).
//!
//! Matrices have a column for each token, so that neighbors in memory are computed independently.
//!
//! - **Cost:** loops without branches or calls, which the compiler vectorizes. The exponential and
//!   error functions of the standard library would take as long as the matrices.
//! - **Invariant:** the exponential is exact to a relative error of 2e-7, and GELU to an error of 3e-7 for
//!   each unit of its input.

use crate::parameters::Norm;

/// Replaces the values of each column by their exponentials, divided by the sum of these.
pub(crate) fn softmax(values: &mut [f32], columns: usize) {
    let mut highest = vec![f32::NEG_INFINITY; columns];
    for row in values.chunks_exact(columns) {
        highest.iter_mut().zip(row).for_each(|(highest, &value)| *highest = highest.max(value));
    }
    let mut sums = vec![0.0; columns];
    for row in values.chunks_exact_mut(columns) {
        for ((value, highest), sum) in row.iter_mut().zip(&highest).zip(&mut sums) {
            *value = exp(*value - highest);
            *sum += *value;
        }
    }
    for row in values.chunks_exact_mut(columns) {
        row.iter_mut().zip(&sums).for_each(|(value, sum)| *value /= sum);
    }
}

/// Replaces each value `x` by `x * P(X <= x)` for a standard normal `X`.
///
/// The probability is formula 7.1.26 of Abramowitz and Stegun, Handbook of Mathematical Functions.
pub(crate) fn gelu(values: &mut [f32]) {
    for value in values {
        let x = value.abs();
        let t = 1.0 / (1.0 + 0.327_591_1 * std::f32::consts::FRAC_1_SQRT_2 * x);
        let series = ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_7) * t - 0.284_496_74) * t + 0.254_829_6) * t;
        // P(X > x)
        let tail = 0.5 * series * exp(-0.5 * x * x);
        *value = value.max(0.0) - x * tail;
    }
}

/// Adds `added` to the values, shifts and scales the sums of each column to a mean of zero and a
/// variance of one, and applies the trained scale and shift of each row.
pub(crate) fn add_and_normalize(values: &mut [f32], added: &[f32], norm: &Norm, epsilon: f32) {
    let (rows, columns) = (norm.bias.len(), values.len() / norm.bias.len());
    let mut means = vec![0.0; columns];
    for (row, added) in values.chunks_exact_mut(columns).zip(added.chunks_exact(columns)) {
        for ((value, added), mean) in row.iter_mut().zip(added).zip(&mut means) {
            *value += added;
            *mean += *value;
        }
    }
    means.iter_mut().for_each(|mean| *mean /= rows as f32);
    let mut squares = vec![0.0; columns];
    for row in values.chunks_exact_mut(columns) {
        for ((value, mean), square) in row.iter_mut().zip(&means).zip(&mut squares) {
            *value -= mean;
            *square += *value * *value;
        }
    }
    let factors: Vec<f32> = squares.iter().map(|square| 1.0 / (square / rows as f32 + epsilon).sqrt()).collect();
    for ((row, scale), shift) in values.chunks_exact_mut(columns).zip(&*norm.weight).zip(&*norm.bias) {
        row.iter_mut().zip(&factors).for_each(|(value, factor)| *value = *value * factor * scale + shift);
    }
}

/// Returns the exponential of a number up to 88. The result is at least e^-87.
///
/// Splits `x` into `n * ln 2 + r`, and computes `2^n` from its bits and `e^r` with the polynomial of
/// the Cephes library.
fn exp(x: f32) -> f32 {
    /// Adding 1.5 * 2^23 rounds to an integer and leaves it in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    // ln 2 in two parts, so that the first product is exact.
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let series =
        ((((1.987_569_1e-4 * r + 1.398_199_9e-3) * r + 8.333_452e-3) * r + 4.166_579_6e-2) * r + 1.666_666_5e-1) * r
            + 0.5;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    (series * r * r + r + 1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_is_exact_to_its_last_digit() {
        for i in -8700..=8800 {
            let x = i as f32 / 100.0;
            let (fast, right) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((fast / right - 1.0).abs() < 2e-7, "{x}: {fast} instead of {right}");
        }
        assert!(exp(-1e30) > 0.0 && exp(f32::NAN).is_nan());
    }

    /// Values of `x * P(X <= x)` from a table of the normal distribution.
    #[test]
    fn gelu_follows_the_normal_distribution() {
        let table = [(0.0, 0.5), (0.5, 0.691_462_46), (1.0, 0.841_344_8), (2.0, 0.977_249_87), (3.0, 0.998_650_1)];
        for (x, probability) in table {
            let mut values = [x, -x];
            gelu(&mut values);
            let expected = [x * probability, -x * (1.0 - probability)];
            assert!(
                values.iter().zip(expected).all(|(value, right)| (value - right).abs() < 3e-7 * (1.0 + x)),
                "{values:?}"
            );
        }
        let mut far = [40.0, -40.0];
        gelu(&mut far);
        assert!(far[0] == 40.0 && far[1].abs() < 1e-37, "{far:?}");
    }
}
