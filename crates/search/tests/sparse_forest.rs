//! Checks that the sums over some fragments equal those over all, bit for bit.

use whichfn_search::relation::{Forest, FragmentUnit, Fragments, Relation, Selected};
use whichfn_syntax::ids::FragmentId;
use whichfn_testing::{Case, Indexed};

#[test]
fn sums_over_some_fragments_equal_those_over_all() {
    let indexed = Indexed::new(|root| Case::all("lang").iter().for_each(|case| case.write_to(&root.join(case.name()))));
    let graph = &indexed.generation.graph;
    for unit in [FragmentUnit::Definition, FragmentUnit::Window] {
        let fragments = Fragments::new(graph, unit);
        let forest = Forest::new(&fragments);
        for every in [1, 2, 7, 40] {
            let members = fragments.ids().filter(|&id| fragments.members[id]);
            let some: Vec<FragmentId> = members.filter(|id| id.index() % every == 0).collect();
            let scores: Vec<f64> = some.iter().map(|id| 0.1 + (id.index() % 13) as f64 / 3.0).collect();
            let mut all = vec![0.0; fragments.count()];
            some.iter().zip(&scores).for_each(|(id, &score)| all[id.index()] = score);
            let sparse = Forest::with_fragments(&fragments, some.iter().copied());
            let whole = forest.sums(&all, &some);
            for (at, (sum, whole)) in sparse.scored(&scores).into_iter().zip(whole).enumerate() {
                assert_eq!(sum.to_bits(), whole.scored.to_bits(), "{unit:?}, one in {every}, {:?}", some[at]);
                assert_eq!(sparse.own(Selected(at as u32)).to_bits(), forest.own(some[at]).to_bits());
            }
        }
    }
}
