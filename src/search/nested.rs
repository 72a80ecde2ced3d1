//! A function inside another changes places with the function around it, unless the question names it: who looks for what
//! `check_password` does is not helped by the `setter` in it.
//!
//! Price: a look at the definition around each of the best hits

use super::hit::{Adjustment, AdjustmentKind, Hit};
use super::question::Question;
use crate::ids::DefinitionId;
use crate::store::GraphFile;
use crate::text::Stemmer;

/// Exchanges a hit with the function around it, where that came later and no word of the question is in the hit's name. All
/// other hits keep their places.
pub(super) fn hand_to_outer(graph: &GraphFile, question: &Question, hits: &mut [Hit]) {
    let mut stemmer = Stemmer::default();
    let mut at = 0;
    while at < hits.len() {
        let inner = hits[at].definition;
        let later = function_around(graph, inner)
            .filter(|_| !names(question, graph.name(inner), &mut stemmer))
            .and_then(|outer| hits[at..].iter().position(|hit| hit.definition == outer));
        match later {
            Some(later) => exchange(hits, at, at + later),
            None => at += 1,
        }
    }
}

/// Exchanges the places and the scores of two hits.
fn exchange(hits: &mut [Hit], first: usize, second: usize) {
    hits.swap(first, second);
    let confidence = hits[second].confidence.take();
    let (low, high) = (hits[first].score, hits[second].score);
    for (at, score, before) in [(first, high, low), (second, low, high)] {
        hits[at].score = score;
        hits[at].adjustments.push(Adjustment { kind: AdjustmentKind::Inside, change: score - before });
    }
    hits[first].confidence = confidence;
}

/// The nearest function around a function.
fn function_around(graph: &GraphFile, id: DefinitionId) -> Option<DefinitionId> {
    let is_function = |id| graph.traits(id).kind().is_function();
    let mut around = graph.definition(id).parent;
    while is_function(id) && !is_function(around) && graph.name(around).is_empty() {
        let next = graph.definition(around).parent;
        if next == around {
            return None;
        }
        around = next;
    }
    (is_function(id) && is_function(around) && around != id).then_some(around)
}

/// Whether a word of the question is in a name.
fn names(question: &Question, name: &str, stemmer: &mut Stemmer) -> bool {
    let mut is_named = false;
    stemmer.stems(name, |stem| is_named |= question.terms.iter().any(|term| term.stem == stem.text));
    is_named
}
