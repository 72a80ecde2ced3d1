//! Overrides that a change left behind: the parameters of a method changed, and a method in a
//! subtype that matched it still has the former ones.
//!
//! **Cost:** a walk over the subtypes of each changed method, and parsing the files of the methods
//! found.

use super::finding::FindingLocation;
use super::head::ParameterList;
use super::sides::{ParsedFiles, Sides};
use rustc_hash::FxHashSet;
use whichfn_index::store::TypeGraph;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Dispatch;
use whichfn_system::error::Result;

/// Returns the unmodified methods that override the method `id` with its old parameters.
///
/// # Errors
/// Returns an error if a language's data files are invalid.
pub(super) fn outdated_overrides(
    sides: &Sides<'_>,
    files: &mut ParsedFiles<'_, '_>,
    id: DefinitionId,
    (old, new): (&ParameterList, &ParameterList),
) -> Result<Vec<FindingLocation>> {
    let (graph, types) = (sides.graph, TypeGraph::new(sides.graph, sides.registry));
    let Some(rules) = sides.language(graph.definition(id).file).map(|language| &language.spec.dispatch) else {
        return Ok(Vec::new());
    };
    let (mut outdated, mut fitting) = (Vec::new(), FxHashSet::default());
    for method in types.redeclared(id) {
        let row = graph.definition(method);
        let local = graph.local(method);
        let changed = sides.changed(row.file);
        let Some(head) = files.side(row.file)?.and_then(|side| side.head(side.facts.definitions.get(local)?)) else {
            continue;
        };
        match overrides(&head, new, rules) {
            true => drop(fitting.insert(types.type_of(method))),
            false if changed.is_some_and(|changed| changed.touches((row.line, row.line))) => {}
            false if overrides(&head, old, rules) => outdated.push((method, head)),
            false => {}
        }
    }
    outdated.retain(|&(method, _)| !fitting.contains(&types.type_of(method)));
    let location = |(method, head): (DefinitionId, ParameterList)| {
        sides.location(method, &format!("overrides it, and still takes {}", head.shown()))
    };
    Ok(outdated.into_iter().map(location).collect())
}

/// Checks whether a method with the parameters `head` can override one with the parameters `base`.
pub(super) fn overrides(head: &ParameterList, base: &ParameterList, rules: &Dispatch) -> bool {
    if head.open || base.open || head.open_names || base.open_names {
        return true;
    }
    let required = |list: &ParameterList| list.parameters.iter().filter(|parameter| !parameter.optional).count();
    let (own, other) = (head.parameters.len(), base.parameters.len());
    match rules.same_parameters {
        true => own == other,
        false => required(head) <= other && (rules.fewer_parameters || required(base) <= own),
    }
}

#[cfg(test)]
mod tests {
    use super::super::head::HeadParameter;
    use super::*;

    fn list(names: &str) -> ParameterList {
        let parameter = |name: &str| HeadParameter {
            name: name.trim_end_matches('=').to_owned(),
            optional: name.ends_with('='),
            by_name: false,
            takes_function: false,
            keys: None,
        };
        ParameterList { parameters: names.split_whitespace().map(parameter).collect(), ..ParameterList::default() }
    }

    #[test]
    fn an_override_takes_what_callers_of_the_base_pass() {
        let (same, any) = (Dispatch { same_parameters: true, ..Dispatch::default() }, Dispatch::default());
        let fewer = Dispatch { fewer_parameters: true, ..Dispatch::default() };
        assert!(!overrides(&list("a"), &list("a b="), &same));
        assert!(overrides(&list("a"), &list("a b="), &any));
        assert!(overrides(&list("a b="), &list("a"), &any));
        assert!(!overrides(&list("a"), &list("a b"), &any));
        assert!(overrides(&list("a"), &list("a b"), &fewer));
        assert!(!overrides(&list("a b"), &list("a"), &fewer));
    }
}
