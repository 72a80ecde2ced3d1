//! Checks that relations match `docs/SPEC.md`, section 1: the exact one to the last digit, and the
//! fast one except for the weights that it documents as left out.

use proptest::prelude::*;
use whichfn_graph::StructureGraph;
use whichfn_search::relation::{
    Exact, FAINT, FLOOR, Forest, FragmentUnit, Fragments, PathSearch, Position, Relation, Structure, Unrelated,
    WeightedSums, structure_of,
};
use whichfn_syntax::ids::{FragmentId, NodeId};
use whichfn_testing::{Case, Indexed, Slow, cases, repo, tiny_repo};

const UNITS: [FragmentUnit; 2] = [FragmentUnit::Definition, FragmentUnit::Window];
const CLOSE: f64 = 1e-9;

/// The fragments and the structure of one unit of a repository.
struct Of<'a> {
    structure: StructureGraph,
    fragments: Fragments<'a>,
    slow: Slow,
}

impl<'a> Of<'a> {
    /// Builds the fragments of a unit. `members` is repeated to select the fragments that take
    /// part; an empty pattern selects the usual ones.
    fn new(indexed: &'a Indexed, unit: FragmentUnit, members: &[bool]) -> Self {
        let structure = structure_of(&indexed.generation.graph);
        let mut fragments = Fragments::new(&indexed.generation.graph, unit);
        let mut slow = Slow::new(indexed, &structure, unit);
        assert_eq!(slow.fragments.len(), fragments.count(), "{unit:?}: as many fragments");
        if !members.is_empty() {
            fragments.members = (0..fragments.count()).map(|at| members[at % members.len()]).collect();
        }
        let out = slow.fragments.iter_mut().zip(&fragments.members).filter(|(_, member)| !**member);
        out.for_each(|(nodes, _)| nodes.clear());
        Self { structure, fragments, slow }
    }

    fn all(&self) -> Vec<FragmentId> {
        self.fragments.ids().collect()
    }

    /// Returns all weights of a relation, pair by pair, from its rows.
    fn rows(&self, relation: &dyn Relation) -> Vec<Vec<f64>> {
        let row = |fragment: &FragmentId| {
            let (mut dense, row) = (vec![0.0; self.fragments.count()], relation.row(*fragment));
            assert!(row.windows(2).all(|two| two[0].0 < two[1].0), "in order, each once");
            row.into_iter().for_each(|(other, weight)| dense[other.index()] = weight);
            dense
        };
        self.all().iter().map(row).collect()
    }

    /// Returns all weights that the sums of a relation imply: the sums for scores of 1 for one
    /// fragment and 0 for the rest.
    fn implied(&self, relation: &dyn Relation) -> Vec<Vec<f64>> {
        let (all, count) = (self.all(), self.fragments.count());
        let (members, others): (Vec<FragmentId>, Vec<FragmentId>) =
            all.iter().partition(|&&at| self.fragments.members[at]);
        let mut weights = vec![vec![0.0; count]; count];
        for &other in &members {
            let scores: Vec<f64> = all.iter().map(|&at| f64::from(u8::from(at == other))).collect();
            for (&fragment, sums) in members.iter().zip(relation.sums(&scores, &members)) {
                weights[fragment.index()][other.index()] = sums.scored;
            }
        }
        let scores: Vec<f64> = self.fragments.members.iter().map(|&member| f64::from(u8::from(!member))).collect();
        assert!(relation.sums(&scores, &members).iter().all(|sums| sums.scored == 0.0), "others give nothing");
        assert!(
            relation.sums(&scores, &others).iter().all(|sums| *sums == WeightedSums::default()),
            "others get nothing"
        );
        weights
    }
}

/// Returns the first pair whose weights do not match.
fn misfit(one: &[Vec<f64>], other: &[Vec<f64>], fit: impl Fn(f64, f64) -> bool) -> Option<String> {
    let pairs = (0..one.len()).flat_map(|i| (0..one.len()).map(move |j| (i, j)));
    let mut misfits = pairs.filter(|&(i, j)| !fit(one[i][j], other[i][j]));
    misfits.next().map(|(i, j)| format!("pair {i}, {j}: {} and {}", one[i][j], other[i][j]))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < CLOSE
}

/// Checks that the fast weight is below the right one by less than the floor, and never above it.
fn short_by_less_than_floor(right: f64, fast: f64) -> bool {
    (-CLOSE..FLOOR + CLOSE).contains(&(right - fast))
}

/// Asserts that every weight equals its definition, is symmetric, and is in [0, 1].
fn exact_is_right(indexed: &Indexed, members: &[bool]) {
    for unit in UNITS {
        let of = Of::new(indexed, unit, members);
        let rows = of.rows(&Exact::new(&of.structure, &of.fragments));
        assert_eq!(misfit(&of.slow.weights(), &rows, close), None, "{unit:?}");
        is_relation(&rows, "exact");
        for (i, nodes) in of.slow.fragments.iter().enumerate() {
            assert!(nodes.len() != 1 || close(rows[i][i], 1.0), "{unit:?} {i}: one node is itself");
        }
    }
}

/// Asserts that all weights are symmetric and in [0, 1].
fn is_relation(weights: &[Vec<f64>], what: &str) {
    for (i, row) in weights.iter().enumerate() {
        for (j, &weight) in row.iter().enumerate() {
            assert!((0.0..=1.0 + CLOSE).contains(&weight), "{what} {i}, {j}: {weight} is in range");
            assert!(close(weight, weights[j][i]), "{what} {i}, {j}: {weight}, the other way {}", weights[j][i]);
        }
    }
}

/// Asserts that no weight is too large, or too small by the floor or more, and that every path of
/// at least the floor is found completely.
fn fast_is_right_above_the_floor(indexed: &Indexed, members: &[bool]) {
    for unit in UNITS {
        let of = Of::new(indexed, unit, members);
        let (known, fast) = (of.slow.table(), Structure::new(&of.fragments));
        let (right, rows, sums) = (of.slow.weights_by(&known), of.rows(&fast), of.implied(&fast));
        assert_eq!(misfit(&right, &rows, short_by_less_than_floor), None, "{unit:?} rows");
        assert_eq!(misfit(&right, &sums, short_by_less_than_floor), None, "{unit:?} sums");
        is_relation(&rows, "rows");
        is_relation(&sums, "sums");
        let mut strong = known;
        let weak = strong.values_mut().flatten().filter(|weight| **weight < FLOOR + CLOSE);
        weak.for_each(|weight| *weight = 0.0);
        // Paths along the tree are never left out.
        for (source, along_tree) in of.slow.without_calls().table() {
            let both = strong.get_mut(&source).expect("source").iter_mut().zip(along_tree);
            both.for_each(|(weight, along_tree)| *weight = weight.max(along_tree));
        }
        assert_eq!(misfit(&of.slow.weights_by(&strong), &rows, at_most), None, "{unit:?} rows, strong paths");
        assert_eq!(misfit(&of.slow.weights_by(&strong), &sums, at_most), None, "{unit:?} sums, strong paths");
    }
}

/// Asserts that the weights that `relate` shows are below the right ones by less than the weight of
/// a faint path.
fn shown_is_right_but_for_faint_paths(indexed: &Indexed, members: &[bool]) {
    for unit in UNITS {
        let of = Of::new(indexed, unit, members);
        let (right, search) = (of.slow.weights(), PathSearch::new(&of.fragments));
        for fragment in of.all() {
            let related = search.related(fragment, usize::MAX);
            assert!(related.windows(2).all(|two| two[0].weight >= two[1].weight), "the most related first");
            let mut shown = vec![0.0; of.fragments.count()];
            related.iter().for_each(|related| shown[related.fragment.index()] = related.weight);
            shown[fragment.index()] = right[fragment.index()][fragment.index()];
            let short = |right: f64, shown: f64| (-CLOSE..FAINT + CLOSE).contains(&(right - shown));
            assert_eq!(misfit_of_row(&right[fragment.index()], &shown, short), None, "{unit:?} {fragment:?}");
        }
    }
}

fn misfit_of_row(one: &[f64], other: &[f64], fit: impl Fn(f64, f64) -> bool) -> Option<String> {
    let at = (0..one.len()).find(|&at| !fit(one[at], other[at]))?;
    Some(format!("{at}: {} and {}", one[at], other[at]))
}

fn at_most(a: f64, b: f64) -> bool {
    a < b + CLOSE
}

fn scores() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![1 => Just(0.0), 3 => 0.0..20.0f64], 1..40)
}

fn repeated(pattern: &[f64], count: usize) -> Vec<f64> {
    (0..count).map(|at| pattern[at % pattern.len()]).collect()
}

/// Generates the fragments that take part: the usual ones, or any.
fn members() -> impl Strategy<Value = Vec<bool>> {
    prop_oneof![Just(Vec::new()), Just(vec![true]), prop::collection::vec(any::<bool>(), 1..9)]
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn exact_weights_are_those_of_the_definition(repo in repo(), members in members()) {
        exact_is_right(&repo.indexed(), &members);
    }

    #[test]
    fn fast_weights_fall_short_by_less_than_the_floor(repo in repo(), members in members()) {
        fast_is_right_above_the_floor(&repo.indexed(), &members);
    }

    #[test]
    fn related_fragments_are_shown_but_for_faint_paths(repo in repo(), members in members()) {
        shown_is_right_but_for_faint_paths(&repo.indexed(), &members);
    }

    #[test]
    fn weights_along_the_tree_are_those_of_the_graph_without_calls(repo in repo(), members in members()) {
        let indexed = repo.indexed();
        for unit in UNITS {
            let of = Of::new(&indexed, unit, &members);
            let (right, forest) = (of.slow.without_calls().weights(), Forest::new(&of.fragments));
            prop_assert_eq!(misfit(&right, &of.rows(&forest), close), None, "{:?} rows", unit);
            prop_assert_eq!(misfit(&right, &of.implied(&forest), close), None, "{:?} sums", unit);
        }
    }

    #[test]
    fn sums_are_sums_over_weights(repo in repo(), members in members(), scores in scores()) {
        let indexed = repo.indexed();
        for unit in UNITS {
            let of = Of::new(&indexed, unit, &members);
            let scores = repeated(&scores, of.fragments.count());
            let same = |relation: &dyn Relation, weights: &[Vec<f64>], what: &str| {
                for (fragment, sums) in of.all().into_iter().zip(relation.sums(&scores, &of.all())) {
                    let row = &weights[fragment.index()];
                    let scored: f64 = row.iter().zip(&scores).map(|(weight, score)| weight * score).sum();
                    assert!(close(sums.scored, scored), "{unit:?} {what} {fragment:?}: {sums:?}, by hand {scored}");
                    let weight: f64 = row.iter().sum();
                    assert!(close(sums.weight, weight), "{unit:?} {what} {fragment:?}: {sums:?}, by hand {weight}");
                    assert!(close(relation.own(fragment), row[fragment.index()]), "{unit:?} {what} {fragment:?}: own");
                }
            };
            let (exact, position) = (Exact::new(&of.structure, &of.fragments), Position::new(&of.fragments));
            let (forest, fast) = (Forest::new(&of.fragments), Structure::new(&of.fragments));
            same(&exact, &of.rows(&exact), "exact");
            same(&position, &of.rows(&position), "position");
            same(&forest, &of.rows(&forest), "forest");
            same(&fast, &of.rows(&fast), "structure");
        }
    }

    #[test]
    fn position_decreases_by_a_constant_factor(repo in repo(), members in members()) {
        let indexed = repo.indexed();
        for unit in UNITS {
            let of = Of::new(&indexed, unit, &members);
            let files = of.fragments.graph.file_ids();
            let mut right = vec![vec![0.0; of.fragments.count()]; of.fragments.count()];
            for file in files {
                let mut places = of.fragments.of_file(file).collect::<Vec<_>>();
                places.retain(|&fragment| of.fragments.members[fragment]);
                for (loc_i, &i) in places.iter().enumerate() {
                    for (loc_j, &j) in places.iter().enumerate() {
                        right[i.index()][j.index()] = 0.3f64.powi(loc_i.abs_diff(loc_j) as i32);
                    }
                }
            }
            let rows = of.rows(&Position::new(&of.fragments));
            prop_assert_eq!(misfit(&right, &rows, close), None, "{:?}", unit);
        }
    }

    #[test]
    fn sums_do_not_depend_on_the_number_of_threads(repo in repo(), scores in scores()) {
        let indexed = repo.indexed();
        for unit in UNITS {
            let of = Of::new(&indexed, unit, &[]);
            let scores = repeated(&scores, of.fragments.count());
            let with = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                let bits = |sums: Vec<WeightedSums>| -> Vec<[u64; 2]> {
                    sums.iter().map(|sums| [sums.scored.to_bits(), sums.weight.to_bits()]).collect()
                };
                pool.install(|| {
                    let fast = Structure::new(&of.fragments);
                    let along_tree = bits(fast.forest().sums(&scores, &of.all()));
                    let exact = bits(Exact::new(&of.structure, &of.fragments).sums(&scores, &of.all()));
                    [along_tree, bits(fast.sums(&scores, &of.all())), exact]
                })
            };
            prop_assert_eq!(with(1), with(8), "{:?}", unit);
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn distances_are_the_best_of_all_simple_paths(repo in tiny_repo()) {
        let indexed = repo.indexed();
        let of = Of::new(&indexed, FragmentUnit::Definition, &[true]);
        let exact = Exact::new(&of.structure, &of.fragments);
        let nodes: Vec<usize> = of.slow.fragments.iter().flatten().map(|&(node, _)| node).collect();
        for &source in &nodes {
            let Some(right) = of.slow.over_all_paths(source) else { continue };
            let (dijkstra, relaxed) = (exact.distances(NodeId::new(source)), of.slow.distances(source));
            for &to in &nodes {
                let weight = right[to];
                prop_assert!(close(weight, dijkstra[to]), "{source} to {to}: {weight}, by Dijkstra {}", dijkstra[to]);
                prop_assert!(close(weight, relaxed[to]), "{source} to {to}: {weight}, relaxed {}", relaxed[to]);
            }
        }
    }
}

#[test]
fn in_every_language_weights_are_those_of_the_definition() {
    for case in Case::all("lang") {
        let indexed = Indexed::new(|root| case.write_to(root));
        exact_is_right(&indexed, &[]);
        fast_is_right_above_the_floor(&indexed, &[]);
        shown_is_right_but_for_faint_paths(&indexed, &[]);
    }
}

#[test]
fn unrelated_fragments_have_weight_zero() {
    assert_eq!(Unrelated.row(FragmentId(0)), []);
    assert_eq!(Unrelated.own(FragmentId(0)), 0.0);
    assert_eq!(
        Unrelated.sums(&[1.0, 2.0], &[FragmentId(0), FragmentId(1)]),
        [WeightedSums::default(), WeightedSums::default()]
    );
    assert_eq!(WeightedSums::default().mean(), 0.0);
}
