//! Checks the steps of a search in several indexes against slow, obvious versions: counts over
//! every definition, and upper limits that no score exceeds.

use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use whichfn_search::search::{CorpusStatistics, PreparedQuery, Query};
use whichfn_syntax::ids::{DefinitionId, MemberId};
use whichfn_testing::{Indexed, repo};

const WORDS: [&str; 8] = ["parse", "split", "join", "count", "weigh", "merge", "round", "separate"];

/// Returns the number of functions with a stem in one of their own fields.
fn holders(indexed: &Indexed, stem: &str) -> u64 {
    let graph = &indexed.generation.graph;
    let functions = |id: &DefinitionId| graph.traits(*id).kind().is_function();
    graph.postings(stem).iter().map(|posting| posting.definition).filter(functions).collect::<BTreeSet<_>>().len()
        as u64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn counts_are_those_of_all_definitions_and_no_score_exceeds_its_bound(
        repos in prop::collection::vec(repo(), 1..4),
        words in prop::collection::vec(0..WORDS.len(), 1..5),
    ) {
        let indexed: Vec<Indexed> = repos.iter().map(|repo| repo.indexed()).collect();
        let question = words.iter().map(|&word| WORDS[word]).collect::<Vec<_>>().join(" ");
        let asked = Arc::new(PreparedQuery::new(Query { k: 30, ..Query::new(&question) }));
        let mut indexes: Vec<_> =
            indexed.iter().map(|of| of.searcher().start(&asked, MemberId(0)).expect("a search")).collect();

        let mut counts = CorpusStatistics::default();
        indexes.iter().for_each(|index| counts.add(&index.counts()));
        for (term, &frequency) in asked.query.question.terms.iter().zip(&counts.frequencies) {
            let slow: u64 = indexed.iter().map(|of| holders(of, &term.stem)).sum();
            prop_assert_eq!(frequency, slow, "{}", &term.stem);
        }
        let functions = |of: &Indexed| {
            let graph = &of.generation.graph;
            graph.definition_ids().filter(|&id| graph.traits(id).kind().is_function()).count() as u64
        };
        prop_assert_eq!(counts.totals.definitions, indexed.iter().map(functions).sum::<u64>());

        let unknown = counts.unknown_terms();
        indexes.iter().for_each(|index| counts.add_synonyms(&unknown, &index.synonym_counts(&unknown)));
        let bounds: Vec<f32> = indexes.iter().map(|index| index.max_score(&counts)).collect();
        let scores: Vec<f32> = indexes.iter_mut().map(|index| index.score(&counts)).collect();
        let best = scores.iter().copied().fold(0.0, f32::max);
        for ((index, score), bound) in indexes.iter_mut().zip(scores).zip(bounds) {
            prop_assert!(score <= bound, "{score} {bound}");
            for hit in index.choose(&counts, best, 100).expect("chosen").hits {
                prop_assert!(hit.independent <= score);
                prop_assert!(hit.score <= asked.max_adjusted_score(score, best), "{hit:?}");
            }
        }
    }
}
