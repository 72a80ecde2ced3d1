//! The rule `reuse`: a new or rewritten function duplicates an existing one.
//!
//! A search with the new function's own words (name, documentation, parameters, calls) returns the
//! candidates. A candidate is reported if a search with the candidate's words also finds the new
//! function, and
//! - it is a copy: all functions, names and literals that the two bodies contain are the same; or
//! - it has the same name, neither function belongs to a type, and nearly all of these names and
//!   literals are the same.
//!
//! If both functions call a function with the same name, it must be the same function in the graph.
//!
//! **Cost:** two searches per reported function, and one per other new function. The files of the
//! candidates are parsed.
//!
//! **Alternatives:** similarity based only on calls, or with one name or literal exchanged, was
//! rejected, because it finds families (`visit_list`, `visit_tuple`) in which the exchanged part is
//! the purpose of each function (docs/check.md has the figures).

use super::body::Body;
use super::finding::{Finding, Rule};
use super::private::is_hook;
use super::sides::{ParsedFiles, ParsedSide, Sides};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use whichfn_index::store::GraphFile;
use whichfn_search::search::{Query, Question, Searcher, is_vendored_path};
use whichfn_syntax::ids::{DefinitionId, LocalId};
use whichfn_syntax::lang::{DefinitionKind, callee_name};
use whichfn_syntax::parse::{Definition, Field};
use whichfn_system::error::Result;
use whichfn_text::{platforms_of, split_identifier};

// These values were measured on click, axum, gson, echo, libuv, got, celery, fd, viper, black,
// poetry and spdlog, ten ranges of 150 commits each.

/// Minimum number of names and literals in a function. Most functions with fewer are getters and
/// one-line wrappers.
const MIN_NAMES: u32 = 8;
/// Minimum number of names and literals in two functions with different names. Of the pairs with
/// fewer, `GetInt` and `GetIntSlice` were the worst false positive.
const MIN_NAMES_OF_COPY: u32 = 10;
/// Minimum share of common names and literals for two functions with the same name that belong to
/// no type. Pairs at 0.82 were wrappers, and all pairs from 0.86 on did the same. Functions with
/// different names must have all names and literals in common: with one exchanged, 23 of 25 pairs
/// were members of one family, and with one additional name on one side, 3 of 5 pairs did different
/// things.
const SAME_NAME: f64 = 0.85;
/// Names of folders with self-contained programs, in addition to examples. Other code cannot call
/// the functions in them.
const OWN_PROGRAMS: [&str; 8] =
    ["playground", "playgrounds", "template", "templates", "demo", "demos", "cookbook", "integration"];
/// Minimum share of tokens that two functions must have in common.
const SAME_TOKENS: f64 = 0.8;
/// Maximum rank of a copy, in both directions. The last correct match had rank 19.
const NEAR: usize = 20;
/// Maximum rank of a similar function with the same name. The last correct match had rank 2.
const NEAREST: usize = 3;
/// Minimum ratio of the two bodies' word counts. This is a cheap filter before a file is parsed.
const SAME_LENGTH: f64 = 0.7;
/// Maximum number of new functions to compare, in path order. Each of them needs a search.
pub(super) const MAX_FUNCTIONS: usize = 200;

/// A new or rewritten function in a changed file.
struct NewFunction<'s, 'a> {
    id: DefinitionId,
    side: &'s ParsedSide<'a>,
    local: LocalId,
    definition: &'s Definition,
    body: Body,
}

/// Rank of a candidate among the results, starting at 1, and the candidate.
type Ranked = (usize, DefinitionId);

/// Returns a finding for each new function that duplicates an existing one, and the number of new
/// functions that were not compared because of the limit.
///
/// # Errors
/// Returns an error if a language's data files are invalid, or if the index cannot be read.
pub(super) fn reuse(sides: &Sides<'_>, searcher: &Searcher<'_>) -> Result<(Vec<Finding>, usize)> {
    let mut functions = new_functions(sides);
    let new: FxHashSet<DefinitionId> = functions.iter().map(|function| function.id).collect();
    let removed = removed_functions(sides);
    functions.retain(|function| {
        !removed.iter().any(|(name, body)| *name == function.definition.name || function.body.is_version_of(body))
    });
    let left_out = functions.len().saturating_sub(MAX_FUNCTIONS);
    functions.truncate(MAX_FUNCTIONS);
    let candidates = |function: &NewFunction<'_, '_>| -> Result<Vec<Ranked>> {
        let found =
            similar_functions(searcher, &question(function.side, function.local, function.definition), function.id)?;
        Ok(found.into_iter().filter(|(_, id)| !new.contains(id) && may_replace(sides, function, *id)).collect())
    };
    let candidates: Vec<Vec<Ranked>> = functions.par_iter().map(candidates).collect::<Result<_>>()?;
    let mut files = ParsedFiles::new(sides);
    let mut found = Vec::new();
    for (function, candidates) in functions.iter().zip(candidates) {
        if let Some(other) = find_equivalent(sides, searcher, &mut files, function, &candidates)? {
            let name = |id: DefinitionId| sides.graph.qualified_name(id);
            let message = format!("{} duplicates {}", name(function.id), name(other));
            let related = vec![sides.location(other, "already exists: call it, or merge the two")];
            found.push(Finding {
                rule: Rule::Reuse,
                location: sides.location(function.id, ""),
                message,
                related,
                is_guess: false,
            });
        }
    }
    Ok((found, left_out))
}

/// Returns the first candidate that does the same as the new function.
fn find_equivalent(
    sides: &Sides<'_>,
    searcher: &Searcher<'_>,
    files: &mut ParsedFiles<'_, '_>,
    function: &NewFunction<'_, '_>,
    candidates: &[Ranked],
) -> Result<Option<DefinitionId>> {
    for &(rank, other) in candidates {
        let (row, local) = (sides.graph.definition(other), sides.graph.local(other));
        let Some(side) = files.side(row.file)? else { continue };
        let Some(definition) = side.facts.definitions.get(local) else { continue };
        let Some(within) = max_rank(function, (side, definition), &Body::new(side, local, definition)) else {
            continue;
        };
        if rank > within {
            continue;
        }
        let back = similar_functions(searcher, &question(side, local, definition), other)?;
        if back.iter().any(|&(rank, id)| id == function.id && rank <= within) {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// Returns the maximum rank at which two functions count as the same, or `None` if their bodies
/// differ too much.
fn max_rank(
    function: &NewFunction<'_, '_>,
    (side, other): (&ParsedSide<'_>, &Definition),
    body: &Body,
) -> Option<usize> {
    let (names, others) = (&function.body.names, &body.names);
    if names.total().min(others.total()) < MIN_NAMES
        || !body.has_steps
        || function.body.tokens.overlap(&body.tokens) < SAME_TOKENS
    {
        return None;
    }
    let is_same = names.common(others) == names.total().max(others.total());
    let are_top_level = is_top_level(function.side, function.definition) && is_top_level(side, other);
    if function.definition.name == other.name {
        let is_enough = is_same || (are_top_level && names.overlap(others) >= SAME_NAME);
        return is_enough.then_some(if is_same { NEAR } else { NEAREST });
    }
    // The same names in a different order may be the inverse function, such as the conversion in
    // the other direction.
    (function.body.order == body.order && names.total() >= MIN_NAMES_OF_COPY).then_some(NEAR)
}

/// Checks whether a function belongs to no type and is not nested in another function.
fn is_top_level(side: &ParsedSide<'_>, definition: &Definition) -> bool {
    let around = side.facts.definitions.get(definition.parent);
    definition.kind == DefinitionKind::Function && around.is_none_or(|around| around.kind == DefinitionKind::Module)
}

/// Returns the functions of the change that are new or rewritten.
fn new_functions<'s, 'a>(sides: &'s Sides<'a>) -> Vec<NewFunction<'s, 'a>> {
    let mut found = Vec::new();
    for changed in &sides.files {
        let (Some(file), Some(new)) = (changed.file, &changed.new) else { continue };
        let before = changed.old.as_ref().map(|old| (old, old.functions()));
        for (name, (local, definition)) in new.functions() {
            let body = Body::new(new, local, definition);
            let was = before.as_ref().and_then(|(old, functions)| Some((old, functions.get(name)?)));
            let is_old = was.is_some_and(|(old, (local, was))| body.is_version_of(&Body::new(old, *local, was)));
            let is_asked = !definition.is_test && body.has_steps && !is_hook(new.language, &definition.name);
            if !is_old && is_asked && body.names.total() >= MIN_NAMES {
                let id = sides.definition(file, local);
                found.push(NewFunction { id, side: new, local, definition, body });
            }
        }
    }
    found
}

/// Returns the names and bodies of the functions that the change removed from their files.
fn removed_functions<'s>(sides: &'s Sides<'_>) -> Vec<(&'s str, Body)> {
    let mut found = Vec::new();
    for changed in &sides.files {
        let Some(old) = &changed.old else { continue };
        let now = changed.new.as_ref().map(ParsedSide::functions).unwrap_or_default();
        let removed = old.functions().into_iter().filter(|(name, _)| !now.contains_key(name));
        found.extend(removed.map(|(_, (local, was))| (&was.name[..], Body::new(old, local, was))));
    }
    found
}

/// Returns the functions that a search finds, with their ranks, except the function that the
/// question was built from.
fn similar_functions(searcher: &Searcher<'_>, question: &str, own: DefinitionId) -> Result<Vec<Ranked>> {
    let query = Query { k: NEAR + 1, question: Question::of_description(question), ..Query::new("") };
    let hits = searcher.search(&query)?;
    Ok((1..).zip(hits.iter().map(|hit| hit.definition).filter(|&id| id != own)).collect())
}

/// Builds a question from a function's name, documentation, parameters and calls.
fn question(side: &ParsedSide<'_>, local: LocalId, definition: &Definition) -> String {
    let head = side.head(definition).unwrap_or_default();
    let calls = side.facts.flow.calls.iter().filter(|call| call.scope == local);
    let calls = calls.filter_map(|call| callee_name(side.node(call.node)));
    let names = head.parameters.iter().map(|parameter| &parameter.name[..]).chain(calls);
    let mut words = split_identifier(&definition.name);
    words.push(definition.doc.clone());
    words.extend(names.flat_map(split_identifier));
    words.join(" ")
}

/// Checks whether an existing function could be called instead of a new one, to the extent that the
/// index can show this without the text.
fn may_replace(sides: &Sides<'_>, function: &NewFunction<'_, '_>, other: DefinitionId) -> bool {
    let graph = sides.graph;
    let (row, others) = (graph.definition(function.id), graph.definition(other));
    let (path, others_path) = (graph.path(row.file), graph.path(others.file));
    let is_written = |id: DefinitionId| graph.lengths(id)[Field::Body as usize];
    let (length, others_length) = (f64::from(is_written(function.id)), f64::from(is_written(other)));
    // Methods of two types implement the same interface, or cannot replace each other.
    let are_methods = row.kind() == DefinitionKind::Method && others.kind() == DefinitionKind::Method;
    let is_of_other_type =
        are_methods && (row.parent != others.parent || function.definition.name == graph.name(other));
    let is_excluded = |path: &str| is_vendored_path(path) || is_program_code(path);
    let is_elsewhere = is_excluded(path) || is_excluded(others_path) || platforms_of(path) != platforms_of(others_path);
    // A nested function is not visible elsewhere.
    let is_inside = graph.definition(others.parent).kind().is_function();
    !others.is_test()
        && !is_inside
        && graph.language(row.file) == graph.language(others.file)
        && length.min(others_length) >= SAME_LENGTH * length.max(others_length)
        && !is_of_other_type
        && !is_elsewhere
        && !calls(graph, function.id, other)
        && !calls(graph, other, function.id)
        && have_same_callees(graph, function.id, other)
}

fn is_program_code(path: &str) -> bool {
    path.split('/').any(|folder| OWN_PROGRAMS.contains(&folder))
}

fn calls(graph: &GraphFile, caller: DefinitionId, callee: DefinitionId) -> bool {
    graph.callers(callee).contains(&caller) || graph.definition(callee).parent == caller
}

/// Checks that each callee name that two functions share refers to the same function in both.
fn have_same_callees(graph: &GraphFile, function: DefinitionId, other: DefinitionId) -> bool {
    let called =
        |id: DefinitionId| graph.calls(id).iter().map(move |call| call.callee).filter(move |callee| *callee != id);
    let others: FxHashSet<DefinitionId> = called(other).collect();
    let names: FxHashSet<&str> = called(other).map(|id| graph.name(id)).collect();
    called(function).all(|id| others.contains(&id) || !names.contains(graph.name(id)))
}
