//! What the index keeps so that no question counts it: as counting gives it.

use crate::support::case::Case;
use crate::support::small::Indexed;
use std::collections::BTreeMap;
use whichfn_index::store::{CALL_FIELDS, FieldTotals, KindGroup};
use whichfn_search::relation::{Forest, FragmentUnit, Fragments, Relation, Selected};
use whichfn_syntax::ids::{DefinitionId, FragmentId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Field;

fn every_language() -> Indexed {
    Indexed::new(|root| Case::all("lang").iter().for_each(|case| case.write_to(&root.join(case.name()))))
}

#[test]
fn sums_of_lengths_are_those_of_all_definitions() {
    let indexed = every_language();
    let graph = &indexed.engine.generation().graph;
    // Words that each call hands on, counted call by call; of equal callees in a row the first alone counts.
    let mut through_calls = vec![[0u32; CALL_FIELDS]; graph.definition_count()];
    for caller in graph.definition_ids() {
        let mut callees: Vec<_> = graph.calls(caller).iter().map(|call| call.callee).collect();
        callees.retain(|&callee| callee != caller);
        callees.dedup();
        for callee in callees {
            let words = |id, field: Field| u32::from(graph.lengths(id)[field as usize]);
            through_calls[callee.index()][0] += words(caller, Field::Name);
            through_calls[callee.index()][1] += words(caller, Field::Summary);
            through_calls[caller.index()][2] += words(callee, Field::Summary);
        }
    }
    let mut totals = [FieldTotals::default(); KindGroup::ALL.len()];
    for id in graph.definition_ids() {
        assert_eq!(graph.call_field_lengths(id), through_calls[id.index()], "{}", graph.qualified_name(id));
        if graph.definition(id).kind() == DefinitionKind::Declaration {
            continue;
        }
        let group = KindGroup::from_kind(graph.definition(id).kind());
        totals[group as usize].add(graph.lengths(id), through_calls[id.index()]);
    }
    assert_eq!(graph.totals(), totals);
    assert!(totals.iter().all(|of| of.definitions > 0) && totals[0].through_calls.iter().all(|&words| words > 0));
}

#[test]
fn a_name_leads_to_all_definitions_that_bear_it() {
    let indexed = every_language();
    let graph = &indexed.engine.generation().graph;
    let mut by_name: BTreeMap<&str, Vec<DefinitionId>> = BTreeMap::new();
    graph.definition_ids().for_each(|id| by_name.entry(graph.name(id)).or_default().push(id));
    for (name, expected) in &by_name {
        assert_eq!(graph.named(name), *expected, "{name}");
    }
    assert!(by_name.len() > 100 && graph.named("nobody bears it").is_empty());
}

#[test]
fn the_forest_of_some_fragments_sums_as_the_whole_bit_for_bit() {
    let indexed = every_language();
    let graph = &indexed.engine.generation().graph;
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
