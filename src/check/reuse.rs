//! `reuse`: a new or rewritten function does what another one does already.
//!
//! Asked with the new function's own words (name, documentation, parameters, calls), the search gives the candidates. One is
//! reported if the search leads back from it to the new function, and
//! - it is a copy: what both call, read and spell out is the same; or
//! - it has the same name, both belong to no type, and nearly all of that is the same;
//!
//! What both call by one name must be one function, as the graph knows it.
//!
//! Price:    two searches for a function that is reported, one for any other new function; candidates' files are parsed
//! Why not:  likeness by calls alone, or with a name or a literal exchanged: those are families (`visit_list`, `visit_tuple`)
//!           in which what was exchanged is what each is there for (docs/check.md has the figures)

use super::body::Body;
use super::dead::is_hook;
use super::finding::{Finding, Rule};
use super::parsed_files::ParsedFiles;
use super::sides::{ParsedSide, Sides};
use crate::error::Result;
use crate::ids::{DefinitionId, LocalId};
use crate::lang::{DefinitionKind, called};
use crate::parse::{Definition, Field};
use crate::search::{Query, Searcher, lies_aside};
use crate::store::GraphFile;
use crate::text::{platforms_of, split_identifier};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

// Judged on click, axum, gson, echo, libuv, got, celery, fd, viper, black, poetry and spdlog, ten stretches of 150 commits each.

/// Names and literals that a function has at least: of those with less, most are getters and one-line wrappers.
const FEWEST_NAMES: u32 = 8;
/// The same for two functions of different names: of those with less, `GetInt` and `GetIntSlice` were worst.
const FEWEST_NAMES_OF_COPY: u32 = 10;
/// The share of names and literals that functions of one name that belong to no type have in common, at least: 0.82 were
/// wrappers, from 0.86 on all were the same task. Functions of different names have all in common: with one exchanged, 23 of 25
/// were one of a family, and with one more on one side, 3 of 5 did something else.
const SAME_NAME: f64 = 0.85;
/// Folders whose programs stand for themselves, besides those of examples: what one has, another cannot call.
const OWN_PROGRAMS: [&str; 8] =
    ["playground", "playgrounds", "template", "templates", "demo", "demos", "cookbook", "integration"];
/// The share of all tokens that either has in common.
const SAME_TOKENS: f64 = 0.8;
/// A copy is among so many results, in both directions; the farthest true one was the 19th.
const NEAR: usize = 20;
/// A function of the same name is among so many; the farthest true one was the second.
const NEAREST: usize = 3;
/// Words of one body for each of the other, at least: a cheap look before a file is parsed.
const SAME_LENGTH: f64 = 0.7;
/// New functions that are looked up at most, in order of path: a search each.
pub(super) const MOST_ASKED: usize = 200;

/// A function of a changed file.
struct NewFunction<'s, 'a> {
    id: DefinitionId,
    side: &'s ParsedSide<'a>,
    local: LocalId,
    definition: &'s Definition,
    body: Body,
}

/// A candidate, and its rank among the results, from 1.
type Ranked = (usize, DefinitionId);

/// New functions that do what others do, and how many were not looked up.
///
/// # Errors
/// When a language's own data is wrong, or the index does not read.
pub(super) fn reuse(sides: &Sides<'_>, searcher: &Searcher<'_>) -> Result<(Vec<Finding>, usize)> {
    let mut asked = new_functions(sides);
    let new: FxHashSet<DefinitionId> = asked.iter().map(|one| one.id).collect();
    let gone = gone_functions(sides);
    asked.retain(|one| !gone.iter().any(|(name, body)| *name == one.definition.name || one.body.is_kept_of(body)));
    let left_out = asked.len().saturating_sub(MOST_ASKED);
    asked.truncate(MOST_ASKED);
    let candidates = |one: &NewFunction<'_, '_>| -> Result<Vec<Ranked>> {
        let found = near(searcher, &question(one.side, one.local, one.definition), one.id)?;
        Ok(found.into_iter().filter(|(_, id)| !new.contains(id) && may_stand_for(sides, one, *id)).collect())
    };
    let candidates: Vec<Vec<Ranked>> = asked.par_iter().map(candidates).collect::<Result<_>>()?;
    let mut files = ParsedFiles::new(sides);
    let mut found = Vec::new();
    for (one, candidates) in asked.iter().zip(candidates) {
        if let Some(other) = same(sides, searcher, &mut files, one, &candidates)? {
            let name = |id: DefinitionId| sides.graph.qualified_name(id);
            let message = format!("{} does what {} does already", name(one.id), name(other));
            let related = vec![sides.place(other, "was there before: call it, or make one of the two")];
            found.push(Finding { rule: Rule::Reuse, place: sides.place(one.id, ""), message, related });
        }
    }
    Ok((found, left_out))
}

/// The first of the candidates that does the same.
fn same(
    sides: &Sides<'_>,
    searcher: &Searcher<'_>,
    files: &mut ParsedFiles<'_, '_>,
    one: &NewFunction<'_, '_>,
    candidates: &[Ranked],
) -> Result<Option<DefinitionId>> {
    for &(rank, other) in candidates {
        let (row, local) = (sides.graph.definition(other), sides.graph.local(other));
        let Some(side) = files.side(row.file)? else { continue };
        let Some(definition) = side.facts.definitions.get(local) else { continue };
        let Some(within) = likeness(one, (side, definition), &Body::of(side, local, definition)) else { continue };
        if rank > within {
            continue;
        }
        let back = near(searcher, &question(side, local, definition), other)?;
        if back.iter().any(|&(rank, id)| id == one.id && rank <= within) {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// How near two functions must be to be the same, if their bodies say that they may be.
fn likeness(one: &NewFunction<'_, '_>, (side, other): (&ParsedSide<'_>, &Definition), body: &Body) -> Option<usize> {
    let (names, others) = (&one.body.names, &body.names);
    if names.total().min(others.total()) < FEWEST_NAMES
        || !body.has_steps
        || one.body.tokens.overlap(&body.tokens) < SAME_TOKENS
    {
        return None;
    }
    let is_same = names.common(others) == names.total().max(others.total());
    let are_free = is_free(one.side, one.definition) && is_free(side, other);
    if one.definition.name == other.name {
        let is_enough = is_same || (are_free && names.overlap(others) >= SAME_NAME);
        return is_enough.then_some(if is_same { NEAR } else { NEAREST });
    }
    // The same in another order may be the way back: from one type to the other, and from the other to the one.
    (one.body.order == body.order && names.total() >= FEWEST_NAMES_OF_COPY).then_some(NEAR)
}

/// Whether a function belongs to no type and lies in no other function.
fn is_free(side: &ParsedSide<'_>, definition: &Definition) -> bool {
    let around = side.facts.definitions.get(definition.parent);
    definition.kind == DefinitionKind::Function && around.is_none_or(|around| around.kind == DefinitionKind::Module)
}

/// The functions of the change that were not there, or did something else.
fn new_functions<'s, 'a>(sides: &'s Sides<'a>) -> Vec<NewFunction<'s, 'a>> {
    let mut found = Vec::new();
    for changed in &sides.files {
        let (Some(file), Some(new)) = (changed.file, &changed.new) else { continue };
        let before = changed.old.as_ref().map(|old| (old, old.functions()));
        for (name, (local, definition)) in new.functions() {
            let body = Body::of(new, local, definition);
            let was = before.as_ref().and_then(|(old, functions)| Some((old, functions.get(name)?)));
            let is_old = was.is_some_and(|(old, (local, was))| body.is_kept_of(&Body::of(old, *local, was)));
            let is_asked = !definition.is_test && body.has_steps && !is_hook(new.language, &definition.name);
            if !is_old && is_asked && body.names.total() >= FEWEST_NAMES {
                let id = sides.definition(file, local);
                found.push(NewFunction { id, side: new, local, definition, body });
            }
        }
    }
    found
}

/// The names and bodies of functions that are no longer where they were.
fn gone_functions<'s>(sides: &'s Sides<'_>) -> Vec<(&'s str, Body)> {
    let mut found = Vec::new();
    for changed in &sides.files {
        let Some(old) = &changed.old else { continue };
        let now = changed.new.as_ref().map(ParsedSide::functions).unwrap_or_default();
        let gone = old.functions().into_iter().filter(|(name, _)| !now.contains_key(name));
        found.extend(gone.map(|(_, (local, was))| (&was.name[..], Body::of(old, local, was))));
    }
    found
}

/// The functions that a question finds, with their ranks; without the one that asks.
fn near(searcher: &Searcher<'_>, question: &str, asks: DefinitionId) -> Result<Vec<Ranked>> {
    let hits = searcher.search(&Query { k: NEAR + 1, ..Query::new(question) })?;
    Ok((1..).zip(hits.iter().map(|hit| hit.definition).filter(|&id| id != asks)).collect())
}

/// What a function would be asked for with: its name, documentation, parameters, and what it calls.
fn question(side: &ParsedSide<'_>, local: LocalId, definition: &Definition) -> String {
    let head = side.head(definition).unwrap_or_default();
    let calls = side.facts.flow.calls.iter().filter(|call| call.scope == local);
    let calls = calls.filter_map(|call| called(side.node(call.node)));
    let names = head.parameters.iter().map(|parameter| &parameter.name[..]).chain(calls);
    let mut words = split_identifier(&definition.name);
    words.push(definition.doc.clone());
    words.extend(names.flat_map(split_identifier));
    words.join(" ")
}

/// Whether a function could be called in place of a new one, as far as can be told without its text.
fn may_stand_for(sides: &Sides<'_>, one: &NewFunction<'_, '_>, other: DefinitionId) -> bool {
    let graph = sides.graph;
    let (row, others) = (graph.definition(one.id), graph.definition(other));
    let (path, others_path) = (graph.path(row.file), graph.path(others.file));
    let is_written = |id: DefinitionId| graph.lengths(id)[Field::Body as usize];
    let (length, others_length) = (f64::from(is_written(one.id)), f64::from(is_written(other)));
    // Methods of two types are implementations of one interface, or cannot be called for each other.
    let are_methods = row.kind() == DefinitionKind::Method && others.kind() == DefinitionKind::Method;
    let is_of_other_type = are_methods && (row.parent != others.parent || one.definition.name == graph.name(other));
    let is_aside = |path: &str| lies_aside(path) || is_of_own_program(path);
    let is_elsewhere = is_aside(path) || is_aside(others_path) || platforms_of(path) != platforms_of(others_path);
    // What lies in a function is not seen from elsewhere.
    let is_inside = graph.definition(others.parent).kind().is_function();
    !others.is_test()
        && !is_inside
        && graph.language(row.file) == graph.language(others.file)
        && length.min(others_length) >= SAME_LENGTH * length.max(others_length)
        && !is_of_other_type
        && !is_elsewhere
        && !calls(graph, one.id, other)
        && !calls(graph, other, one.id)
        && have_same_callees(graph, one.id, other)
}

fn is_of_own_program(path: &str) -> bool {
    path.split('/').any(|folder| OWN_PROGRAMS.contains(&folder))
}

fn calls(graph: &GraphFile, caller: DefinitionId, callee: DefinitionId) -> bool {
    graph.callers(callee).contains(&caller) || graph.definition(callee).parent == caller
}

/// Whether two functions call the same wherever they call something by the same name.
fn have_same_callees(graph: &GraphFile, one: DefinitionId, other: DefinitionId) -> bool {
    let called =
        |id: DefinitionId| graph.calls(id).iter().map(move |call| call.callee).filter(move |callee| *callee != id);
    let others: FxHashSet<DefinitionId> = called(other).collect();
    let names: FxHashSet<&str> = called(other).map(|id| graph.name(id)).collect();
    called(one).all(|id| others.contains(&id) || !names.contains(graph.name(id)))
}
