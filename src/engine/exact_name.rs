//! Finds what a question names exactly: `HTTPAdapter`, `Session.renew()`, `LIMIT`, `app/config.py`.
//!
//! The search ranks functions only, so it lists the methods of a type that the question names, but
//! not the type. A question without spaces that is a name is about that name, whatever its kind.

use super::Engine;
use std::cmp::Reverse;
use whichfn_index::store::NamedValueId;
use whichfn_search::answer::{Named, ResolvedName};
use whichfn_search::search::Hit;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;

/// Maximum number of definitions or values with one name that precede the results of the search.
const MAX_NAMED: usize = 3;

/// What a question names exactly, the most used first.
#[derive(Debug, Default)]
pub(super) struct ExactName {
    pub definitions: Vec<DefinitionId>,
    /// Values, if there is no definition with the name.
    pub values: Vec<NamedValueId>,
}

impl Engine {
    /// Returns the definitions and values whose name is the whole question, in the accepted files;
    /// none if the question has several words.
    pub(super) fn exactly_named(&self, text: &str, is_allowed: &dyn Fn(DefinitionId) -> bool) -> ExactName {
        let (graph, typed, mut found) = (&self.generation.graph, text.trim(), ExactName::default());
        if typed.is_empty() || typed.contains(char::is_whitespace) {
            return found;
        }
        let named = match self.resolve_named(typed) {
            ResolvedName::One(one) => vec![one],
            ResolvedName::Many(all) => all,
            ResolvedName::Corrected(one) if self.named_location(one).name.eq_ignore_ascii_case(typed) => vec![one],
            _ => Vec::new(),
        };
        // A plain word (`cache`) names many files by chance.
        let is_word = typed.chars().all(char::is_lowercase);
        for named in named {
            match named {
                Named::Definition(id) if is_allowed(id) => {
                    if !is_word || graph.traits(id).kind() != DefinitionKind::Module {
                        found.definitions.push(id);
                    }
                }
                Named::Value(id) => found.values.push(id),
                Named::Definition(_) => {}
            }
        }
        let is_allowed = |id: &NamedValueId| graph.named_value(*id).is_some_and(|value| is_allowed(value.parent));
        found.values.retain(is_allowed);
        found.definitions.sort_by_key(|&id| {
            let traits = graph.traits(id);
            (traits.is_test(), traits.kind().is_function(), Reverse(graph.callers(id).len()), id)
        });
        found.definitions.truncate(MAX_NAMED);
        found.values.truncate(MAX_NAMED);
        found
    }
}

/// Puts definitions that the question names before all hits, unless the first hit is one of them.
pub(super) fn put_named_first(hits: &mut Vec<Hit>, named: &ExactName, new: impl Fn(DefinitionId) -> Hit) {
    let named_first = |hit: &Hit| named.definitions.contains(&hit.definition);
    if named.definitions.is_empty() && named.values.is_empty() || hits.first().is_some_and(named_first) {
        return;
    }
    let best = hits.first().map_or(1.0, |hit| hit.score);
    let known = |id: &DefinitionId| hits.iter().find(|hit| hit.definition == *id).cloned();
    let mut first: Vec<Hit> = named.definitions.iter().map(|id| known(id).unwrap_or_else(|| new(*id))).collect();
    hits.retain(|hit| !named_first(hit));
    // No set of questions has measured how often the first one is meant.
    first.iter_mut().chain(hits.iter_mut()).for_each(|hit| hit.confidence = None);
    first.iter_mut().for_each(|hit| hit.score = best);
    hits.splice(..0, first);
}
