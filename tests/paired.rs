//! Tests the significance of a difference with cases that are obvious (no change, a large change,
//! exchanged runs) and cases that can be counted by hand.

use proptest::prelude::*;
use whichfn::eval::{SplitMix64, interval, mean, p_value};
use whichfn_testing::cases;

/// Generates per-question differences as ranks produce them.
fn differences() -> impl Strategy<Value = Vec<f64>> {
    let difference = prop_oneof![3 => Just(0.0), 1 => Just(1.0), 1 => Just(-1.0), 2 => -1.0..1.0f64];
    prop::collection::vec(difference, 0..150)
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn equal_runs_have_difference_zero(n in 0usize..300) {
        let same = vec![0.0; n];
        prop_assert_eq!(p_value(&same), 1.0);
        prop_assert_eq!(interval(&same), (0.0, 0.0));
    }

    #[test]
    fn a_large_difference_is_significant(noise in prop::collection::vec(-0.2..0.2f64, 30..150)) {
        let planted: Vec<f64> = noise.iter().map(|noise| 0.5 + noise).collect();
        prop_assert!(p_value(&planted) < 0.001);
        let (low, high) = interval(&planted);
        prop_assert!(0.3 < low && low <= high && high < 0.7, "[{low}, {high}]");
    }

    #[test]
    fn exchanging_the_runs_flips_only_the_sign(differences in differences()) {
        let turned: Vec<f64> = differences.iter().map(|d| -d).collect();
        prop_assert_eq!(p_value(&differences), p_value(&turned));
        let ((low, high), (turned_low, turned_high)) = (interval(&differences), interval(&turned));
        prop_assert_eq!((low, high), (-turned_high, -turned_low));
    }

    #[test]
    fn equal_questions_do_not_affect_significance(differences in differences(), more in 0usize..50) {
        let longer: Vec<f64> = differences.iter().copied().chain(std::iter::repeat_n(0.0, more)).collect();
        prop_assert_eq!(p_value(&differences), p_value(&longer));
    }

    #[test]
    fn the_figures_are_those_of_every_run(differences in differences()) {
        prop_assert_eq!(p_value(&differences), p_value(&differences));
        prop_assert_eq!(interval(&differences), interval(&differences));
        let p = p_value(&differences);
        prop_assert!(0.0 < p && p <= 1.0);
    }
}

/// With n equal differences, only the two assignments of n equal signs give a sum as large, so p is
/// 2 / 2^n.
#[test]
fn p_is_the_share_of_sign_flips_at_least_as_large() {
    for n in 2..8 {
        let exact = 2.0 / f64::from(1 << n);
        let p = p_value(&vec![0.25; n as usize]);
        assert!((p - exact).abs() < 0.02, "{n}: {p} is not {exact}");
    }
    // The sums of ±2 ±1 ±1 are 4, 2, 2, 0 and their negatives: two of eight are as large as 4, six
    // as large as 2.
    assert!((p_value(&[2.0, 1.0, 1.0]) - 0.25).abs() < 0.02);
    assert!((p_value(&[2.0, 1.0, -1.0]) - 0.75).abs() < 0.02);
}

/// If all differences are due to chance, p is below .05 about once in 20 runs.
#[test]
fn the_false_positive_rate_equals_the_level() {
    let mut random = SplitMix64::seeded("chance");
    let mut sample = || (0..40).map(|_| random.below(2001) as f64 / 1000.0 - 1.0).collect::<Vec<_>>();
    let called = (0..200).filter(|_| p_value(&sample()) < 0.05).count();
    assert!((3..=20).contains(&called), "{called} of 200");
}

#[test]
fn numbers_are_those_of_splitmix64() {
    // The first three numbers for seed 0, as published.
    let mut published = SplitMix64::new(0);
    let drawn = [published.draw(), published.draw(), published.draw()];
    assert_eq!(drawn, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]);
    let (mut one, mut two) = ((0..100).collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
    SplitMix64::seeded("a").shuffle(&mut one);
    SplitMix64::seeded("b").shuffle(&mut two);
    assert_ne!(one, two);
    one.sort_unstable();
    assert_eq!(one, (0..100).collect::<Vec<_>>());
}

#[test]
fn an_interval_contains_the_mean_and_narrows() {
    let values = |n: usize| (0..n).map(|i| f64::from(u8::from(i % 4 == 0))).collect::<Vec<_>>();
    let (few, many) = (interval(&values(40)), interval(&values(4000)));
    for (low, high) in [few, many] {
        assert!(low < 0.25 && 0.25 < high);
    }
    // The normal interval is 1.96 * sqrt(.25 * .75 / n) on each side.
    assert!((few.1 - few.0 - 2.0 * 0.134).abs() < 0.03, "{few:?}");
    assert!((many.1 - many.0 - 2.0 * 0.0134).abs() < 0.003, "{many:?}");
    assert_eq!(interval(&[0.5; 9]), (0.5, 0.5));
    assert_eq!(mean(&[]), 0.0);
}
