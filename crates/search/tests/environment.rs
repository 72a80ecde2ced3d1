//! Tests of the score that a fragment receives from related fragments: it equals the weighted mean
//! of FragRel, and an alpha of zero removes it.

use proptest::prelude::*;
use whichfn_search::relation::{
    Exact, FLOOR, FragmentUnit, Fragments, Position, Relation, Structure, WeightedSums, structure_of,
};
use whichfn_search::search::{Environment, EnvironmentForm, Hit, Query, Ranker, RelationName, Unit, Weights};
use whichfn_syntax::ids::FragmentId;
use whichfn_testing::{Case, Indexed, Slow, cases, repo};

const UNITS: [FragmentUnit; 2] = [FragmentUnit::Definition, FragmentUnit::Window];
const FORMS: [EnvironmentForm; 2] = [EnvironmentForm::Sum, EnvironmentForm::Mean];
/// Questions with words of the generated functions, and of the fixtures.
const QUESTIONS: [&str; 3] = ["parse and split", "join says it", "close a session"];

/// Returns s_env of the SPEC for one row of weights.
fn mean(row: &[f64], scores: &[f64]) -> f64 {
    let weights: f64 = row.iter().sum();
    let scored: f64 = row.iter().zip(scores).map(|(weight, score)| weight * score).sum();
    if weights > 0.0 { scored / weights } else { 0.0 }
}

/// Returns fragments and a score for each; fragments that are not members score 0.
fn scored<'a>(indexed: &'a Indexed, unit: FragmentUnit, pattern: &[f64]) -> (Fragments<'a>, Vec<f64>) {
    let fragments = Fragments::new(&indexed.generation.graph, unit);
    let score = |at: FragmentId| if fragments.members[at] { pattern[at.index() % pattern.len()] } else { 0.0 };
    let scores = fragments.ids().map(score).collect();
    (fragments, scores)
}

fn found(scores: &[f64]) -> Vec<FragmentId> {
    (0..scores.len()).map(FragmentId::new).filter(|&at| scores[at.index()] > 0.0).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

fn pattern() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![1 => Just(0.0), 3 => 0.1..20.0f64], 1..30)
}

fn hits(indexed: &Indexed, query: &Query, weights: Option<Weights>) -> Vec<Hit> {
    let searcher = indexed.searcher();
    let searcher = weights.into_iter().fold(searcher, |searcher, weights| searcher.with_weights(weights));
    searcher.search(query).expect("answer")
}

/// Returns everything that distinguishes two hits, with exact score bits.
fn bits(hits: &[Hit]) -> Vec<String> {
    let one = |hit: &Hit| format!("{:?} {:?} {:x}", hit.definition, hit.window, hit.score.to_bits());
    hits.iter().map(one).collect()
}

/// Asserts that, with an alpha of zero, the hits of each question are sorted by the independent
/// score under every relation. Returns the number of hits examined.
fn ordered_by_words(indexed: &Indexed) -> usize {
    let mut seen = 0;
    let plain = Weights { name: 0.0, test: 0.0, ..Weights::default() };
    for (question, unit) in QUESTIONS.into_iter().flat_map(|q| [Unit::Definition, Unit::Window].map(|unit| (q, unit))) {
        let asked = |relation, form, exact| {
            let environment = Environment { relation, form, alpha: Some(0.0) };
            Query { k: 100, unit, environment, exact, ranker: Ranker::Words, ..Query::new(question) }
        };
        let structure = asked(RelationName::Structure, EnvironmentForm::Sum, false);
        let hits_by_words = hits(indexed, &structure, Some(plain.clone()));
        seen += hits_by_words.len();
        for hit in &hits_by_words {
            assert!(hit.adjustments.is_empty(), "nothing is added: {:?}", hit.adjustments);
            assert_eq!(hit.score.to_bits(), hit.independent.to_bits());
        }
        let falls = |two: &[Hit]| two[0].independent >= two[1].independent;
        assert!(hits_by_words.windows(2).all(falls), "{question} {unit:?}: the best first");
        let expected = bits(&hits(indexed, &structure, None));
        for (relation, form, exact) in [
            (RelationName::Structure, EnvironmentForm::Mean, false),
            (RelationName::Structure, EnvironmentForm::Sum, true),
            (RelationName::Position, EnvironmentForm::Sum, false),
        ] {
            let same = bits(&hits(indexed, &asked(relation, form, exact), None));
            assert_eq!(&same, &expected, "{} {:?} {:?} {:?}", question, unit, relation, form);
        }
        if unit == Unit::Window {
            // A window has no words of callers, so its score is the same without a relation.
            let environment = Environment { relation: RelationName::None, ..Environment::default() };
            let none = bits(&hits(indexed, &Query { environment, ..structure }, None));
            assert_eq!(none, expected, "{}", question);
        }
    }
    seen
}

fn every_language() -> Indexed {
    Indexed::new(|root| Case::all("lang").iter().for_each(|case| case.write_to(&root.join(case.name()))))
}

#[test]
fn alpha_zero_ranks_by_the_independent_score_in_every_language() {
    let seen = ordered_by_words(&every_language());
    assert!(seen > 20, "there is something to order: {seen}");
}

/// Returns fragments with their scores.
fn paired(scores: &[f64], found: &[FragmentId]) -> Vec<(FragmentId, f64)> {
    found.iter().map(|&at| (at, scores[at.index()])).collect()
}

#[test]
fn without_exact_only_the_best_32_use_calls() {
    let indexed = every_language();
    let structure = structure_of(&indexed.generation.graph);
    for unit in UNITS {
        let (fragments, scores) = scored(&indexed, unit, &[3.0, 0.0, 11.5, 0.25, 7.0, 7.0, 1.5]);
        let found = found(&scores);
        assert!(found.len() > 60, "{unit:?}: more than are refined: {}", found.len());
        let added =
            Environment::PUBLISHED.added(&fragments, &paired(&scores, &found), 3, None, None, None).expect("relation");
        let fast = Structure::new(&fragments);
        let means = |sums: Vec<WeightedSums>| -> Vec<f64> { sums.iter().map(|sums| 0.5 * sums.mean()).collect() };
        let with_calls = means(fast.sums(&scores, &found));
        let along_tree = means(fast.forest().sums(&scores, &found));
        let mut order: Vec<usize> = (0..found.len()).collect();
        let total = |at: usize| scores[found[at].index()] + along_tree[at];
        order.sort_by(|&a, &b| total(b).total_cmp(&total(a)).then(a.cmp(&b)));
        let differ = order.iter().filter(|&&at| !close(with_calls[at], along_tree[at])).count();
        assert!(differ > 32, "{unit:?}: calls matter: {differ}");
        for (rank, at) in order.into_iter().enumerate() {
            let right = if rank < 32 { with_calls[at] } else { along_tree[at] };
            assert!(close(added[at], right), "{unit:?} {rank}: {}, by hand {right}", added[at]);
        }
        // The error of a mean is at most the best score times the share of the weight that was left
        // out; each weight that is left out is below the floor.
        let (best, exact) = (11.5, Exact::new(&structure, &fragments).sums(&scores, &found));
        for (fast, exact) in fast.sums(&scores, &found).iter().zip(exact) {
            let left_out = exact.weight - fast.weight;
            assert!(left_out < FLOOR * fragments.count() as f64, "{unit:?}: {fast:?}, exactly {exact:?}");
            let most = best * left_out / exact.weight + 1e-9;
            assert!((fast.mean() - exact.mean()).abs() <= most, "{unit:?}: {fast:?}, exactly {exact:?}");
        }
    }
}

proptest! {
    #![proptest_config(cases(10))]

    #[test]
    fn the_mean_equals_the_published_formula(repo in repo(), pattern in pattern(), alpha in 0.1..2.0f64) {
        let indexed = repo.indexed();
        let structure = structure_of(&indexed.generation.graph);
        for unit in UNITS {
            let (fragments, scores) = scored(&indexed, unit, &pattern);
            let mut slow = Slow::new(&indexed, &structure, unit);
            let out = slow.fragments.iter_mut().zip(&fragments.members).filter(|(_, member)| !**member);
            out.for_each(|(nodes, _)| nodes.clear());
            let (right, found) = (slow.weights(), found(&scores));
            let environment = Environment { alpha: Some(alpha), ..Environment::PUBLISHED };
            let exact = environment.added(&fragments, &paired(&scores, &found), 3, None, Some(&structure), None).expect("relation");
            for (&at, added) in found.iter().zip(exact) {
                let by_hand = alpha * mean(&right[at.index()], &scores);
                prop_assert!(close(added, by_hand), "{unit:?} {at:?}: {added}, by hand {by_hand}");
            }
            let printed = Environment::PUBLISHED.added(&fragments, &paired(&scores, &found), 3, None, Some(&structure), None).expect("relation");
            for (&at, added) in found.iter().zip(printed) {
                prop_assert!(close(added, 0.5 * mean(&right[at.index()], &scores)), "{unit:?} {at:?}: alpha is 0.5");
            }
            let position = Environment { relation: RelationName::Position, ..environment };
            let added = position.added(&fragments, &paired(&scores, &found), 3, None, None, None).expect("relation");
            for (added, sums) in added.iter().zip(Position::new(&fragments).sums(&scores, &found)) {
                prop_assert!(close(*added, alpha * sums.mean()), "{unit:?}: position");
            }
        }
    }

    #[test]
    fn an_environment_is_between_zero_and_the_best_score(repo in repo(), pattern in pattern(), words in 1..60usize) {
        let indexed = repo.indexed();
        let structure = structure_of(&indexed.generation.graph);
        for unit in UNITS {
            let (fragments, scores) = scored(&indexed, unit, &pattern);
            let best = scores.iter().copied().fold(0.0, f64::max);
            for (relation, exact) in [
                (RelationName::Structure, None),
                (RelationName::Structure, Some(&structure)),
                (RelationName::Position, None),
                (RelationName::None, None),
            ] {
                for form in FORMS {
                    let environment = Environment { relation, form, alpha: Some(1.0) };
                    let added = environment.added(&fragments, &paired(&scores, &found(&scores)), words, None, exact, None).expect("relation");
                    let most = if relation == RelationName::None { 0.0 } else { best + 1e-9 };
                    prop_assert!(added.iter().all(|added| (0.0..=most).contains(added)), "{environment:?}: {added:?}");
                }
            }
        }
    }

    #[test]
    fn alpha_zero_ranks_by_the_independent_score(repo in repo()) {
        ordered_by_words(&repo.indexed());
    }
}
