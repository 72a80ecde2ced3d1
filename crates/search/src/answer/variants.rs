//! Definitions that are one thing for a user: overloads, and definitions of which a build selects
//! one.

use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::{LangId, Registry, Spec, Visibility};

/// Word in the signature of a function that other files cannot see.
const STATIC: &str = "static";

/// Checks whether all definitions are overloads or variants of the first. Overloads have one
/// qualified name in one file. Variants are defined in several files of one program, which cannot
/// contain both: in one package, if its directory is the scope of names (Go), or as functions with
/// the same number of parameters that all files see (C, C++).
pub fn are_variants(graph: &GraphFile, registry: &Registry, all: &[DefinitionId]) -> bool {
    let Some((&first, others)) = all.split_first() else { return false };
    others.iter().all(|&other| is_variant(graph, registry, first, other))
}

fn is_variant(graph: &GraphFile, registry: &Registry, a: DefinitionId, b: DefinitionId) -> bool {
    if graph.qualified_name(a) != graph.qualified_name(b) {
        return false;
    }
    let (first, second) = (graph.file_around(a), graph.file_around(b));
    let spec = |file| graph.language(file).and_then(|number| registry.spec(LangId(number)));
    let Some(rules) = spec(first).filter(|_| graph.language(first) == graph.language(second)) else { return false };
    let directory = |file| graph.path(file).rsplit_once('/').map(|(directory, _)| directory);
    first == second
        || match rules.scopes.visibility {
            Visibility::Directory => directory(first) == directory(second),
            Visibility::Repository => {
                is_global(graph, rules, a) && is_global(graph, rules, b) && arity(graph, a) == arity(graph, b)
            }
            Visibility::File | Visibility::Package => false,
        }
}

/// Checks whether a definition is a function that all files of a program see.
fn is_global(graph: &GraphFile, rules: &Spec, id: DefinitionId) -> bool {
    let mut words = graph.signature(id).split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_top = graph.qualified_name(id) == graph.name(id);
    rules.modules.include && is_top && graph.traits(id).kind().is_function() && !words.any(|word| word == STATIC)
}

fn arity(graph: &GraphFile, id: DefinitionId) -> usize {
    graph.signature(id).matches(',').count()
}
