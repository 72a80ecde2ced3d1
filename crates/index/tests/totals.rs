//! Checks the totals in the index, which save counting for every question, against counting.

use std::collections::BTreeMap;
use whichfn_index::store::{CALL_FIELDS, FieldTotals, KindGroup};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Field;
use whichfn_testing::{Case, Indexed};

fn every_language() -> Indexed {
    Indexed::new(|root| Case::all("lang").iter().for_each(|case| case.write_to(&root.join(case.name()))))
}

#[test]
fn totals_are_the_sums_over_all_definitions() {
    let indexed = every_language();
    let graph = &indexed.generation.graph;
    // Words that each call passes on, counted call by call; only the first of a run of equal
    // callees counts.
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
fn a_name_returns_all_its_definitions() {
    let indexed = every_language();
    let graph = &indexed.generation.graph;
    let mut by_name: BTreeMap<&str, Vec<DefinitionId>> = BTreeMap::new();
    graph.definition_ids().for_each(|id| by_name.entry(graph.name(id)).or_default().push(id));
    for (name, expected) in &by_name {
        assert_eq!(graph.named(name), *expected, "{name}");
    }
    assert!(by_name.len() > 100 && graph.named("nobody bears it").is_empty());
}
