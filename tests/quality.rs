//! Tests the scores that the completion benchmark computes, because a benchmark cannot contain
//! tests.

#[allow(dead_code)]
#[path = "../benches/quality/score.rs"]
mod score;

use score::{Place, Score, Span, View, score, squeeze};
use std::collections::BTreeMap;

fn place(file: &str, line: u32) -> Place {
    Place { file: file.into(), line }
}

fn span(file: &str, first: u32, last: u32) -> Span {
    Span { file: file.into(), first, last }
}

/// Scores fragments of `a` (30 lines, with the cursor on line 25) and `b`.
fn judged(hidden: &str, callees: &[Place], fragments: &[Span]) -> Score {
    let mut a = vec!["filler"; 30];
    (a[3], a[19], a[27]) = ("old(1)", "near(1)", "hidden(1)");
    let files = BTreeMap::from([("a".to_owned(), a), ("b".to_owned(), vec!["def f( x ):", "  kitten", ""])]);
    let view = View { files: &files, cursor: &place("a", 25) };
    let fragments = if fragments.is_empty() { view.everything() } else { fragments.to_vec() };
    score(&view, hidden, callees, &fragments)
}

#[test]
fn a_line_is_found_with_any_white_space() {
    assert_eq!(squeeze("  a = [ 1,\t2 ]\n"), "a=[1,2]");
    let found = judged("    def f(x):", &[], &[span("b", 1, 2)]);
    assert_eq!(found.exact, 1.0);
    assert_eq!(judged("def f(x):", &[], &[span("b", 2, 3)]).exact, 0.0, "the line lies outside of the fragment");
    assert_eq!(judged("def f(", &[], &[span("b", 1, 3)]).exact, 0.0, "a part of a line is not the line");
}

#[test]
fn similarity_is_one_less_distance_by_length() {
    let of = |hidden: &str| judged(hidden, &[], &[span("b", 2, 3)]).similarity;
    assert_eq!(of("\tkitten "), 1.0, "white space around a line does not count");
    assert!((of("sitting") - (1.0 - 3.0 / 7.0)).abs() < 1e-12);
    assert_eq!(of("XYZ"), 0.0);
    assert_eq!(judged("sitting", &[], &[span("b", 3, 3)]).similarity, 0.0, "nothing is like an empty line");
}

#[test]
fn hidden_text_and_the_query_do_not_count() {
    assert_eq!(judged("old(1)", &[], &[]).exact, 1.0);
    assert_eq!(judged("near(1)", &[], &[]).exact, 0.0, "one of the 20 lines before the cursor");
    assert_eq!(judged("hidden(1)", &[], &[]).exact, 0.0, "after the cursor");
    assert_eq!(judged("x", &[place("a", 5), place("a", 28)], &[]).callee, 0.0);
    assert_eq!(judged("x", &[place("a", 4), place("a", 28)], &[]).callee, 1.0);
}

#[test]
fn a_callee_is_found_where_it_is_defined_or_called() {
    let callees = [place("a", 2), place("b", 3)];
    assert_eq!(judged("x", &callees, &[span("b", 1, 2), span("a", 3, 4)]).callee, 0.0);
    assert_eq!(judged("x", &callees, &[span("b", 1, 3)]).callee, 1.0);
    assert_eq!(judged("x", &[], &[]).callee, 0.0);
}
